package org.streammigrator.checkpoint;

import static java.util.Objects.requireNonNull;

import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.OptionalLong;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The directory {@code offsets} or {@code commits}.
 *
 * <p>Rule from Spark's {@code HDFSMetadataLog.isBatchFile}: a batch is every regular file whose
 * whole name parses as a long, so that a backup called {@code 00000007} counts as batch 7; names
 * sort as numbers.
 *
 * @param directory the directory's name
 * @param batches the numbers that Spark sees there, 0 or more
 * @param strays names that Spark takes for a batch although it would not have written them so
 * @param files what was read: all that a restart and a position need, not the whole history
 */
public record BatchLog<T>(
    String directory, SortedSet<Long> batches, List<String> strays, Map<Long, LogFile<T>> files) {

  public BatchLog {
    requireNonNull(directory, "directory");
    batches = Collections.unmodifiableNavigableSet(new TreeSet<>(batches));
    strays = List.copyOf(strays);
    files = Collections.unmodifiableMap(new TreeMap<>(files));
  }

  /** The highest batch number; empty if there is none. */
  public OptionalLong newest() {
    return batches.isEmpty() ? OptionalLong.empty() : OptionalLong.of(batches.last());
  }

  /** The batches above a number, which may be the highest there is. */
  public SortedSet<Long> after(long batch) {
    return ((NavigableSet<Long>) batches).tailSet(batch, false);
  }

  /** The highest number that is in both logs; empty if none is. */
  static OptionalLong newestInBoth(BatchLog<?> one, BatchLog<?> other) {
    NavigableSet<Long> batches = (NavigableSet<Long>) one.batches();
    for (Iterator<Long> newest = batches.descendingIterator(); newest.hasNext(); ) {
      long batch = newest.next();
      if (other.batches().contains(batch)) {
        return OptionalLong.of(batch);
      }
    }
    return OptionalLong.empty();
  }

  /** The lowest batch number; empty if there is none. */
  public OptionalLong oldest() {
    return batches.isEmpty() ? OptionalLong.empty() : OptionalLong.of(batches.first());
  }

  /** A file that was read; missing also where it was not among those read. */
  public LogFile<T> file(long batch) {
    LogFile<T> file = files.get(batch);
    return file == null ? new LogFile.Missing<>() : file;
  }

  /** The path of a batch's file inside the checkpoint. */
  public String path(long batch) {
    return directory + "/" + batch;
  }
}
