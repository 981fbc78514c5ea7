package org.streammigrator.cli;

import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Until when an archive is to be kept. */
final class KeepOptions {
  @Option(
      names = "--keep-until",
      paramLabel = "DATE",
      description = "Note that the archive is to be kept until this day (UTC), as 2027-12-31.")
  private String until;

  @Option(
      names = "--keep-for",
      paramLabel = "DURATION",
      description = "The same, counted from today, as 365d.")
  private String duration;

  boolean isGiven() {
    return until != null || duration != null;
  }

  /** The day; empty if none was given. */
  Optional<LocalDate> until(Clock clock) {
    if (until != null && duration != null) {
      throw new CliFailure(ExitCode.USAGE, "give --keep-until or --keep-for, not both");
    }
    LocalDate date = null;
    try {
      if (until != null) {
        date = LocalDate.parse(until);
      } else if (duration != null) {
        Duration length = DurationOption.parse("--keep-for", duration);
        date = clock.instant().plus(length).atZone(ZoneOffset.UTC).toLocalDate();
      }
    } catch (DateTimeException | ArithmeticException invalid) {
      throw new CliFailure(
          ExitCode.USAGE, "give a day as in 2027-12-31, or a duration as in 365d", invalid);
    }
    if (date != null && (date.getYear() < 1000 || date.getYear() > 9999)) {
      throw new CliFailure(ExitCode.USAGE, "the year of " + date + " has not four digits");
    }
    return Optional.ofNullable(date);
  }
}
