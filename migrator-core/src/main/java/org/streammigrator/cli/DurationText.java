package org.streammigrator.cli;

import java.time.Duration;
import java.util.Map;

/** Durations on the command line, such as {@code 90m}, {@code 12h} or {@code 7d}. */
final class DurationText {
  private static final Map<String, Duration> UNITS =
      Map.of(
          "ms", Duration.ofMillis(1),
          "s", Duration.ofSeconds(1),
          "m", Duration.ofMinutes(1),
          "h", Duration.ofHours(1),
          "d", Duration.ofDays(1));

  private DurationText() {}

  static Duration parse(String option, String text) {
    String number = text.replaceAll("[a-z]*$", "");
    Duration unit = UNITS.get(text.substring(number.length()));
    if (unit == null || !number.matches("[0-9]{1,9}")) {
      throw new CliFailure(
          ExitCode.USAGE,
          option
              + " "
              + text
              + ": give a whole number and a unit: ms, s, m, h or d, as in 15m or 7d");
    }
    return unit.multipliedBy(Long.parseLong(number));
  }
}
