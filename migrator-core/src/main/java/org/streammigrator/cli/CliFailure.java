package org.streammigrator.cli;

/** Ends a command with one clear sentence and an exit code. */
public final class CliFailure extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final int exitCode;

  public CliFailure(int exitCode, String message) {
    this(exitCode, message, null);
  }

  public CliFailure(int exitCode, String message, Throwable cause) {
    super(message, cause);
    this.exitCode = exitCode;
  }

  /** The code of {@link ExitCode} to end with. */
  public int exitCode() {
    return exitCode;
  }
}
