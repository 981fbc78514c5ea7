package org.streammigrator.migration;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.checkpoint.OffsetHeader;
import org.streammigrator.checkpoint.OffsetLog;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.job.InvalidJobSpecException;
import org.streammigrator.job.JobFailedException;
import org.streammigrator.job.JobRunner;
import org.streammigrator.job.StateResult;
import org.streammigrator.job.StateSpec;
import org.streammigrator.plan.ChangeKind;
import org.streammigrator.plan.ChangePlan;
import org.streammigrator.plan.OperatorKind;
import org.streammigrator.plan.OperatorPlan;
import org.streammigrator.plan.RunnerKind;
import org.streammigrator.plan.RunnerPlan;
import org.streammigrator.plan.StreamPlan;
import org.streammigrator.replay.OpenSessions;
import org.streammigrator.storage.Location;

/** What is asked of state that only Spark can read. */
final class StateJobs {
  /** As Spark calls the operator of session windows. */
  private static final String SESSION = "sessionWindowStateStoreSaveExec";

  /** Changes after which other keys of state are right ones. */
  private static final Set<ChangeKind> OTHER_KEYS =
      EnumSet.of(
          ChangeKind.SOURCE_ADDED,
          ChangeKind.SOURCE_REMOVED,
          ChangeKind.FILTER,
          ChangeKind.GROUPING,
          ChangeKind.WINDOW,
          ChangeKind.DEDUPE_KEYS,
          ChangeKind.JOIN);

  private final Supplier<JobRunner> jobs;
  private final Map<StateSpec, StateResult> known = new HashMap<>();

  /**
   * @param jobs where they run; asked only where one is to run
   */
  StateJobs(Supplier<JobRunner> jobs) {
    this.jobs = requireNonNull(jobs, "jobs");
  }

  /**
   * Where the session windows begin that a query had open after a batch, or earlier: what a batch
   * did whose state is not committed is not known, but which rows it may have taken.
   */
  OpenSessions openSessions(StreamPlan stream, Checkpoint checkpoint, long position) {
    Optional<OperatorPlan> session =
        stream.query().operators().stream()
            .filter(operator -> operator.kind() == OperatorKind.SESSION)
            .findFirst();
    if (session.isEmpty()) {
      return OpenSessions.NONE;
    }
    long committed = checkpoint.lastCommitted().orElse(-1);
    long batch = Math.min(position, committed);
    if (!Runners.reaches(stream.runner(), checkpoint.location())) {
      return OpenSessions.unknown(
          notReached(stream.runner()) + ", and " + checkpoint.location() + " is none");
    }
    if (batch < 0) {
      return OpenSessions.unknown("no batch of it is committed");
    }
    Optional<Duration> gap = session.get().gap().filter(fixed -> !session.get().dynamicGap());
    if (batch < position && gap.isEmpty()) {
      return OpenSessions.unknown(
          "batch "
              + position
              + " is done and its state is not committed, and with a gap that depends on the row"
              + " nothing tells which rows it took; let the old query commit it");
    }
    try {
      StateSpec spec = new StateSpec(state(checkpoint.location(), batch), null, null);
      List<StateResult.Operator> sessions =
          known
              .computeIfAbsent(
                  spec, asked -> jobs.get().state(asked, Runners.comparing(stream.runner())))
              .operators()
              .stream()
              .filter(operator -> operator.name().equals(SESSION))
              .toList();
      if (sessions.isEmpty()) {
        return OpenSessions.unknown("it had no session windows");
      }
      Instant earliest =
          sessions.stream()
              .map(StateResult.Operator::earliestSession)
              .filter(Objects::nonNull)
              .min(Instant::compareTo)
              .orElse(null);
      return new OpenSessions(
          batch == position ? earliest : earlier(earliest, checkpoint, batch, gap.orElseThrow()),
          null);
    } catch (InvalidJobSpecException | JobFailedException unreadable) {
      return OpenSessions.unknown(unreadable.getMessage());
    }
  }

  /**
   * The start of the oldest row that the batch after this one may have taken, if that is earlier.
   */
  private static Instant earlier(
      Instant earliest, Checkpoint checkpoint, long batch, Duration gap) {
    long watermark =
        checkpoint
            .offsets()
            .file(batch)
            .readable()
            .flatMap(OffsetLog::header)
            .map(OffsetHeader::batchWatermarkMs)
            .orElse(0L);
    Instant taken = Instant.ofEpochMilli(watermark).minus(gap);
    return earliest != null && earliest.isBefore(taken) ? earliest : taken;
  }

