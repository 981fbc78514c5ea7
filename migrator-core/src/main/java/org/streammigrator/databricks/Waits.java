package org.streammigrator.databricks;

import static java.util.Objects.requireNonNull;

import java.io.InterruptedIOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/** Time, and waiting for it to pass; tests put another one in its place. */
public interface Waits {
  /** The time. */
  Instant now();

  /**
   * Lets time pass.
   *
   * @throws InterruptedIOException if the thread is interrupted; it stays so
   */
  void pause(Duration duration) throws InterruptedIOException;

  /** Really waiting. */
  static Waits real(Clock clock) {
    requireNonNull(clock, "clock");
    return new Waits() {
      @Override
      public Instant now() {
        return clock.instant();
      }

      @Override
      public void pause(Duration duration) throws InterruptedIOException {
        try {
          Thread.sleep(duration.toMillis());
        } catch (InterruptedException interrupted) {
          Thread.currentThread().interrupt();
          throw new InterruptedIOException("interrupted while waiting");
        }
      }
    };
  }
}
