package org.streammigrator.copy;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Holds a copy to its request rate and bandwidth. For any number of threads. */
final class CopyLimits {

  /** Waits. */
  interface Sleeper {
    void sleep(long nanos) throws InterruptedException;
  }

  private static final double SECOND = TimeUnit.SECONDS.toNanos(1);

  private final double nanosPerRequest;
  private final double nanosPerByte;
  private final LongSupplier clock;
  private final Sleeper sleeper;
  private final long began;
  private volatile double requestsUntil;
  private double bytesUntil;

  CopyLimits(CopyOptions options) {
    this(options, System::nanoTime, TimeUnit.NANOSECONDS::sleep);
  }

  CopyLimits(CopyOptions options, LongSupplier clock, Sleeper sleeper) {
    OptionalDouble requests = options.requestsPerSecond();
    OptionalLong bytes = options.bandwidth();
    this.nanosPerRequest = requests.isPresent() ? SECOND / requests.getAsDouble() : 0;
    this.nanosPerByte = bytes.isPresent() ? SECOND / bytes.getAsLong() : 0;
    this.clock = clock;
    this.sleeper = sleeper;
    this.began = clock.getAsLong();
  }

  /** Waits until one more request may be made. */
  void request() throws IOException {
    if (nanosPerRequest == 0 && requestsUntil == 0) {
      return;
    }
    double start;
    double now = now();
    synchronized (this) {
      start = Math.max(now, requestsUntil);
      requestsUntil = start + nanosPerRequest;
    }
    pause(start - now);
  }

  /** Lets no thread make a request until so much time has passed. */
  synchronized void holdRequests(double nanos) {
    requestsUntil = Math.max(requestsUntil, now() + nanos);
  }

  /** Waits until so many more bytes may have gone through. */
  void bytes(long count) throws IOException {
    if (nanosPerByte > 0) {
      double end;
      double now = now();
      synchronized (this) {
        end = Math.max(now, bytesUntil) + count * nanosPerByte;
        bytesUntil = end;
      }
      pause(end - now);
    }
  }

  /** Waits before another attempt. */
  void pause(double nanos) throws IOException {
    if (nanos < 1) {
      return;
    }
    try {
      sleeper.sleep((long) nanos);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting");
    }
  }

  private double now() {
    return clock.getAsLong() - began;
  }
}
