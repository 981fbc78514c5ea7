package org.streammigrator.rehearsal;

/** The command that starts the query cannot be started. */
public final class NotStartedException extends Exception {
  private static final long serialVersionUID = 1L;

  NotStartedException(String message, Throwable cause) {
    super(message, cause);
  }
}
