package org.streammigrator.migration;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.streammigrator.copy.RefusedException;
import org.streammigrator.databricks.JobRun;
import org.streammigrator.databricks.JobTrigger;
import org.streammigrator.databricks.JobsApiException;
import org.streammigrator.databricks.RunEnd;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.plan.JobPlan;
import org.streammigrator.plan.JobStop;
import org.streammigrator.plan.StreamPlan;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;

/**
 * Stops the old query's job, and proves that it has stopped: no run is active, and nothing new is
 * in {@code offsets/} and {@code commits/} of the old checkpoint, before and after a time in which
 * a query would have written.
 *
 * <p>What is changed in the job is journalled before, as it was. May be done again after a crash at
 * any moment.
 */
final class Quiesce {
  /** The journal's event that tells what was changed in the job. */
  static final String EVENT = "quiesce";

  private final Store store;
  private final Journal journal;
  private final JobControl control;
  private final Guard check;

  /** What is asked before each wait and each change. */
  interface Guard {
    void check() throws IOException;
  }

  Quiesce(Store store, Journal journal, JobControl control, Guard check) {
    this.store = requireNonNull(store, "store");
    this.journal = requireNonNull(journal, "journal");
    this.control = requireNonNull(control, "control");
    this.check = requireNonNull(check, "check");
  }

  /**
   * Stops it.
   *
   * @param result that in words, once it is proved
   * @param waitingFor what has not ended within the limit; empty if it has stopped
   */
  record Ended(Step step, String result, Optional<String> waitingFor) {}

  /**
   * Stops a stream's job.
   *
   * @throws RefusedException if a run is active that the plan does not say how to stop, or somebody
   *     else writes the old checkpoint
   * @throws IOException if the workspace or storage fails
   */
  Ended run(StreamPlan stream, JobPlan plan) throws IOException {
    JobControl.Placed placed;
    List<JobRun> active;
    try {
      placed = control.find(plan);
      active = placed.jobs().activeRuns(placed.job().id());
    } catch (JobsApiException refused) {
      throw new RefusedException(JobSurvey.notFound("job", refused));
    }
    Step step = JobSteps.quiesce(stream, plan, placed, active);
    if (plan.stop().isEmpty()) {
      refuse(placed, active);
    } else {
      pause(stream, plan, placed);
    }
    Instant until = control.waits().now().plus(plan.timeout());
    int stopped = 0;
    while (true) {
      for (JobRun run : active) {
        check.check();
        Duration left = Duration.between(control.waits().now(), until);
        Optional<JobRun> late = stop(plan, placed, run, left);
        if (late.isPresent()) {
          return new Ended(step, "", Optional.of(late.get().text() + " of " + placed.text()));
        }
        stopped++;
      }
      List<String> before = logs(stream.checkpoint().from());
      control.waits().pause(plan.settle());
      check.check();
      active = placed.jobs().activeRuns(placed.job().id());
      boolean isQuiet = logs(stream.checkpoint().from()).equals(before);
      if (active.isEmpty() && isQuiet) {
        placed = control.find(plan);
        boolean isPaused = placed.job().trigger().filter(t -> !t.isPaused()).isEmpty();
        if (plan.stop().isEmpty() || isPaused) {
          return new Ended(step, proved(plan, placed, stopped), Optional.empty());
        }
        // Somebody has given it a trigger meanwhile.
        pause(stream, plan, placed);
      }
      if (plan.stop().isEmpty()) {
        refuse(placed, active);
      }
      if (!control.waits().now().isBefore(until)) {
        if (!isQuiet && active.isEmpty()) {
          throw new RefusedException(written(stream, placed));
        }
        return new Ended(step, "", Optional.of(text(active) + " of " + placed.text()));
      }
    }
  }

