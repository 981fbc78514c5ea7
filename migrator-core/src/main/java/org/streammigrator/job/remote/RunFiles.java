package org.streammigrator.job.remote;

/** The files of a run, in a directory that the program and the run's driver both reach. */
public final class RunFiles {
  /** What the job is to do. */
  public static final String SPEC = "spec.json";

  /** How the job ended, as {@link RunOutcome} has it; the job writes it last. */
  public static final String OUTCOME = "outcome.json";

  /**
   * What the job has told so far: first a line for each chunk, then the last one that says how far
   * it is. It is written anew each time.
   */
  public static final String PROGRESS = "progress.jsonl";

  /** How the lines of {@link #PROGRESS} begin that stay in it. */
  public static final String KEPT = "{\"event\":\"chunk\"";

  /** Which run it is. */
  static final String RUN = "run.json";

  /** That somebody has taken what the run left, or that it will leave nothing. */
  static final String CLOSED = "closed.json";

  private RunFiles() {}
}
