package org.streammigrator.storage;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** A store asks for fewer requests, as S3 and Databricks do with the answers 429 and 503. */
public final class ThrottledException extends IOException {
  private final transient Optional<Duration> retryAfter;

  /**
   * What a store answered.
   *
   * @param retryAfter the time it asks to wait; empty if it does not say
   */
  public ThrottledException(String message, Optional<Duration> retryAfter) {
    super(message);
    this.retryAfter = requireNonNull(retryAfter, "retryAfter");
  }

  /** The time the store asks to wait; empty if it does not say. */
  public Optional<Duration> retryAfter() {
    return retryAfter;
  }
}
