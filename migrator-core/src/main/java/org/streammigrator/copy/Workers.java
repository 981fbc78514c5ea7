package org.streammigrator.copy;

import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A few threads for one operation. Closing waits until none of them touches anything any more. */
final class Workers implements AutoCloseable {
  private static final int MOST_THREADS = 16;

  private final int count;
  private final ExecutorService threads;
  private volatile boolean closing;

  Workers() {
    this.count = Math.min(MOST_THREADS, Math.max(1, Runtime.getRuntime().availableProcessors()));
    AtomicInteger number = new AtomicInteger();
    this.threads =
        Executors.newFixedThreadPool(
            count,
            work -> {
              Thread thread = new Thread(work, "archive-" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
  }

  /** How many pieces of work are worth to be given in advance. */
  int ahead() {
    return 2 * count + 2;
  }

  <T> Future<T> start(Callable<T> work) {
    return threads.submit(
        () -> {
          if (closing) {
            throw new IOException("stopped, because something else failed");
          }
          return work.call();
        });
  }

  /** The result, or the failure as it was thrown. */
  static <T> T result(Future<T> future) throws IOException {
    try {
      return future.get();
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof IOException failure) {
        throw failure;
      }
      if (failed.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      if (failed.getCause() instanceof Error failure) {
        throw failure;
      }
      throw new IOException(failed.getCause());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", interrupted);
    }
  }

  @Override
  public void close() {
    closing = true;
    threads.shutdown();
    boolean interrupted = false;
    while (!threads.isTerminated()) {
      try {
        threads.awaitTermination(1, TimeUnit.HOURS);
      } catch (InterruptedException again) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
