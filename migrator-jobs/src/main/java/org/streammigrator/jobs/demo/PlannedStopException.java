package org.streammigrator.jobs.demo;

/** Thrown where a stop point says that a query is to die. Nothing is wrong. */
public final class PlannedStopException extends RuntimeException {

  PlannedStopException(String message) {
    super(message);
  }

  /** Whether a query died of a planned stop. */
  static boolean causes(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      // A task's failure reaches the driver as text alone.
      if (cause instanceof PlannedStopException
          || String.valueOf(cause.getMessage()).contains(PlannedStopException.class.getName())) {
        return true;
      }
    }
    return false;
  }
}
