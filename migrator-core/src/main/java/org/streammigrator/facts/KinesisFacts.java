package org.streammigrator.facts;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What Kinesis says of a stream.
 *
 * @param parents the shards that still exist, each with the shard that it came from by a split or a
 *     merge; empty for a shard that the stream began with
 */
public record KinesisFacts(SortedMap<String, Optional<String>> parents) {
  public KinesisFacts {
    parents = Collections.unmodifiableSortedMap(new TreeMap<>(parents));
  }

  /** The shards that a shard came from, the nearest first; also those that are gone. */
  public List<String> ancestors(String shard) {
    List<String> ancestors = new ArrayList<>();
    Optional<String> parent = parents.getOrDefault(shard, Optional.empty());
    while (parent.isPresent() && !ancestors.contains(parent.get())) {
      ancestors.add(parent.get());
      parent = parents.getOrDefault(parent.get(), Optional.empty());
    }
    return ancestors;
  }
}
