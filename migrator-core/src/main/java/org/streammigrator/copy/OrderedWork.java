package org.streammigrator.copy;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;

/**
 * Work that several threads do, whose results come in the order in which it was given. How much is
 * under way is bounded by whoever asks {@link #isFull} before giving more.
 */
final class OrderedWork<T> {
  private final Workers workers;
  private final Deque<Future<T>> results = new ArrayDeque<>();

  OrderedWork(Workers workers) {
    this.workers = workers;
  }

  void add(Callable<T> work) {
    results.add(workers.start(work));
  }

  boolean isFull() {
    return results.size() >= workers.ahead();
  }

  boolean isEmpty() {
    return results.isEmpty();
  }

  /** Waits for the oldest result; fails as its work did. */
  T next() throws IOException {
    return Workers.result(results.remove());
  }
}
