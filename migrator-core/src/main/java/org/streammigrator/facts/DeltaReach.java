package org.streammigrator.facts;

import static java.util.Objects.requireNonNull;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Where in a Delta table's history the records of event times from some instant on begin, by the
 * statistics of its files. A file without statistics counts as one that may hold such a record.
 *
 * @param first the first version, of those looked at, that adds a file which may hold such a
 *     record; empty if none does
 * @param firstFile that file, as the log names it
 * @param firstKnown whether that file's statistics say so; without them nobody knows
 * @param firstCommittedMs when that version was committed, milliseconds since the epoch; empty if
 *     its commit does not say
 * @param files how many files are added from there to the end of what was looked at
 * @param bytes the size of those files, in bytes
 * @param records the records of those files; empty if a file has no statistics
 * @param neededRecords the records of the files among them that may hold such a record; empty
 *     likewise
 * @param unknown how many of those files have no statistics of the event time
 * @param rewriting versions among them whose commit deletes or changes rows
 * @param vacuumed files among them that do not exist any more, by version
 */
public record DeltaReach(
    OptionalLong first,
    Optional<String> firstFile,
    boolean firstKnown,
    OptionalLong firstCommittedMs,
    long files,
    long bytes,
    OptionalLong records,
    OptionalLong neededRecords,
    long unknown,
    SortedSet<Long> rewriting,
    SortedMap<Long, List<String>> vacuumed) {

  public DeltaReach {
    requireNonNull(first, "first");
    requireNonNull(firstFile, "firstFile");
    requireNonNull(firstCommittedMs, "firstCommittedMs");
    requireNonNull(records, "records");
    requireNonNull(neededRecords, "neededRecords");
    rewriting = Collections.unmodifiableSortedSet(new TreeSet<>(rewriting));
    vacuumed = Collections.unmodifiableSortedMap(new TreeMap<>(vacuumed));
  }
}
