package org.streammigrator.databricks;

import java.io.IOException;

/** The workspace refuses what it was asked, or has no such thing. */
public final class JobsApiException extends IOException {
  private final boolean isMissing;

  /**
   * A refusal.
   *
   * @param message what was asked and what the workspace says, without secrets
   * @param isMissing whether there is no such job or run
   */
  JobsApiException(String message, boolean isMissing, Throwable cause) {
    super(message, cause);
    this.isMissing = isMissing;
  }

  /** Whether there is no such job or run. */
  public boolean isMissing() {
    return isMissing;
  }
}
