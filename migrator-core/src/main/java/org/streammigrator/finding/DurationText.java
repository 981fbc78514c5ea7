package org.streammigrator.finding;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as users write them: a whole number and a unit, such as {@code 90m} or {@code 7d}. */
public final class DurationText {
  private static final Pattern DURATION = Pattern.compile("([0-9]{1,15})(ms|s|m|h|d)");

  private DurationText() {}

  /**
   * Reads a duration.
   *
   * @return empty if the text is not written so
   * @throws ArithmeticException if it is more than 64 bits of milliseconds
   */
  public static Optional<Duration> parse(String text) {
    Matcher matcher = DURATION.matcher(text);
    return matcher.matches()
        ? Optional.of(
            Duration.ofMillis(
                Math.multiplyExact(
                    Long.parseLong(matcher.group(1)), millisecondsOf(matcher.group(2)))))
        : Optional.empty();
  }

  private static long millisecondsOf(String unit) {
    return switch (unit) {
      case "ms" -> 1;
      case "s" -> 1_000;
      case "m" -> 60_000;
      case "h" -> 3_600_000;
      default -> 86_400_000;
    };
  }
}
