package org.streammigrator.finding;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as users write them: a whole number and a unit, such as {@code 90m} or {@code 7d}. */
public final class DurationText {
  private static final Pattern DURATION = Pattern.compile("([0-9]{1,15})(ms|s|m|h|d)");

  private static final List<Map.Entry<String, String>> UNITS =
      List.of(
          Map.entry("d", "day"),
          Map.entry("h", "hour"),
          Map.entry("m", "minute"),
          Map.entry("s", "second"),
          Map.entry("ms", "millisecond"));

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

  /**
   * A duration as it is said in a sentence, exactly: {@code 5 minutes}, {@code 90 seconds}, {@code
   * 1 hour}.
   *
   * @param duration of whole milliseconds
   */
  public static String words(Duration duration) {
    long milliseconds = duration.toMillis();
    for (Map.Entry<String, String> unit : UNITS) {
      long size = millisecondsOf(unit.getKey());
      if (milliseconds != 0 && milliseconds % size == 0) {
        return number(milliseconds / size, unit.getValue());
      }
    }
    return number(milliseconds / 1000, "second");
  }

  private static String number(long count, String unit) {
    return count + " " + unit + (count == 1 ? "" : "s");
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
