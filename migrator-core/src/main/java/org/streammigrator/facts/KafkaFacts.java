package org.streammigrator.facts;

import static java.util.Objects.requireNonNull;

import java.util.Collections;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a broker says of a topic.
 *
 * @param partitions by number
 * @param createdMs when the topic was made, milliseconds since the epoch; empty if not told
 */
public record KafkaFacts(SortedMap<Integer, Range> partitions, OptionalLong createdMs) {
  public KafkaFacts {
    partitions = Collections.unmodifiableSortedMap(new TreeMap<>(partitions));
    requireNonNull(createdMs, "createdMs");
  }

  /**
   * The records of a partition.
   *
   * @param earliest the first offset that still exists
   * @param latest the offset that the next record will get
   */
  public record Range(long earliest, long latest) {}
}
