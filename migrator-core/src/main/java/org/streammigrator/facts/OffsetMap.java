package org.streammigrator.facts;

import java.util.Collections;
import java.util.NavigableMap;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Known pairs of offsets of the same record on two Kafka clusters.
 *
 * @param pairs by topic and partition, from the old cluster's offset to the new one's
 */
public record OffsetMap(SortedMap<String, SortedMap<Integer, NavigableMap<Long, Long>>> pairs) {

  /** No pair is known. */
  public static final OffsetMap NONE = new OffsetMap(new TreeMap<>());

  public OffsetMap {
    pairs = Collections.unmodifiableSortedMap(new TreeMap<>(pairs));
  }

  /** Whether no pair is known. */
  public boolean isEmpty() {
    return pairs.isEmpty();
  }
}