  /**
   * Whether a batch has rebuilt the state that another query had.
   *
   * @param from the old checkpoint
   * @param isThere whether the old checkpoint still is
   * @param old the batch after which its state is compared
   * @param isCommitted whether the old query has committed it; what it left may be half-written
   *     otherwise
   * @param to the new checkpoint
   * @param batch the batch that rebuilt it, committed
   * @param mayCountLateRows whether the new state may hold entries of rows that the old query
   *     dropped as late
   */
  List<Finding> compare(
      StreamPlan stream,
      Location from,
      boolean isThere,
      long old,
      boolean isCommitted,
      Location to,
      long batch,
      boolean mayCountLateRows) {
    boolean isStrict =
        stream.query().operators().stream()
            .anyMatch(operator -> operator.kind() == OperatorKind.SESSION);
    if (!Runners.reaches(stream.runner(), from) || !Runners.reaches(stream.runner(), to)) {
      return List.of(notCompared(isStrict, notReached(stream.runner())));
    }
    if (!isThere) {
      return List.of(notCompared(true, "the old checkpoint " + from + " is gone"));
    }
    if (!isCommitted) {
      return List.of(
          notCompared(
              isStrict,
              "the old query has not committed batch "
                  + old
                  + ", whose rows are in the sink, and nothing reads the state that it left"));
    }
    StateResult result;
    try {
      result =
          jobs.get()
              .state(
                  new StateSpec(state(from, old), state(to, batch), null),
                  Runners.comparing(stream.runner()));
    } catch (InvalidJobSpecException invalid) {
      return List.of(notCompared(isStrict, invalid.getMessage()));
    } catch (JobFailedException failed) {
      return List.of(notCompared(true, failed.getMessage()));
    }
    List<Finding> findings = new ArrayList<>();
    List<String> declared =
        stream.changes().stream()
            .map(ChangePlan::kind)
            .filter(OTHER_KEYS::contains)
            .map(ChangeKind::label)
            .distinct()
            .toList();
    if (result.notCompared() != null) {
      findings.add(notCompared(isStrict, result.notCompared()));
    }
    for (StateResult.Operator operator : result.operators()) {
      StateResult.Comparison comparison = operator.comparison();
      if (comparison != null && comparison.notCompared() != null) {
        findings.add(notCompared(isStrict, subject(operator) + ": " + comparison.notCompared()));
      } else if (comparison != null && !comparison.isSame()) {
        findings.add(
            differs(
                operator,
                batch,
                isStrict || declared.isEmpty()
                    ? mayCountLateRows && !isStrict && comparison.missing() == 0
                        ? Optional.of("these may come from rows that the old query dropped as late")
                        : Optional.empty()
                    : Optional.of("the plan declares " + String.join(", ", declared))));
      }
    }
    return findings;
  }

  private static StateSpec.State state(Location checkpoint, long batch) {
    return new StateSpec.State(
        checkpoint.isLocal() ? checkpoint.localPath().toString() : checkpoint.toString(), batch);
  }

  private static String notReached(RunnerPlan runner) {
    return runner.kind() == RunnerKind.DATABRICKS
        ? "the runner databricks reads the state of no local checkpoints"
        : "this version reads the state of local checkpoints only, but with the runner databricks";
  }

  private static String subject(StateResult.Operator operator) {
    return "operator " + operator.operator() + " (" + operator.name() + ")";
  }

  private static Finding notCompared(boolean isStrict, String why) {
    String message =
        "whether the rebuilt state has the keys that the old one had cannot be told: " + why;
    return isStrict
        ? Finding.error(
            FindingCode.REPLAY_NOT_VERIFIED,
            "state",
            message,
            "mend that and apply again; or accept REPLAY_NOT_VERIFIED")
        : Finding.info(
            FindingCode.REPLAY_NOT_VERIFIED,
            "state",
            message,
            "nothing to do, where the keys were to change; prove compares the sink");
  }

  private static Finding differs(
      StateResult.Operator operator, long batch, Optional<String> reason) {
    StateResult.Comparison comparison = operator.comparison();
    String message =
        subject(operator)
            + ": of "
            + operator.entries()
            + " keys that the old state had, the one that batch "
            + batch
            + " rebuilt lacks "
            + some(comparison.missing(), comparison.examples().missing())
            + ", and it has "
            + some(comparison.extra(), comparison.examples().extra())
            + " that the old one had not";
    return reason.isPresent()
        ? Finding.warning(
            FindingCode.REPLAY_NOT_VERIFIED,
            "state",
            message + "; " + reason.get(),
            "nothing to do, unless something else can be the cause")
        : Finding.error(
            FindingCode.REPLAY_NOT_VERIFIED,
            "state",
            message,
            "if the new query has other keys on purpose, declare the change in `changes` or accept"
                + " REPLAY_NOT_VERIFIED; else roll back,"
                + " correct `query.operators` or the query, and"
                + " apply again");
  }

  private static String some(long number, List<String> examples) {
    return number + (examples.isEmpty() ? "" : " (such as " + String.join(", ", examples) + ")");
  }
}
