package org.streammigrator.databricks;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The jobs of a workspace and their runs. Every call either did what it says or throws; a call
 * whose answer was lost may have been carried out, so that what starts something takes a token: the
 * same token again gives the same run.
 *
 * <p>All calls throw {@link JobsApiException} where the workspace refuses, and another {@link
 * IOException} where it does not answer within a bounded time.
 */
public interface Jobs {
  /** The URL of the workspace, without a trailing slash. */
  String host();

  /**
   * A job as it stands.
   *
   * @throws JobsApiException also if no job has the id or the name, or more than one has the name
   */
  JobDefinition job(JobReference reference) throws IOException;

  /** The runs of a job that have not ended, in the order in which the workspace lists them. */
  List<JobRun> activeRuns(long job) throws IOException;

  /** A run of a job, or one that was submitted. */
  JobRun run(long run) throws IOException;

  /** Asks for the end of a run; it may take a while, see {@link RunEnd}. */
  void cancel(long run) throws IOException;

  /**
   * Changes settings of a job.
   *
   * @param settings top-level settings, each as it is to be as a whole; of the arrays {@code tasks}
   *     and {@code job_clusters} those entries that change, each as a whole
   * @param removed top-level settings that the job is not to have any more
   */
  void update(long job, ObjectNode settings, List<String> removed) throws IOException;

  /**
   * Starts a run of a job. Not for a continuous job that is not paused: the workspace starts its
   * runs itself.
   *
   * @param token at most 64 characters
   * @return the run; empty where the workspace does not say which
   */
  Optional<Long> runNow(long job, String token, Map<String, String> parameters) throws IOException;

  /**
   * Submits a one-time run.
   *
   * @param submission the body of {@code runs/submit} as the API has it, with an {@code
   *     idempotency_token} of at most 64 characters
   * @return the run
   */
  long submit(ObjectNode submission) throws IOException;

  /**
   * What a task of a run left.
   *
   * @param taskRun the run of the task, see {@link JobRun.Task}; not that of the job
   */
  RunOutput output(long taskRun) throws IOException;
}
