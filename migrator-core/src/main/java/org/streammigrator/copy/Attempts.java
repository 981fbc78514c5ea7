package org.streammigrator.copy;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.FileSystemException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.streammigrator.storage.ThrottledException;

/** Whether and when something that failed is tried again. For any number of threads. */
final class Attempts {
  private static final double FIRST_PAUSE_NANOS = 200e6;
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(5);

  private final int most;
  private final CopyLimits limits;

  Attempts(int most, CopyLimits limits) {
    this.most = most;
    this.limits = limits;
  }

  /**
   * Waits before another attempt: twice as long each time, or as long as the store asks; where it
   * asks for fewer requests, every thread waits.
   *
   * @param made the attempts that have failed, 1 or more
   * @return whether there is another
   */
  boolean another(int made, IOException failure) throws IOException {
    if (made >= most || !isTransient(failure)) {
      return false;
    }
    double pause = FIRST_PAUSE_NANOS * Math.pow(2, made - 1);
    pause *= ThreadLocalRandom.current().nextDouble(0.5, 1);
    if (failure instanceof ThrottledException throttled) {
      double asked = throttled.retryAfter().orElse(Duration.ZERO).toMillis() * 1e6;
      pause = Math.max(pause, Math.min(asked, LONGEST_PAUSE.toMillis() * 1e6));
      limits.holdRequests(pause);
    }
    limits.pause(pause);
    return true;
  }

  private static boolean isTransient(IOException failure) {
    return !(failure instanceof FileSystemException
        || failure instanceof SourceChangedException
        || failure instanceof InterruptedIOException && Thread.currentThread().isInterrupted());
  }
}
