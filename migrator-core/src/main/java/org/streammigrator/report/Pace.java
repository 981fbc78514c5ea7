package org.streammigrator.report;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalLong;

/**
 * How fast a count goes up, over the last seconds: what was quick or slow at the beginning says
 * little of what is left. Not for several threads.
 */
final class Pace {
  private static final long WINDOW_MILLIS = 15_000;
  private static final long SHORTEST_MILLIS = 500;
  private static final long MILLIS = 1000;

  private record Sample(long millis, long count) {}

  private final Deque<Sample> samples = new ArrayDeque<>();

  /**
   * Takes the count at a moment.
   *
   * @param millis on any clock, not before the moment of the last call
   */
  void add(long millis, long count) {
    samples.addLast(new Sample(millis, count));
    // The sample at the far end of the window stays, so that a long silence counts as slow.
    while (samples.size() > 2 && secondOldest().millis() <= millis - WINDOW_MILLIS) {
      samples.removeFirst();
    }
  }

  /** A second's worth, 0 or more; empty before half a second has passed. */
  OptionalLong perSecond() {
    if (samples.isEmpty()) {
      return OptionalLong.empty();
    }
    long millis = samples.getLast().millis() - samples.getFirst().millis();
    long count = samples.getLast().count() - samples.getFirst().count();
    if (millis < SHORTEST_MILLIS) {
      return OptionalLong.empty();
    }
    return OptionalLong.of(Math.max(0, scaled(count, MILLIS, millis)));
  }

  /** Seconds, rounded up, until the count is at a total; empty while it does not move. */
  OptionalLong secondsTo(long total) {
    OptionalLong rate = perSecond();
    if (rate.isEmpty()) {
      return OptionalLong.empty();
    }
    long left = total - samples.getLast().count();
    if (left <= 0) {
      return OptionalLong.of(0);
    }
    long millis = samples.getLast().millis() - samples.getFirst().millis();
    long count = samples.getLast().count() - samples.getFirst().count();
    if (count <= 0) {
      return OptionalLong.empty();
    }
    long millisLeft = scaled(left, millis, count);
    return OptionalLong.of(millisLeft / MILLIS + (millisLeft % MILLIS == 0 ? 0 : 1));
  }

  private Sample secondOldest() {
    return samples.stream().skip(1).findFirst().orElseThrow();
  }

  /** {@code value * times / parts}, the largest number there is where that does not fit. */
  private static long scaled(long value, long times, long parts) {
    try {
      return Math.addExact(
          Math.multiplyExact(value / parts, times),
          Math.multiplyExact(value % parts, times) / parts);
    } catch (ArithmeticException large) {
      return Long.MAX_VALUE;
    }
  }
}
