package org.streammigrator.jobs.versions;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The events of every version's source, and what queries over them have to write, computed without
 * Spark. This file is also compiled for each version, beside {@link VersionStreams}.
 */
final class VersionEvents {
  /** Commits that the old queries read. */
  static final int BEFORE = 5;

  /** Commits in all. */
  static final int ALL = 7;

  /** Files of a commit; a stream that reads two of them stops inside of commits. */
  static final int FILES = 3;

  /** The size of the windows, in milliseconds. */
  static final long WINDOW_MS = 300_000;

  /** The delay of the watermark, in milliseconds. */
  static final long DELAY_MS = 240_000;

  private static final int EACH = 40;
  private static final long FIRST_MS = 1_700_000_000_000L;

  private VersionEvents() {}

  /** An event; its time is in milliseconds since the epoch. */
  static final class Event {
    final long id;
    final String key;
    final long at;
    final long amount;

    private Event(long id) {
      this.id = id;
      this.key = "k" + id % 5;
      // Out of order by 90 seconds at most, so that no event is late.
      this.at = FIRST_MS + id * 20_000 - id * 7919 % 7 * 15_000;
      this.amount = id * id % 1000;
    }
  }

  /** The events of some commits, the last of which is excluded. */
  static List<Event> of(int from, int to) {
    List<Event> events = new ArrayList<>();
    for (long id = (long) from * EACH; id < (long) to * EACH; id++) {
      events.add(new Event(id));
    }
    return events;
  }

  /** The watermark once these commits are read. */
  static long watermark(int to) {
    return of(0, to).stream().mapToLong(event -> event.at).max().orElseThrow() - DELAY_MS;
  }

  /**
   * The sums of the windows of some events, by window and key.
   *
   * @param after windows that end at or before it are left out
   * @param closed those that end later are left out
   */
  static Map<String, Long> windows(List<Event> events, long after, long closed) {
    Map<String, Long> totals = new TreeMap<>();
    for (Event event : events) {
      long start = Math.floorDiv(event.at, WINDOW_MS) * WINDOW_MS;
      if (start + WINDOW_MS > after && start + WINDOW_MS <= closed) {
        totals.merge(start + "|" + event.key, event.amount, Long::sum);
      }
    }
    return totals;
  }
}
