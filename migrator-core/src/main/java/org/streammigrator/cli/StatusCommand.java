package org.streammigrator.cli;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.Callable;
import org.streammigrator.migration.StatusReport;
import org.streammigrator.plan.Plan;
import org.streammigrator.report.JsonOutput;
import org.streammigrator.report.TextTable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code migrator status}. */
@Command(
    name = "status",
    description = "Where an apply stands, from its journal.",
    mixinStandardHelpOptions = true,
    footer = {"", "Example: migrator status orders.yaml"})
final class StatusCommand implements Callable<Integer> {
  private final Session session;

  @Mixin private OutputFormat output;

  @Mixin private PlanFile file;

  StatusCommand(Session session) {
    this.session = requireNonNull(session, "session");
  }

  @Override
  public Integer call() throws Exception {
    Plan plan = file.plan(session);
    StatusReport report =
        StatusReport.of(session.context().store(), plan, file.journal(session, plan));
    if (output.json()) {
      session.out().println(JsonOutput.pretty(report));
      return ExitCode.DONE;
    }
    session.out().println("Plan " + report.plan() + ", journal " + report.journal());
    if (report.operator() != null) {
      session
          .out()
          .println(
              (report.operatorAtWork() ? "At work: " : "Left behind by an ended process: ")
                  + report.operator());
    }
    TextTable table = new TextTable();
    for (StatusReport.StreamStatus stream : report.streams()) {
      table.row(
          stream.name(),
          stream.state(),
          stream.lastActivity() == null ? "" : "last activity " + toTheSecond(stream));
    }
    List<String> lines = table.render("  ").lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      session.out().println(lines.get(i));
      session.out().println("    next: " + report.streams().get(i).next());
    }
    return ExitCode.DONE;
  }

  private static Instant toTheSecond(StatusReport.StreamStatus stream) {
    return Instant.parse(stream.lastActivity()).truncatedTo(ChronoUnit.SECONDS);
  }
}
