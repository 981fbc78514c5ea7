package org.streammigrator.job;

/** A job that was started and came to no result. The message says why. */
public final class JobFailedException extends RuntimeException {

  public JobFailedException(String message) {
    super(message);
  }

  public JobFailedException(String message, Throwable cause) {
    super(message, cause);
  }
}
