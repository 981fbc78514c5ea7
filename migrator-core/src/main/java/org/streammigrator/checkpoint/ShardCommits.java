package org.streammigrator.checkpoint;

import static java.util.Objects.requireNonNull;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * How far a Kinesis source's batches read each shard: {@code
 * sources/<id>/shard-commit/<batch>/<shard>} ({@code HDFSMetadataCommitter.scala}; awslabs' names
 * the directory {@code shard-source}). A restart reads the files of the batch that its offset
 * names.
 *
 * @param directory the directory's path in the checkpoint
 * @param batches the batches that have files, by the source's own numbers
 * @param read the files of the batches that a restart or a position needs: by batch and shard,
 *     their text
 */
public record ShardCommits(
    String directory, SortedSet<Long> batches, Map<Long, SortedMap<String, String>> read) {
  public ShardCommits {
    requireNonNull(directory, "directory");
    batches = Collections.unmodifiableSortedSet(new TreeSet<>(batches));
    read = Collections.unmodifiableMap(new TreeMap<>(read));
  }

  /** The files of a batch by shard; empty if it has none, or if nobody needs them. */
  public SortedMap<String, String> of(long batch) {
    return read.getOrDefault(batch, Collections.emptySortedMap());
  }
}
