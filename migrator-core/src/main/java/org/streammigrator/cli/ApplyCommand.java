package org.streammigrator.cli;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.streammigrator.migration.Checksums;
import org.streammigrator.migration.Journal;
import org.streammigrator.migration.SavedPlan;
import org.streammigrator.migration.StreamItinerary;
import org.streammigrator.migration.StreamPlanner;
import org.streammigrator.plan.Plan;
import org.streammigrator.plan.StreamPlan;
import org.streammigrator.storage.ReadOnlyStore;
import org.streammigrator.storage.Store;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code migrator apply}. */
@Command(
    name = "apply",
    description = "Carries a plan out. After a crash, run it again: it goes on where it stopped.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Exit codes: 0 done, 2 invalid plan, 3 refused, 4 a saved plan is stale,",
      "5 stopped (run it again), 6 the batch that rebuilds the state of a replay did not leave",
      "it whole, or the new query failed while it was watched, 7 waiting: for another stream, for",
      "the new query of a backfill, for the batch of a replay whose output goes elsewhere, for the",
      "end of a run, for a cutover that is held, or for the batches of a new query.",
      "",
      "Example: migrator apply orders.yaml --stream 'orders_*'"
    })
final class ApplyCommand implements Callable<Integer> {
  private final Session session;

  @Mixin private OutputFormat output;

  @Mixin private ProgressOption progress;

  @Mixin private CopyFlags flags;

  @Mixin private PlanFile file;

  @Mixin private Acceptance acceptance;

  @Option(
      names = "--take-over",
      description =
          "Put out another operator that holds the plan or a target and surely has ended.")
  private boolean takeOver;

  @Option(
      names = "--pre-copy",
      description = {
        "While the old query still runs: copy its state ahead. Start nothing from that;",
        "the apply that follows the query's stop copies only what is new."
      })
  private boolean preCopy;

  @Option(
      names = "--final",
      description =
          "Strategy backfill: make the final run now, wherever the new query's watermark is.")
  private boolean isFinal;

  @Option(
      names = "--hold",
      description = "Stop right before the cutover; an apply without it goes on.")
  private boolean hold;

  ApplyCommand(Session session) {
    this.session = requireNonNull(session, "session");
  }

  @Override
  public Integer call() throws Exception {
    Plan plan = file.plan(session);
    List<StreamPlan> streams = PlanFile.chosen(plan, acceptance.streams());
    List<StreamPlan> others =
        plan.streams().stream().filter(stream -> !streams.contains(stream)).toList();
    return new Applying(session, output, progress, flags, acceptance.accepted(), takeOver, manner())
        .run(
            plan.name(),
            streams,
            others,
            plan.run(),
            file.journalPlace(session, plan),
            journal -> refuseStale(journal, streams));
  }

  private Applying.Manner manner() {
    if ((preCopy ? 1 : 0) + (isFinal ? 1 : 0) + (hold ? 1 : 0) > 1) {
      throw new CliFailure(
          ExitCode.USAGE, "--pre-copy, --final and --hold exclude each other: give one of them");
    }
    return preCopy
        ? Applying.Manner.AHEAD
        : hold ? Applying.Manner.HELD : isFinal ? Applying.Manner.FINAL : Applying.Manner.PLAIN;
  }

  /** A saved plan is carried out only on what it was made for. */
  private void refuseStale(Journal journal, List<StreamPlan> streams) throws IOException {
    Optional<SavedPlan> saved = file.saved(session);
    if (saved.isEmpty()) {
      return;
    }
    Store store = new ReadOnlyStore(session.context().store());
    StreamPlanner planner =
        new StreamPlanner(
            store, journal, acceptance.accepted(), Checksums.COMPARED_LATER, session.jobs());
    List<StreamItinerary> now = new ArrayList<>();
    for (StreamPlan stream : streams) {
      now.add(planner.survey(stream));
    }
    List<String> changes = SavedPlans.changes(saved.get(), store, journal, now);
    if (!changes.isEmpty()) {
      throw new CliFailure(
          ExitCode.STALE,
          "the saved plan no longer fits; nothing was written"
              + ShowCommand.staleText(changes).stripTrailing());
    }
  }
}
