package org.streammigrator.cli;

import static java.util.Objects.requireNonNull;

import java.io.Closeable;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.streammigrator.migration.Applier;
import org.streammigrator.migration.Journal;
import org.streammigrator.migration.StreamOutcome;
import org.streammigrator.plan.Plan;
import org.streammigrator.plan.StreamPlan;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code migrator apply}. */
@Command(
    name = "apply",
    description = "Carries a plan out. After a crash, run it again: it goes on where it stopped.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Exit codes: 0 done, 2 invalid plan, 3 refused, 5 stopped (run it again).",
      "",
      "Example: migrator apply orders.yaml --stream 'orders_*'"
    })
final class ApplyCommand implements Callable<Integer> {
  private final Session session;

  @Mixin private OutputFormat output;

  @Mixin private PlanFile file;

  @Mixin private Acceptance acceptance;

  ApplyCommand(Session session) {
    this.session = requireNonNull(session, "session");
  }

  @Override
  public Integer call() throws Exception {
    Plan plan = file.plan(session);
    List<StreamPlan> streams = PlanFile.chosen(plan, acceptance.streams());
    List<StreamPlan> others =
        plan.streams().stream().filter(stream -> !streams.contains(stream)).toList();
    Journal journal = file.journal(session, plan);
    ApplyOutput events =
        output.json() ? new ApplyOutput.Json(session.out()) : new ApplyOutput.Text(session.out());
    Optional<Closeable> lock = journal.lock();
    if (lock.isEmpty()) {
      throw new CliFailure(
          ExitCode.REFUSED,
          "another process is applying this plan right now (it holds "
              + journal.directory()
              + "/lock); wait for it to end");
    }
    try (Closeable held = lock.get()) {
      List<StreamOutcome> outcomes =
          new Applier(
                  session.context().store(),
                  journal,
                  session.context().ids(),
                  acceptance.accepted(),
                  events)
              .apply(streams, others, plan.run().onFailure());
      report(outcomes);
      int code = exitCode(outcomes);
      events.result(plan.name(), code, outcomes);
      return code;
    }
  }

  private void report(List<StreamOutcome> outcomes) {
    for (StreamOutcome outcome : outcomes) {
      outcome
          .failure()
          .ifPresent(
              failure ->
                  session
                      .err()
                      .println("migrator: " + outcome.name() + ": " + Failures.describe(failure)));
    }
  }

  private static int exitCode(List<StreamOutcome> outcomes) {
    if (outcomes.stream().allMatch(StreamOutcome::finished)) {
      return ExitCode.DONE;
    }
    boolean stopped = outcomes.stream().anyMatch(o -> o.status() == StreamOutcome.Status.STOPPED);
    boolean someDone = outcomes.stream().anyMatch(StreamOutcome::finished);
    return stopped || someDone ? ExitCode.STOPPED : ExitCode.REFUSED;
  }
}
