package org.streammigrator.migration;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.streammigrator.databricks.JobsApiException;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.finding.Severity;
import org.streammigrator.plan.CutoverPlan;
import org.streammigrator.plan.JobPlan;
import org.streammigrator.plan.StreamPlan;
import org.streammigrator.plan.WatchFailure;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;

/** What apply does to the jobs of a stream, before and after its new checkpoint is written. */
final class JobPhases {
  /** What a checkpoint can look like while a batch is at work. */
  private static final Set<FindingCode> PASSING =
      EnumSet.of(
          FindingCode.PENDING_BATCH,
          FindingCode.OFFSETS_EMPTY,
          FindingCode.OFFSETS_CORRUPT,
          FindingCode.COMMIT_CORRUPT,
          FindingCode.CRC_MISMATCH,
          FindingCode.STATE_FILE_MISSING,
          FindingCode.SOURCE_LOG_INCOMPLETE,
          FindingCode.SINK_BEHIND,
          FindingCode.SINK_BATCHES_SKIPPED,
          FindingCode.ARCHIVE_BEHIND_SINK,
          FindingCode.FILE_SINK_LOG_AHEAD);

  private final Store store;
  private final Journal journal;
  private final Operator operator;
  private final ApplyEvents events;
  private final JobControl control;
  private final Set<FindingCode> accepted;

  JobPhases(
      Store store,
      Journal journal,
      Operator operator,
      ApplyEvents events,
      JobControl control,
      Set<FindingCode> accepted) {
    this.store = requireNonNull(store, "store");
    this.journal = requireNonNull(journal, "journal");
    this.operator = requireNonNull(operator, "operator");
    this.events = requireNonNull(events, "events");
    this.control = requireNonNull(control, "control");
    this.accepted = Set.copyOf(accepted);
  }

  /** Whether the old query's job is stopped here. */
  boolean stops(StreamPlan stream) {
    return control.old(stream).isPresent();
  }

  /**
   * Whether what speaks against a stream may be so only because its query runs: it is stopped then,
   * and looked at again.
   */
  boolean mayPass(StreamItinerary itinerary) throws IOException {
    Optional<JobPlan> job = control.old(itinerary.stream()).filter(plan -> plan.stop().isPresent());
    boolean isPassing =
        job.isPresent()
            && itinerary.findings().stream()
                .filter(finding -> finding.severity() == Severity.ERROR)
                .allMatch(finding -> PASSING.contains(finding.code()));
    if (!isPassing) {
      return false;
    }
    try {
      JobControl.Placed placed = control.find(job.get());
      return !placed.jobs().activeRuns(placed.job().id()).isEmpty();
    } catch (JobsApiException refused) {
      return false;
    }
  }

  /**
   * Stops the old query's job.
   *
   * @return how the stream ended; empty if it goes on
   */
  Optional<StreamOutcome> stop(StreamPlan stream, OperatorLock lock) throws IOException {
    Optional<JobPlan> job = control.old(stream);
    if (job.isEmpty()) {
      return Optional.empty();
    }
    Instant began = journal.now();
    Quiesce.Ended ended = new Quiesce(store, journal, control, guard(lock)).run(stream, job.get());
    events.stepStarted(stream.name(), ended.step());
    if (ended.waitingFor().isPresent()) {
      return Optional.of(
          outcome(
              stream,
              StreamOutcome.Status.QUIESCING,
              "the end of " + ended.waitingFor().get() + "; apply the plan again then",
              List.of()));
    }
    done(stream, ended.step(), began, ended.result());
    return Optional.empty();
  }

