package org.streammigrator.databricks;

import java.io.IOException;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.streammigrator.finding.DurationText;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.UnservedPlaceException;

/**
 * How often a request is sent, and how long it waits in between: as the server asks ({@code
 * Retry-After}), else twice as long each time.
 *
 * @param attempts how often at most, from 1
 * @param interval the first wait
 */
record Retries(int attempts, Duration interval) {
  private static final String ATTEMPTS = "databricks.attempts";
  private static final String INTERVAL = "databricks.retry_interval";

  /** The settings that are read here. */
  static final Set<String> SETTINGS = Set.of(ATTEMPTS, INTERVAL);

  /** Longer than this no server is waited for. */
  private static final Duration LONGEST = Duration.ofMinutes(2);

  private static final Set<Integer> PASSING = Set.of(429, 500, 502, 503, 504);

  /**
   * Reads the settings.
   *
   * @param place what they hold for
   * @throws UnservedPlaceException if one cannot be used
   */
  static Retries of(Location place, Map<String, String> settings) throws IOException {
    String attempts = settings.getOrDefault(ATTEMPTS, "6");
    String interval = settings.getOrDefault(INTERVAL, "1s");
    Optional<Duration> wait = DurationText.parse(interval);
    if (!attempts.matches("[1-9][0-9]?") || wait.isEmpty() || wait.get().compareTo(LONGEST) > 0) {
      throw new UnservedPlaceException(
          place,
          ATTEMPTS
              + " is a number from 1 to 99, and "
              + INTERVAL
              + " a duration such as 500ms or 2s, up to 2m");
    }
    return new Retries(Integer.parseInt(attempts), wait.get());
  }

  /** Whether an answer may be another one when the request is sent again. */
  static boolean isPassing(int status) {
    return PASSING.contains(status);
  }

  /**
   * Waits before the next attempt.
   *
   * @param attempt the one that failed, from 1
   * @param retryAfter what the server asks for, in seconds or as an HTTP date
   */
  void pause(int attempt, Optional<String> retryAfter) throws IOException {
    Duration wait = retryAfter.flatMap(Retries::asked).orElseGet(() -> backOff(attempt));
    try {
      Thread.sleep(Math.min(wait.toMillis(), LONGEST.toMillis()));
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while waiting to send a request again", interrupted);
    }
  }

  private Duration backOff(int attempt) {
    long doubled = interval.toMillis() << Math.min(attempt - 1, 10);
    return Duration.ofMillis(doubled + ThreadLocalRandom.current().nextLong(doubled / 2 + 1));
  }

  private static Optional<Duration> asked(String retryAfter) {
    if (retryAfter.matches("[0-9]{1,6}")) {
      return Optional.of(Duration.ofSeconds(Long.parseLong(retryAfter)));
    }
    try {
      Duration until =
          Duration.between(
              ZonedDateTime.now(),
              ZonedDateTime.parse(retryAfter, DateTimeFormatter.RFC_1123_DATE_TIME));
      return Optional.of(until.isNegative() ? Duration.ZERO : until);
    } catch (DateTimeParseException neither) {
      return Optional.empty();
    }
  }
}
