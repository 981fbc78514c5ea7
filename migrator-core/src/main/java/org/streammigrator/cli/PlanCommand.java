package org.streammigrator.cli;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.streammigrator.migration.PlanReport;
import org.streammigrator.migration.StreamItinerary;
import org.streammigrator.migration.StreamPlanner;
import org.streammigrator.plan.Plan;
import org.streammigrator.plan.StreamPlan;
import org.streammigrator.report.JsonOutput;
import org.streammigrator.report.PlanText;
import org.streammigrator.storage.ReadOnlyStore;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code migrator plan}: the dry run. */
@Command(
    name = "plan",
    description = "Dry run: every read and check of the real run, and no write.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Exit codes: 0 done, 2 invalid plan, 3 a stream is refused;",
      "with --detailed-exitcode 0 nothing to do, 10 something to do.",
      "",
      "Example: migrator plan orders.yaml -o json"
    })
final class PlanCommand implements Callable<Integer> {
  private final Session session;

  @Mixin private OutputFormat output;

  @Mixin private PlanFile file;

  @Mixin private Acceptance acceptance;

  @Option(
      names = "--detailed-exitcode",
      description = "End with 0 if nothing is to be done and 10 if something is.")
  private boolean detailed;

  PlanCommand(Session session) {
    this.session = requireNonNull(session, "session");
  }

  @Override
  public Integer call() throws Exception {
    Plan plan = file.plan(session);
    StreamPlanner planner =
        new StreamPlanner(
            new ReadOnlyStore(session.context().store()),
            file.journal(session, plan),
            acceptance.accepted());
    List<StreamItinerary> streams = new ArrayList<>();
    for (StreamPlan stream : StreamPlanner.ordered(PlanFile.chosen(plan, acceptance.streams()))) {
      streams.add(planner.plan(stream));
    }
    PlanReport report = new PlanReport(plan.name(), streams);
    session.out().print(output.json() ? JsonOutput.pretty(report) + "\n" : PlanText.render(report));
    if (report.summary().refused() > 0) {
      return ExitCode.REFUSED;
    }
    return detailed && report.summary().steps() > 0 ? ExitCode.SOMETHING_TO_DO : ExitCode.DONE;
  }
}
