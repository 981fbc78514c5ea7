package org.streammigrator.cli;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import org.streammigrator.finding.Exactness;
import org.streammigrator.position.TimestampStart;
import org.streammigrator.report.JsonOutput;
import org.streammigrator.report.TimestampStartText;
import picocli.CommandLine.Option;

/** The options of {@code resume} for those who have no checkpoint, only a time. */
final class TimeOptions {
  @Option(
      names = "--last-time",
      required = true,
      paramLabel = "TIME",
      description =
          "Without a checkpoint: the newest time in the sink, such as 2026-03-27T09:20:00Z. Never"
              + " exact.")
  private String lastTime;

  @Option(
      names = "--slack",
      paramLabel = "DURATION",
      description = "How much earlier than that to start, such as 30m.")
  private String slack;

  @Option(
      names = "--observed-lag",
      paramLabel = "DURATION",
      description =
          "The longest time between a record's own time and its arrival that was seen, such as"
              + " 1675s.")
  private String observedLag;

  int print(Session session, boolean json) {
    if (slack == null) {
      throw new CliFailure(
          ExitCode.USAGE,
          "--last-time needs --slack DURATION: records that are older than the newest one may"
              + " arrive after it, so the start has to lie earlier");
    }
    Optional<Duration> lag =
        Optional.ofNullable(observedLag).map(text -> DurationOption.parse("--observed-lag", text));
    TimestampStart start =
        TimestampStart.of(instant(), DurationOption.parse("--slack", slack), lag);
    if (json) {
      session.out().println(JsonOutput.pretty(start));
    } else {
      session.out().print(TimestampStartText.render(start));
    }
    return start.exactness() == Exactness.LOSS ? ExitCode.REFUSED : ExitCode.DONE;
  }

  private Instant instant() {
    String wanted =
        "--last-time " + lastTime + ": give date, time and zone, as in 2026-03-27T09:20:00Z";
    try {
      OffsetDateTime time = OffsetDateTime.parse(lastTime);
      if (time.getYear() < 1970 || time.getYear() > 9999) {
        throw new CliFailure(ExitCode.USAGE, wanted + ", of the years 1970 to 9999");
      }
      return time.toInstant();
    } catch (DateTimeParseException invalid) {
      throw new CliFailure(ExitCode.USAGE, wanted, invalid);
    }
  }
}
