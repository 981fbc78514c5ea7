package org.streammigrator.databricks;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A run.
 *
 * @param id its id
 * @param job the job's id; 0 of a run that was submitted by itself
 * @param url its page in the workspace; empty if the workspace does not say
 * @param isActive whether it has not ended; also where the state is not known
 * @param state the life cycle's state as the API names it, {@code RUNNING} for instance
 * @param result how it ended, {@code SUCCESS} for instance; empty while it is active
 * @param message what the workspace says of the state
 * @param started when it started
 * @param tasks the runs of its tasks
 */
public record JobRun(
    long id,
    long job,
    String url,
    boolean isActive,
    String state,
    Optional<String> result,
    String message,
    Instant started,
    List<Task> tasks) {

  /**
   * The run of a task.
   *
   * @param key the task's key
   * @param run the id of its run, which {@link Jobs#output} takes
   * @param isActive whether it has not ended
   * @param result how it ended; empty while it is active
   * @param message what the workspace says of its state
   */
  public record Task(
      String key, long run, boolean isActive, Optional<String> result, String message) {}

  public JobRun {
    requireNonNull(url, "url");
    requireNonNull(state, "state");
    requireNonNull(result, "result");
    requireNonNull(message, "message");
    requireNonNull(started, "started");
    tasks = List.copyOf(tasks);
  }

  /** Whether it has ended well. */
  public boolean succeeded() {
    return !isActive && result.filter("SUCCESS"::equals).isPresent();
  }

  /** How messages name it: its id, its state, what the workspace says, and its page. */
  public String text() {
    return "run "
        + id
        + " ("
        + state
        + result.map(how -> " " + how).orElse("")
        + (message.isEmpty() ? "" : ": " + message)
        + ")"
        + (url.isEmpty() ? "" : ", " + url);
  }
}
