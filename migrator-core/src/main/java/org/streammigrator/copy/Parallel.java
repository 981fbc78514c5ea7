package org.streammigrator.copy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** The same done to many things by several threads. The first failure ends it and is thrown. */
final class Parallel {

  /** What is done to one thing. */
  interface Task<T, R> {
    R run(T item) throws IOException;
  }

  private Parallel() {}

  /** The results in the order of the items; with one thread, all in the caller's. */
  static <T, R> List<R> map(int threads, List<T> items, Task<T, R> task) throws IOException {
    Object[] results = new Object[items.size()];
    AtomicInteger next = new AtomicInteger();
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Runnable work =
        () -> {
          for (int i = next.getAndIncrement();
              i < results.length && failure.get() == null;
              i = next.getAndIncrement()) {
            try {
              results[i] = task.run(items.get(i));
            } catch (IOException | RuntimeException | Error thrown) {
              failure.compareAndSet(null, thrown);
            }
          }
        };
    List<Thread> helpers = new ArrayList<>();
    for (int i = 1; i < Math.min(threads, results.length); i++) {
      Thread helper = new Thread(work, "copy-" + i);
      helper.setDaemon(true);
      helper.start();
      helpers.add(helper);
    }
    work.run();
    for (Thread helper : helpers) {
      try {
        helper.join();
      } catch (InterruptedException interrupted) {
        failure.compareAndSet(null, new IOException("interrupted while copying", interrupted));
        Thread.currentThread().interrupt();
        break;
      }
    }
    rethrow(failure.get());
    @SuppressWarnings("unchecked")
    List<R> list = (List<R>) Arrays.asList(results);
    return list;
  }

  private static void rethrow(Throwable failure) throws IOException {
    if (failure instanceof IOException io) {
      throw io;
    }
    if (failure instanceof RuntimeException runtime) {
      throw runtime;
    }
    if (failure instanceof Error error) {
      throw error;
    }
  }
}