  /** Lets nothing start it again, once that is journalled. */
  private void pause(StreamPlan stream, JobPlan plan, JobControl.Placed placed) throws IOException {
    Optional<JsonNode> begun = journal.last(stream.name(), EVENT);
    if (begun.filter(entry -> !Cutover.isOf(entry, placed)).isPresent()) {
      throw new RefusedException(Cutover.anotherJob("job", begun.get(), placed));
    }
    JobSettings change = begun.map(JobSettings::of).orElseGet(JobSettings::none);
    // On a rerun somebody may have given the job another trigger.
    Optional<JobTrigger> trigger =
        placed.job().trigger().filter(t -> !t.isPaused()).filter(t -> !change.changes(t.setting()));
    if (trigger.isPresent()) {
      change.change(
          placed.job().settings(),
          trigger.get().setting(),
          "",
          List.of(JobTrigger.STATUS),
          TextNode.valueOf(JobTrigger.PAUSED));
    }
    if (begun.isEmpty()) {
      plan.maxConcurrentRuns()
          .filter(most -> most != placed.job().maxConcurrentRuns())
          .ifPresent(
              most ->
                  change.change(
                      placed.job().settings(), "max_concurrent_runs", "", List.of(), number(most)));
    }
    if (begun.isEmpty() || trigger.isPresent()) {
      ObjectNode entry =
          Journal.entry(EVENT, stream.name())
              .put("workspace", placed.workspace())
              .put("host", placed.jobs().host())
              .put("job", placed.job().id());
      change.addTo(entry);
      journal.append(entry);
    }
    check.check();
    ObjectNode toDo = change.toDo(placed.job().settings());
    if (!toDo.isEmpty()) {
      placed.jobs().update(placed.job().id(), toDo, List.of());
    }
  }

  /** A number as it is read from the journal and from the API. */
  private static JsonNode number(long value) {
    return value <= Integer.MAX_VALUE ? IntNode.valueOf((int) value) : LongNode.valueOf(value);
  }

  /** Ends a run; gives it where it did not end within the limit. */
  private Optional<JobRun> stop(JobPlan plan, JobControl.Placed placed, JobRun run, Duration limit)
      throws IOException {
    RunEnd end = new RunEnd(placed.jobs(), control.waits());
    JobRun last =
        plan.stop().orElseThrow() == JobStop.CANCEL
            ? end.cancel(run.id(), limit)
            : end.await(run.id(), limit);
    return last.isActive() ? Optional.of(last) : Optional.empty();
  }

  private static void refuse(JobControl.Placed placed, List<JobRun> active)
      throws RefusedException {
    if (!active.isEmpty()) {
      throw new RefusedException(activeRun(placed, active.get(0)));
    }
    Optional<JobTrigger> trigger = placed.job().trigger().filter(t -> !t.isPaused());
    if (trigger.filter(JobTrigger::isContinuous).isPresent()) {
      throw new RefusedException(unpaused(placed, trigger.get()));
    }
  }

  /** Names, sizes and times of the logs that every batch writes. */
  private List<String> logs(Location checkpoint) throws IOException {
    return List.of(log(checkpoint.child("offsets")), log(checkpoint.child("commits")));
  }

  private String log(Location directory) throws IOException {
    try {
      return store.list(directory).stream()
          .map(file -> file.location().name() + " " + file.size() + " " + file.modified())
          .collect(Collectors.joining("\n"));
    } catch (NoSuchFileException none) {
      return "";
    }
  }

  private static String proved(JobPlan plan, JobControl.Placed placed, int stopped) {
    return placed.text()
        + " has no active run"
        + (stopped == 0
            ? ""
            : ", after "
                + stopped
                + (stopped == 1 ? " that was " : " that were ")
                + (plan.stop().orElseThrow() == JobStop.CANCEL ? "cancelled" : "waited for"))
        + ", and nothing was written for "
        + JobSteps.duration(plan.settle());
  }

  private static String text(List<JobRun> active) {
    return active.stream().map(JobRun::text).collect(Collectors.joining("; "));
  }

  static Finding activeRun(JobControl.Placed placed, JobRun run) {
    return Finding.error(
        FindingCode.ACTIVE_RUN,
        "job",
        run.text()
            + " of "
            + placed.text()
            + " is active, and the plan does not say how to stop it",
        "stop it; or say how: job.stop: cancel, or wait for a query that ends by itself");
  }

  /** A trigger that is not paused, where the plan does not say that it may be. */
  static Finding unpaused(JobControl.Placed placed, JobTrigger trigger) {
    String message =
        trigger.text() + " of " + placed.text() + " is not paused and may start a run at any time";
    String remedy = "pause it; or let apply do so, and rollback undo it: job.stop: cancel";
    return trigger.isContinuous()
        ? Finding.error(FindingCode.ACTIVE_RUN, "job", message, remedy)
        : Finding.warning(FindingCode.ACTIVE_RUN, "job", message, remedy);
  }

  private static Finding written(StreamPlan stream, JobControl.Placed placed) {
    return Finding.error(
        FindingCode.OLD_CHECKPOINT_GROWS,
        stream.checkpoint().from().toString(),
        placed.text() + " has no active run, and batches are written all the same",
        "find out what else runs on this checkpoint, and stop it");
  }
}
