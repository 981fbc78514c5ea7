package org.streammigrator.facts;

import static java.util.Objects.requireNonNull;

import java.util.Collections;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a broker says of a topic.
 *
 * @param partitions by number
 * @param createdMs when the topic was made, milliseconds since the epoch; empty if not told
 * @param topicId the topic's id, which a topic made anew under the same name does not have; empty
 *     if not told (brokers before 2.8 have none)
 * @param recreated whether it is known that the topic was made anew after the checkpoint was
 *     written
 */
public record KafkaFacts(
    SortedMap<Integer, Range> partitions,
    OptionalLong createdMs,
    Optional<String> topicId,
    boolean recreated) {

  /** The topic does not exist. */
  public static final KafkaFacts ABSENT = new KafkaFacts(new TreeMap<>(), OptionalLong.empty());

  public KafkaFacts {
    partitions = Collections.unmodifiableSortedMap(new TreeMap<>(partitions));
    requireNonNull(createdMs, "createdMs");
    requireNonNull(topicId, "topicId");
  }

  /** Facts without a topic id. */
  public KafkaFacts(SortedMap<Integer, Range> partitions, OptionalLong createdMs) {
    this(partitions, createdMs, Optional.empty(), false);
  }

  /** These facts, seen in the light of what was known of the topic before. */
  public KafkaFacts after(KafkaFacts earlier) {
    boolean other =
        topicId.isPresent() && earlier.topicId.isPresent() && !topicId.equals(earlier.topicId);
    return new KafkaFacts(
        partitions,
        createdMs.isPresent() ? createdMs : earlier.createdMs,
        topicId,
        recreated || other);
  }

  /**
   * The records of a partition.
   *
   * @param earliest the first offset that still exists
   * @param latest the offset that the next record will get
   * @param oldestRecordMs the timestamp of the oldest record that is there, milliseconds since the
   *     epoch; empty if there is none or it has none
   */
  public record Range(long earliest, long latest, OptionalLong oldestRecordMs) {
    public Range {
      requireNonNull(oldestRecordMs, "oldestRecordMs");
    }

    /** A range of which the times are not known. */
    public Range(long earliest, long latest) {
      this(earliest, latest, OptionalLong.empty());
    }
  }
}
