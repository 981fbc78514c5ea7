package org.streammigrator.migration;

import java.util.Comparator;
import java.util.SortedMap;
import java.util.TreeMap;
import org.streammigrator.checkpoint.source.AutoLoaderOffset;
import org.streammigrator.checkpoint.source.DeltaOffset;
import org.streammigrator.checkpoint.source.FilesOffset;
import org.streammigrator.checkpoint.source.HudiOffset;
import org.streammigrator.checkpoint.source.KinesisOffset;
import org.streammigrator.checkpoint.source.LastIndexOffset;
import org.streammigrator.checkpoint.source.MongoOffset;
import org.streammigrator.checkpoint.source.PaimonOffset;
import org.streammigrator.checkpoint.source.PartitionedOffset;
import org.streammigrator.checkpoint.source.PubSubLiteOffset;
import org.streammigrator.checkpoint.source.PubSubOffset;
import org.streammigrator.checkpoint.source.PulsarOffset;
import org.streammigrator.checkpoint.source.RateMicroBatchOffset;
import org.streammigrator.checkpoint.source.RateOffset;
import org.streammigrator.checkpoint.source.SourceOffset;

/** A source's position as one value for each of its partitions. */
final class LanePositions {
  private static final double MID_VERSION = 0.5;

  private LanePositions() {}

  /**
   * A position.
   *
   * @param value null where positions of that kind have no order
   */
  record Position(Double value, String words) {}

  /**
   * The positions by partition; one with an empty name where there are no partitions.
   *
   * @param whole the whole position in words
   */
  static SortedMap<String, Position> of(SourceOffset offset, String whole) {
    return switch (offset.kind()) {
      case KAFKA, EVENTHUBS -> partitions((PartitionedOffset) offset);
      case PUBSUB_LITE -> partitions((PubSubLiteOffset) offset);
      case KINESIS -> shards((KinesisOffset) offset);
      case PULSAR -> topics((PulsarOffset) offset);
      case DELTA, DELTA_SHARING -> one(version((DeltaOffset) offset), whole);
      case AUTOLOADER -> one((double) ((AutoLoaderOffset) offset).sequenceNumber(), whole);
      case FILES -> one((double) ((FilesOffset) offset).logOffset(), whole);
      case HUDI -> one(Double.parseDouble(((HudiOffset) offset).instant()), whole);
      case PAIMON -> one((double) ((PaimonOffset) offset).snapshotId(), whole);
      case PUBSUB -> one((double) ((PubSubOffset) offset).sequenceNumber(), whole);
      case SOCKET, MEMORY -> one((double) ((LastIndexOffset) offset).last(), whole);
      case MONGODB -> one(time((MongoOffset) offset), whole);
      case RATE -> one((double) ((RateOffset) offset).seconds(), whole);
      case RATE_MICRO_BATCH -> one((double) ((RateMicroBatchOffset) offset).offset(), whole);
      // A snapshot's id says nothing of its age.
      case ICEBERG, NONE, UNKNOWN -> one(null, whole);
    };
  }

  private static Double version(DeltaOffset delta) {
    return delta.version() + (delta.atVersionBoundary() ? 0 : MID_VERSION);
  }

  private static Double time(MongoOffset mongo) {
    return mongo.time().map(time -> (double) time.seconds()).orElse(null);
  }

  private static SortedMap<String, Position> partitions(PubSubLiteOffset offset) {
    SortedMap<String, Position> lanes = lanes();
    offset.last().forEach((partition, last) -> lanes.put(partition.toString(), numbered(last)));
    return lanes;
  }

  private static SortedMap<String, Position> shards(KinesisOffset offset) {
    SortedMap<String, Position> lanes = lanes();
    offset
        .shards()
        .forEach(
            (shard, at) ->
                lanes.put(shard, new Position(null, (at.type() + " " + at.position()).strip())));
    return lanes;
  }

  private static SortedMap<String, Position> topics(PulsarOffset offset) {
    SortedMap<String, Position> lanes = lanes();
    offset
        .last()
        .forEach(
            (topic, at) -> lanes.put(topic, new Position(null, at.ledger() + ":" + at.entry())));
    return lanes;
  }

  private static SortedMap<String, Position> partitions(PartitionedOffset offset) {
    SortedMap<String, Position> lanes = lanes();
    offset
        .next()
        .forEach(
            (topic, partitions) ->
                partitions.forEach(
                    (partition, next) -> lanes.put(topic + "/" + partition, numbered(next))));
    return lanes;
  }

  /** Sorted with partition 2 before partition 10. */
  private static SortedMap<String, Position> lanes() {
    return new TreeMap<>(
        Comparator.comparing((String name) -> name.replaceFirst("[0-9]+$", ""))
            .thenComparing(String::length)
            .thenComparing(Comparator.naturalOrder()));
  }

  private static Position numbered(long number) {
    return new Position((double) number, Long.toString(number));
  }

  private static SortedMap<String, Position> one(Double value, String words) {
    SortedMap<String, Position> lane = lanes();
    lane.put("", new Position(value, words));
    return lane;
  }
}
