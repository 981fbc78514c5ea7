package org.streammigrator.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.streammigrator.authoring.CheckpointWriter;
import org.streammigrator.copy.CopyOptions;
import org.streammigrator.copy.CopyProgress;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.migration.Applier;
import org.streammigrator.migration.Backfilling;
import org.streammigrator.migration.Checksums;
import org.streammigrator.migration.Fleet;
import org.streammigrator.migration.JobControl;
import org.streammigrator.migration.Journal;
import org.streammigrator.migration.Operator;
import org.streammigrator.migration.PreCopier;
import org.streammigrator.migration.StreamOutcome;
import org.streammigrator.migration.StreamPlanner;
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
    try (Operator operator =
        Operator.begin(context.store(), place, context.clock(), plan, takeOver)) {
      // What another operator wrote until now counts.
      Journal journal = Journal.open(context.store(), place, context.clock());
      condition.check(journal);
      Running running =
          new Running(
              journal,
              operator,
              flags.over(run.copy()),
              session.jobControl(manner == Manner.HELD),
              streams.size() > 1 && run.parallelism() > 1,
              new ApplyOutput.Written());
      List<StreamOutcome> outcomes =
          manner == Manner.AHEAD
              ? ahead(streams, running)
              : new Fleet(run, work(running)).run(streams, unfinished(others, running));
      report(outcomes);
      int code = exitCode(outcomes);
      if (isWhole) {
        output("", CopyProgress.NONE, running).result(plan, code, outcomes);
      }
      return new Ended(code, outcomes);
    }
  }

  /**
   * What the streams of one command have in common.
   *
   * @param isMixed whether several may be carried out at a time
   */
  private record Running(
      Journal journal,
      Operator operator,
      CopyOptions options,
      JobControl control,
      boolean isMixed,
      ApplyOutput.Written written) {}

  private Set<String> unfinished(List<StreamPlan> others, Running running) throws IOException {
    CliContext context = session.context();
    StreamPlanner planner =
        new StreamPlanner(
            context.store(),
            running.journal(),
            accepted,
            Checksums.COMPARED_LATER,
            session.jobs(),
            running.control());
    Set<String> unfinished = new HashSet<>();
    for (StreamPlan other : others) {
      if (!planner.done(other)) {
        unfinished.add(other.name());
      }
    }
    return unfinished;
  }

  private Fleet.Work work(Running running) {
    return new Fleet.Work() {
      @Override
      public StreamOutcome carryOut(StreamPlan stream) {
        try (ProgressDisplay display = display(stream.name(), running)) {
          ApplyOutput events = output(stream.name(), display, running);
          StreamOutcome outcome = applier(events, running).apply(stream);
          events.streamEnded(outcome);
          return outcome;
        }
      }

      @Override
      public void left(StreamOutcome outcome) {
        output(outcome.name(), CopyProgress.NONE, running).streamEnded(outcome);
      }
    };
  }

  private List<StreamOutcome> ahead(List<StreamPlan> streams, Running running) {
    List<StreamOutcome> outcomes = new ArrayList<>();
    for (StreamPlan stream : streams) {
      try (ProgressDisplay display = display(stream.name(), running)) {
        ApplyOutput events = output(stream.name(), display, running);
        outcomes.addAll(
            new PreCopier(
                    session.context().store(),
                    running.journal(),
                    running.operator(),
                    writer(events, running))
                .run(List.of(stream)));
      }
    }
    outcomes.forEach(
        outcome -> output(outcome.name(), CopyProgress.NONE, running).streamEnded(outcome));
    return outcomes;
  }

  private Applier applier(ApplyOutput events, Running running) {
    CliContext context = session.context();
    return new Applier(
        context.store(),
        running.journal(),
        running.operator(),
        context.ids(),
        accepted,
        events,
        writer(events, running),
        new Backfilling(session.jobs(), manner == Manner.FINAL),
        manner == Manner.REHEARSAL,
        running.control());
  }

  private CheckpointWriter writer(ApplyOutput events, Running running) {
    return new CheckpointWriter(
        session.context().store(),
        running.options(),
        running.journal().directory().toString(),
        events.progress(),
        Optional.empty());
  }

  private ProgressDisplay display(String stream, Running running) {
    return output.json()
        ? progress.events(new ApplyOutput.ProgressLines(session.out(), stream))
        : running.isMixed() ? progress.display(session, stream) : progress.display(session);
  }

  private ApplyOutput output(String stream, CopyProgress told, Running running) {
    return output.json()
        ? new ApplyOutput.Json(session.out(), stream, !progress.isOff(), told, running.written())
        : new ApplyOutput.Text(
            session.out(),
            progress.lines(session, running.isMixed() ? stream + ": " : ""),
            told,
            running.written());
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