  /**
   * Switches the new query's job to the new checkpoint, and watches it.
   *
   * @return how the stream ended; empty if it goes on
   */
  Optional<StreamOutcome> cutOver(StreamPlan stream, OperatorLock lock) throws IOException {
    Optional<CutoverPlan> plan = control.next(stream);
    if (plan.isEmpty()) {
      return Optional.empty();
    }
    Location to = stream.checkpoint().to().orElseThrow();
    Cutover cutover = new Cutover(store, journal, control, guard(lock));
    if (!cutover.isDone(stream)) {
      if (cutover.isHeld(stream)) {
        return Optional.of(
            outcome(
                stream,
                StreamOutcome.Status.HELD,
                "the cutover, which is held: the new checkpoint is at "
                    + to
                    + "; apply the plan without --hold to go on",
                List.of()));
      }
      guard(lock).check();
      Instant began = journal.now();
      Cutover.Ended ended = cutover.run(stream, plan.get());
      events.stepStarted(stream.name(), ended.step());
      done(stream, ended.step(), began, ended.result());
    }
    Step step = JobSteps.watch(stream, plan.get());
    Instant began = journal.now();
    events.stepStarted(stream.name(), step);
    Watch.Ended watched = new Watch(store, journal, control, guard(lock)).run(stream, plan.get());
    return switch (watched.status()) {
      case SEEN -> {
        done(stream, step, began, watched.text());
        yield Optional.empty();
      }
      case WAITING ->
          Optional.of(
              outcome(
                  stream,
                  StreamOutcome.Status.WATCHED,
                  watched.text() + "; apply the plan again then",
                  List.of()));
      case FAILED -> Optional.of(failed(stream, plan.get(), watched.text()));
    };
  }

  private StreamOutcome failed(StreamPlan stream, CutoverPlan plan, String text) {
    boolean isBack = plan.watch().onFailure() == WatchFailure.ROLLBACK;
    Finding finding =
        Finding.error(
            FindingCode.CUTOVER_FAILED,
            "cutover",
            text,
            isBack
                ? "find out why, and apply the plan again"
                : "find out why; then apply the plan again, or roll back, which puts the jobs back");
    events.finding(stream.name(), finding);
    return outcome(
        stream,
        StreamOutcome.Status.NOT_VERIFIED,
        "the new query does not do what it should",
        List.of(finding));
  }

  /** Whether a stream that failed so is to be rolled back, once nothing holds its target. */
  boolean isToBeRolledBack(StreamPlan stream, StreamOutcome outcome) {
    return outcome.status() == StreamOutcome.Status.NOT_VERIFIED
        && outcome.findings().stream()
            .anyMatch(finding -> finding.code() == FindingCode.CUTOVER_FAILED)
        && control
            .next(stream)
            .filter(plan -> plan.watch().onFailure() == WatchFailure.ROLLBACK)
            .isPresent();
  }

  /** Rolls a stream back whose new query failed. */
  StreamOutcome rollBack(StreamPlan stream, StreamOutcome failed) {
    Set<FindingCode> taken = EnumSet.noneOf(FindingCode.class);
    taken.addAll(accepted);
    taken.addAll(stream.accept());
    RollbackOutcome back =
        new Rollback(store, journal, operator, taken, control).run(List.of(stream)).get(0);
    back.findings().forEach(finding -> events.finding(stream.name(), finding));
    return new StreamOutcome(
        stream.name(),
        failed.status(),
        failed.message() + "; rollback: " + back.status().label() + ", " + back.message(),
        failed.findings(),
        back.failure().map(Exception.class::cast));
  }

  private Quiesce.Guard guard(OperatorLock lock) {
    return () -> {
      operator.check();
      lock.check();
    };
  }

  private void done(StreamPlan stream, Step step, Instant began, String result) throws IOException {
    journal.append(
        Journal.entry("step-done", stream.name())
            .put("step", step.kind().label())
            .put("began", began.toString())
            .put("result", result));
    events.stepDone(stream.name(), step, result);
  }

  private static StreamOutcome outcome(
      StreamPlan stream, StreamOutcome.Status status, String message, List<Finding> findings) {
    return new StreamOutcome(stream.name(), status, message, findings, Optional.empty());
  }
}
