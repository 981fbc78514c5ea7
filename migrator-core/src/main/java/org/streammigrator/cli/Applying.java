package org.streammigrator.cli;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.streammigrator.authoring.CheckpointWriter;
import org.streammigrator.copy.CopyOptions;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.migration.Applier;
import org.streammigrator.migration.Backfilling;
import org.streammigrator.migration.Journal;
import org.streammigrator.migration.Operator;
import org.streammigrator.migration.PreCopier;
import org.streammigrator.migration.StreamOutcome;
import org.streammigrator.plan.RunPlan;
import org.streammigrator.plan.StreamPlan;
import org.streammigrator.report.ProgressDisplay;
import org.streammigrator.storage.Location;

/** Carries streams out and reports it, whichever command wants it. */
record Applying(
    Session session,
    OutputFormat output,
    ProgressOption progress,
    CopyFlags flags,
    Set<FindingCode> accepted,
    boolean takeOver,
    Manner manner) {

  /** In which manner a plan is carried out. */
  enum Manner {
    /** As it stands. */
    PLAIN,
    /** State is copied ahead, while the old query runs. */
    AHEAD,
    /** With the final run of a backfill now. */
    FINAL,
    /** Up to the cutover. */
    HELD,
    /** A scratch copy only. */
    REHEARSAL
  }

  /** The same in another session, with other findings accepted. */
  Applying with(Session other, Set<FindingCode> more) {
    return new Applying(other, output, progress, flags, more, takeOver, manner);
  }

  /** What has to hold once the plan's lock is held. */
  interface Condition {
    void check(Journal journal) throws IOException;
  }

  int run(
      String plan, List<StreamPlan> streams, List<StreamPlan> others, RunPlan run, Location place)
      throws IOException {
    return run(plan, streams, others, run, place, journal -> {});
  }

  int run(
      String plan,
      List<StreamPlan> streams,
      List<StreamPlan> others,
      RunPlan run,
      Location place,
      Condition condition)
      throws IOException {
    return carryOut(plan, streams, others, run, place, condition, true).exitCode();
  }

  /** How it ended. */
  record Ended(int exitCode, List<StreamOutcome> outcomes) {}

  /**
   * The same.
   *
   * @param isWhole whether the command ends with it, which is said then
   */
  Ended carryOut(
      String plan,
      List<StreamPlan> streams,
      List<StreamPlan> others,
      RunPlan run,
      Location place,
      Condition condition,
      boolean isWhole)
      throws IOException {
    CliContext context = session.context();
    CopyOptions options = flags.over(run.copy());
    ApplyOutput.ProgressLines lines = new ApplyOutput.ProgressLines(session.out());
    try (ProgressDisplay display =
            output.json() ? progress.events(lines) : progress.display(session);
        Operator operator =
            Operator.begin(context.store(), place, context.clock(), plan, takeOver)) {
      // What another operator wrote until now counts.
      Journal journal = Journal.open(context.store(), place, context.clock());
      condition.check(journal);
      ApplyOutput events =
          output.json()
              ? new ApplyOutput.Json(session.out(), lines, !progress.isOff(), display)
              : new ApplyOutput.Text(session.out(), progress.lines(session), display);
      CheckpointWriter writer =
          new CheckpointWriter(
              context.store(),
              options,
              journal.directory().toString(),
              events.progress(),
              Optional.empty());
      List<StreamOutcome> outcomes;
      if (manner == Manner.AHEAD) {
        outcomes = new PreCopier(context.store(), journal, operator, writer).run(streams);
        outcomes.forEach(events::streamEnded);
      } else {
        outcomes =
            new Applier(
                    context.store(),
                    journal,
                    operator,
                    context.ids(),
                    accepted,
                    events,
                    writer,
                    new Backfilling(session.jobs(), manner == Manner.FINAL),
                    manner == Manner.REHEARSAL,
                    session.jobControl(manner == Manner.HELD))
                .apply(streams, others, run.onFailure());
      }
      report(outcomes);
      int code = exitCode(outcomes);
      if (isWhole) {
        events.result(plan, code, outcomes);
      }
      return new Ended(code, outcomes);
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
    if (outcomes.stream().allMatch(o -> o.finished() || o.status() == StreamOutcome.Status.AHEAD)) {
      return ExitCode.DONE;
    }
    boolean waiting = outcomes.stream().allMatch(o -> o.finished() || o.isWaiting());
    if (waiting) {
      return ExitCode.WAITING;
    }
    if (outcomes.stream().anyMatch(o -> o.status() == StreamOutcome.Status.NOT_VERIFIED)) {
      return ExitCode.NOT_VERIFIED;
    }
    boolean stopped = outcomes.stream().anyMatch(o -> o.status() == StreamOutcome.Status.STOPPED);
    boolean someDone =
        outcomes.stream()
            .anyMatch(
                o ->
                    o.finished()
                        || o.status() == StreamOutcome.Status.AHEAD
                        || o.status() == StreamOutcome.Status.HELD
                        || o.status() == StreamOutcome.Status.WATCHED);
    return stopped || someDone ? ExitCode.STOPPED : ExitCode.REFUSED;
  }
}
