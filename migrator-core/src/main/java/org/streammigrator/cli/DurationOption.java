package org.streammigrator.cli;

import java.time.Duration;
import org.streammigrator.finding.DurationText;

/** Options whose value is a duration, such as {@code 90m}, {@code 12h} or {@code 7d}. */
final class DurationOption {
  private DurationOption() {}

  static Duration parse(String option, String text) {
    try {
      return DurationText.parse(text)
          .orElseThrow(
              () ->
                  new CliFailure(
                      ExitCode.USAGE,
                      option
                          + " "
                          + text
                          + ": give a whole number and a unit: ms, s, m, h or d, as in 7d"));
    } catch (ArithmeticException tooLong) {
      throw new CliFailure(ExitCode.USAGE, option + " " + text + " is too long", tooLong);
    }
  }
}
