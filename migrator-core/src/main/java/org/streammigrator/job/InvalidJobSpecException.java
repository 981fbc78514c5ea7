package org.streammigrator.job;

/** A job spec that cannot be run as it stands. The message says what is wrong and where. */
public final class InvalidJobSpecException extends RuntimeException {

  public InvalidJobSpecException(String message) {
    super(message);
  }

  public InvalidJobSpecException(String message, Throwable cause) {
    super(message, cause);
  }
}
