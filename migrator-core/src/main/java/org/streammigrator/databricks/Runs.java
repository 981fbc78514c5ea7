package org.streammigrator.databricks;

import com.databricks.sdk.service.jobs.BaseRun;
import com.databricks.sdk.service.jobs.Run;
import com.databricks.sdk.service.jobs.RunState;
import com.databricks.sdk.service.jobs.RunTask;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Runs as the SDK gives them to those of this package. */
final class Runs {
  private Runs() {}

  static JobRun of(BaseRun run) {
    return of(
        run.getRunId(),
        run.getJobId(),
        run.getRunPageUrl(),
        run.getState(),
        run.getStartTime(),
        run.getTasks());
  }

  static JobRun of(Run run) {
    return of(
        run.getRunId(),
        run.getJobId(),
        run.getRunPageUrl(),
        run.getState(),
        run.getStartTime(),
        run.getTasks());
  }

  static RunOutput of(com.databricks.sdk.service.jobs.RunOutput output) {
    return new RunOutput(
        text(output.getError()), text(output.getErrorTrace()), text(output.getLogs()));
  }

  private static JobRun of(
      Long id, Long job, String url, RunState state, Long started, Collection<RunTask> tasks) {
    List<JobRun.Task> taskRuns = new ArrayList<>();
    if (tasks != null) {
      for (RunTask task : tasks) {
        taskRuns.add(
            new JobRun.Task(
                text(task.getTaskKey()),
                number(task.getRunId()),
                isActive(task.getState()),
                result(task.getState()),
                message(task.getState())));
      }
    }
    return new JobRun(
        number(id),
        number(job),
        text(url),
        isActive(state),
        state == null || state.getLifeCycleState() == null
            ? "UNKNOWN"
            : state.getLifeCycleState().name(),
        result(state),
        message(state),
        Instant.ofEpochMilli(number(started)),
        taskRuns);
  }

  /** A state that this SDK does not know may be one in which it still writes. */
  private static boolean isActive(RunState state) {
    if (state == null || state.getLifeCycleState() == null) {
      return true;
    }
    return switch (state.getLifeCycleState()) {
      case TERMINATED, SKIPPED, INTERNAL_ERROR -> false;
      case BLOCKED, PENDING, QUEUED, RUNNING, TERMINATING, WAITING_FOR_RETRY -> true;
    };
  }

  private static Optional<String> result(RunState state) {
    return state == null || state.getResultState() == null
        ? Optional.empty()
        : Optional.of(state.getResultState().name());
  }

  private static String message(RunState state) {
    return state == null ? "" : text(state.getStateMessage());
  }

  private static String text(String text) {
    return text == null ? "" : text;
  }

  private static long number(Long number) {
    return number == null ? 0 : number;
  }
}
