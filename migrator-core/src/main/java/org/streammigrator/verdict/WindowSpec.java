package org.streammigrator.verdict;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.streammigrator.finding.DurationText;

/**
 * Windows of event time as Spark's {@code window(column, size, slide)} makes them: aligned to
 * 1970-01-01T00:00:00Z whatever the session's time zone, each with its start and without its end.
 *
 * @param sizeMs milliseconds, more than 0
 * @param slideMs milliseconds from one window's start to the next, 1 to {@code sizeMs}
 */
public record WindowSpec(long sizeMs, long slideMs) {
  public WindowSpec {
    if (sizeMs <= 0 || slideMs <= 0 || slideMs > sizeMs) {
      throw new IllegalArgumentException(
          "a window's size and slide must be more than 0, and the slide no more than the size");
    }
  }

  /**
   * Reads {@code SIZE} or {@code SIZE/SLIDE}, such as {@code 5m}, {@code 10m/5m} or {@code 1d}.
   *
   * @throws IllegalArgumentException if it is not written so; the message says what is wrong
   */
  public static WindowSpec parse(String text) {
    String[] parts = text.split("/", -1);
    if (parts.length > 2) {
      throw new IllegalArgumentException("it must be SIZE or SIZE/SLIDE, such as 5m or 10m/5m");
    }
    long size = milliseconds(parts[0]);
    return new WindowSpec(size, parts.length == 2 ? milliseconds(parts[1]) : size);
  }

  private static long milliseconds(String text) {
    try {
      return DurationText.parse(text)
          .map(Duration::toMillis)
          .orElseThrow(
              () ->
                  new IllegalArgumentException(
                      "'" + text + "' is no duration, such as 250ms, 10s, 5m, 1h or 1d"));
    } catch (ArithmeticException tooLong) {
      throw new IllegalArgumentException("'" + text + "' is too long", tooLong);
    }
  }

  /**
   * The start of the first window that is still open: Spark closes a window when its end is at or
   * before the watermark ({@code WatermarkSupport.watermarkExpression}).
   *
   * @param watermarkMs milliseconds since the epoch
   * @return milliseconds since the epoch; empty where that is more than 64 bits
   */
  public OptionalLong firstOpenStart(long watermarkMs) {
    try {
      long latestClosed = Math.subtractExact(watermarkMs, sizeMs);
      long start =
          Math.addExact(Math.multiplyExact(Math.floorDiv(latestClosed, slideMs), slideMs), slideMs);
      Math.addExact(start, sizeMs);
      return OptionalLong.of(start);
    } catch (ArithmeticException outOfRange) {
      return OptionalLong.empty();
    }
  }

  /** What an inspection says of these windows; empty where that is more than 64 bits. */
  Optional<Inspection.Window> at(long watermarkMs) {
    OptionalLong start = firstOpenStart(watermarkMs);
    return start.isPresent()
        ? Optional.of(
            new Inspection.Window(
                written(sizeMs),
                written(slideMs),
                start.getAsLong(),
                start.getAsLong() + sizeMs,
                start.getAsLong()))
        : Optional.empty();
  }

  private static String written(long milliseconds) {
    Duration duration = Duration.ofMillis(milliseconds);
    if (milliseconds % 86_400_000L == 0) {
      return duration.toDays() + "d";
    }
    if (milliseconds % 3_600_000L == 0) {
      return duration.toHours() + "h";
    }
    if (milliseconds % 60_000L == 0) {
      return duration.toMinutes() + "m";
    }
    return milliseconds % 1_000L == 0 ? duration.toSeconds() + "s" : milliseconds + "ms";
  }
}
