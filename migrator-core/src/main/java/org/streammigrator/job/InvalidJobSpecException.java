package org.streammigrator.job;

import java.util.List;

/**
 * A job spec that cannot be run as it stands. The message says what is wrong and where, a line for
 * each problem.
 */
public final class InvalidJobSpecException extends RuntimeException {

  public InvalidJobSpecException(List<String> problems) {
    super(String.join("\n", problems));
  }

  public InvalidJobSpecException(String message) {
    super(message);
  }

  public InvalidJobSpecException(String message, Throwable cause) {
    super(message, cause);
  }
}
