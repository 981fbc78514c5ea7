package org.streammigrator.checkpoint;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * The names in a file source's own log, {@code sources/<id>}.
 *
 * <p>Rules from Spark's {@code CompactibleFileStreamLog} and {@code FileStreamSourceLog} (4.2.0):
 * entry {@code n} is the file {@code n}, or {@code n.compact}, which holds all entries up to n;
 * every {@code interval}-th entry is a compact one; a start reads the newest compact entry and all
 * after it, and a batch reads the entries of its own range.
 *
 * @param source the source's id
 * @param plain the entries with a file of their own
 * @param compact the compact entries
 */
public record FileSourceLog(String source, NavigableSet<Long> plain, NavigableSet<Long> compact) {

  /** Spark's default of {@code spark.sql.streaming.fileSource.log.compactInterval}. */
  public static final long DEFAULT_INTERVAL = 10;

  private static final int MOST_MISSING = 100;

  public FileSourceLog {
    requireNonNull(source, "source");
    plain = Collections.unmodifiableNavigableSet(new TreeSet<>(plain));
    compact = Collections.unmodifiableNavigableSet(new TreeSet<>(compact));
  }

  /** The newest entry; -1 if the log is empty. */
  public long newest() {
    return Math.max(plain.isEmpty() ? -1 : plain.last(), compact.isEmpty() ? -1 : compact.last());
  }

  /** Whether the log holds nothing. */
  public boolean isEmpty() {
    return newest() < 0;
  }

  /** The number of entries from one compact entry to the next, as Spark derives it from names. */
  long interval() {
    if (compact.size() >= 2) {
      return compact.last() - compact.lower(compact.last());
    }
    if (compact.isEmpty()) {
      return DEFAULT_INTERVAL;
    }
    long length = compact.last() + 1;
    if (length <= DEFAULT_INTERVAL) {
      return length;
    }
    for (long divisor = DEFAULT_INTERVAL; divisor < length / 2 + 1; divisor++) {
      if (length % divisor == 0) {
        return divisor;
      }
    }
    return length;
  }

  /**
   * The file names that a restart needs and that are not there.
   *
   * @param after the log offset before the newest batch; its range starts after it
   * @param upTo the log offset of the newest batch
   */
  public List<String> missing(long after, long upTo) {
    List<String> names = new ArrayList<>();
    long newest = newest();
    long interval = interval();
    long base = (newest + 1) / interval * interval - 1;
    TreeSet<Long> needed = new TreeSet<>();
    for (long n = Math.max(base, 0); n <= newest && needed.size() < MOST_MISSING; n++) {
      needed.add(n);
    }
    for (long n = Math.max(after + 1, 0); n <= upTo && needed.size() < 2 * MOST_MISSING; n++) {
      needed.add(n);
    }
    for (long n : needed) {
      boolean wantsCompact = (n + 1) % interval == 0;
      if (wantsCompact ? !compact.contains(n) : !plain.contains(n)) {
        names.add(wantsCompact ? n + ".compact" : Long.toString(n));
      }
    }
    return names;
  }
}
