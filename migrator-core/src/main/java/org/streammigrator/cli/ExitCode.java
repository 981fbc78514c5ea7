package org.streammigrator.cli;

/** The exit codes, the same for every command. */
public final class ExitCode {
  /** Done. */
  public static final int DONE = 0;

  /** An error nobody foresaw. */
  public static final int UNEXPECTED = 1;

  /** The command line or the plan is wrong. */
  public static final int USAGE = 2;

  /** Refused because a finding makes it unsafe. */
  public static final int REFUSED = 3;

  /** The world changed since the plan was saved. */
  public static final int STALE = 4;

  /** Stopped part-way; a rerun resumes. */
  public static final int STOPPED = 5;

  /** A verification failed. */
  public static final int NOT_VERIFIED = 6;

  /** Waiting for something outside; a rerun goes on. */
  public static final int WAITING = 7;

  /** {@code plan --detailed-exitcode}: there is something to do. */
  public static final int SOMETHING_TO_DO = 10;

  private ExitCode() {}
}
