package org.streammigrator.cli;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.streammigrator.migration.Checksums;
import org.streammigrator.migration.DataFlow;
import org.streammigrator.migration.Journal;
import org.streammigrator.migration.PlanReport;
import org.streammigrator.migration.SavedPlan;
import org.streammigrator.migration.StreamItinerary;
import org.streammigrator.migration.StreamPlanner;
import org.streammigrator.plan.Plan;
import org.streammigrator.plan.StreamPlan;
import org.streammigrator.report.JsonOutput;
import org.streammigrator.report.PlanText;
import org.streammigrator.storage.ReadOnlyStore;
import org.streammigrator.storage.Store;
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
      "Exit codes: 0 done, 2 invalid plan, 3 a stream is refused, 4 a saved plan is stale;",
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
      names = "--out",
      paramLabel = "FILE",
      description = "Save the plan as resolved to a new file, which apply takes.")
  private String out;

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
    if (out != null && acceptance.streams().isPresent()) {
      throw new CliFailure(ExitCode.USAGE, "--out saves the whole plan; leave --stream out");
    }
    if (out != null) {
      PlanFile.refuseInside(
          session.location(out),
          plan,
          "--out " + out,
          "the saved plan",
          "name a place outside of it");
    }
    Store store = new ReadOnlyStore(session.context().store());
    Journal journal = file.journal(session, plan);
    StreamPlanner planner =
        new StreamPlanner(
            store,
            journal,
            acceptance.accepted(),
            Checksums.COMPARED,
            session.jobs(),
            session.jobControl(false));
    List<StreamItinerary> streams = new ArrayList<>();
    for (StreamPlan stream : StreamPlanner.ordered(PlanFile.chosen(plan, acceptance.streams()))) {
      streams.add(planner.plan(stream));
    }
    PlanReport report = new PlanReport(plan.name(), new DataFlow(store).checked(streams));
    if (file.saved(session).isPresent()) {
      SavedPlan saved = file.saved(session).get();
      List<String> changes = SavedPlans.changes(session, file, saved, store, journal, streams);
      if (!changes.isEmpty()) {
        return stale(saved, changes);
      }
    }
    if (out != null) {
      SavedPlans.write(session, session.location(out), file, plan, report);
    }
    session.out().print(output.json() ? JsonOutput.pretty(report) + "\n" : PlanText.render(report));
    if (report.summary().refused() > 0) {
      return ExitCode.REFUSED;
    }
    return detailed && report.summary().steps() > 0 ? ExitCode.SOMETHING_TO_DO : ExitCode.DONE;
  }

  private int stale(SavedPlan saved, List<String> changes) {
    if (output.json()) {
      ObjectNode report = saved.report().deepCopy();
      report.set("stale", JsonOutput.tree(changes));
      session.out().println(JsonOutput.pretty(report));
    } else {
      session.out().print(saved.display());
    }
    session
        .err()
        .println(
            "migrator: the saved plan no longer fits"
                + ShowCommand.staleText(changes).stripTrailing());
    return ExitCode.STALE;
  }
}
