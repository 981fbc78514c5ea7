package org.streammigrator.checkpoint;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.OptionalLong;
import java.util.TreeMap;
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
 * @param seen what the entries that a start reads say
 */
public record FileSourceLog(
    String source, NavigableSet<Long> plain, NavigableSet<Long> compact, Seen seen) {

  /** Spark's default of {@code spark.sql.streaming.fileSource.log.compactInterval}. */
  public static final long DEFAULT_INTERVAL = 10;

  private static final int MOST_MISSING = 100;

  public FileSourceLog {
    requireNonNull(source, "source");
    requireNonNull(seen, "seen");
    plain = Collections.unmodifiableNavigableSet(new TreeSet<>(plain));
    compact = Collections.unmodifiableNavigableSet(new TreeSet<>(compact));
  }

  /**
   * What the entries that a start reads say: the newest compact one and all after it.
   *
   * @param files the number of input files that are known as read
   * @param prefix the directory that all of them are below, as it is spelled; empty if there is
   *     none
   * @param newestMs the newest of their times of modification, milliseconds since the epoch; empty
   *     if none is recorded
   * @param damaged the names of entries that Spark could not read, with the reason
   */
  public record Seen(
      long files, String prefix, OptionalLong newestMs, Map<String, String> damaged) {
    /** Nothing was read. */
    public static final Seen NOTHING = new Seen(0, "", OptionalLong.empty(), Map.of());

    public Seen {
      requireNonNull(prefix, "prefix");
      requireNonNull(newestMs, "newestMs");
      damaged = Collections.unmodifiableMap(new TreeMap<>(damaged));
    }
  }

  /**
   * The entries that a start reads, by the file names they should have: the newest compact one and
   * all after it.
   */
  public List<String> filesReadAtStart() {
    List<String> names = new ArrayList<>();
    for (long n = Math.max(base(), 0); n <= newest(); n++) {
      names.add(name(n));
    }
    return names;
  }

  private long base() {
    return (newest() + 1) / interval() * interval() - 1;
  }

  private String name(long entry) {
    return (entry + 1) % interval() == 0 ? entry + ".compact" : Long.toString(entry);
  }

  private boolean has(long entry) {
    return (entry + 1) % interval() == 0 ? compact.contains(entry) : plain.contains(entry);
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
    if (DEFAULT_INTERVAL < length / 2) {
      for (long divisor = DEFAULT_INTERVAL; divisor <= length / 2; divisor++) {
        if (length % divisor == 0) {
          return divisor;
        }
      }
    }
    return length;
  }

  /**
   * The file names that a restart needs and that are not there. An entry below a compact one that
   * is there is not needed: it is in the compact one.
   *
   * @param after the log offset before the newest batch; its range starts after it
   * @param upTo the log offset of the newest batch; the log has to reach it
   */
  public List<String> missing(long after, long upTo) {
    List<String> names = new ArrayList<>();
    long base = base();
    boolean compacted = base >= 0 && has(base);
    TreeSet<Long> needed = new TreeSet<>();
    for (long n = Math.max(base, 0); n <= newest() && needed.size() < MOST_MISSING; n++) {
      needed.add(n);
    }
    long from = compacted ? Math.max(after + 1, base + 1) : Math.max(after + 1, 0);
    for (long n = from; n <= upTo && needed.size() < 2 * MOST_MISSING; n++) {
      needed.add(n);
    }
    if (upTo > newest()) {
      needed.add(upTo);
    }
    for (long n : needed) {
      if (!has(n)) {
        names.add(name(n));
      }
    }
    return names;
  }
}
