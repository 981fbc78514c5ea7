package org.streammigrator.facts;

import static java.util.Objects.requireNonNull;

import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a stream that stands at a version of a Delta table still has to read, by the table's
 * commits. Commits that are gone are not part of it: {@link DeltaFacts} names those.
 *
 * @param from the first version that is looked at
 * @param through the last one; below {@code from} if there is none
 * @param versions how many commits were read
 * @param files how many data files they add
 * @param bytes the size of those files, in bytes
 * @param rows the rows of those files; empty if a file has no statistics
 * @param vacuumed data files that the commits add and that do not exist any more, by version
 * @param unchecked how many of the files were not looked for: they are not on storage that can be
 *     asked
 * @param schemaChanges versions whose commit changes the table's schema, with the change in words
 * @param rewriting versions whose commit removes rows or changes them: the source stops at those
 *     unless it is told to skip or to ignore them
 */
public record DeltaBacklog(
    long from,
    long through,
    long versions,
    long files,
    long bytes,
    OptionalLong rows,
    SortedMap<Long, List<String>> vacuumed,
    long unchecked,
    SortedMap<Long, String> schemaChanges,
    SortedSet<Long> rewriting) {

  public DeltaBacklog {
    requireNonNull(rows, "rows");
    vacuumed = Collections.unmodifiableSortedMap(new TreeMap<>(vacuumed));
    schemaChanges = Collections.unmodifiableSortedMap(new TreeMap<>(schemaChanges));
    rewriting = Collections.unmodifiableSortedSet(new TreeSet<>(rewriting));
  }
}
