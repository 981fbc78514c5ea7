package org.streammigrator.position;

import static org.streammigrator.finding.FindingCode.KAFKA_OFFSETS_TRANSLATED;
import static org.streammigrator.finding.FindingCode.KAFKA_OFFSET_NOT_MAPPED;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SortedMap;
import java.util.TreeMap;
import org.streammigrator.checkpoint.source.PartitionedOffset;
import org.streammigrator.facts.OffsetMap;
import org.streammigrator.finding.Exactness;
import org.streammigrator.finding.Finding;

/**
 * A Kafka position on another cluster. The same record has another offset there, and a checkpoint
 * does not say which cluster it speaks of. A map of known pairs of offsets, such as MirrorMaker
 * keeps, leads from one to the other: the last pair at or below the recorded offset is taken. What
 * lies between two pairs is never interpolated, since transaction markers and compaction leave
 * gaps.
 */
final class OffsetTranslation {
  private OffsetTranslation() {}

  static SourcePosition of(
      RecordedSource source, PartitionedOffset offset, String consumed, List<Finding> findings) {
    OffsetMap map = source.facts().offsetMap();
    ObjectNode starts = JsonNodeFactory.instance.objectNode();
    List<String> translated = new ArrayList<>();
    List<String> notMapped = new ArrayList<>();
    boolean exact = true;
    for (Map.Entry<String, SortedMap<Integer, Long>> topic : offset.next().entrySet()) {
      for (Map.Entry<Integer, Long> partition : topic.getValue().entrySet()) {
        NavigableMap<Long, Long> pairs =
            map.pairs()
                .getOrDefault(topic.getKey(), new TreeMap<>())
                .getOrDefault(partition.getKey(), new TreeMap<>());
        long old = partition.getValue();
        Map.Entry<Long, Long> pair = pairs.floorEntry(old);
        String name = topic.getKey() + "-" + partition.getKey();
        if (pair == null) {
          notMapped.add(name + " at " + old);
          continue;
        }
        exact &= pair.getKey() == old;
        translated.add(
            name
                + " "
                + old
                + " by the pair "
                + pair.getKey()
                + " -> "
                + pair.getValue()
                + (pair.getKey() == old
                    ? ""
                    : ", so that up to " + (old - pair.getKey()) + " records are read again"));
        starts
            .withObjectProperty(topic.getKey())
            .put(Integer.toString(partition.getKey()), pair.getValue());
      }
    }
    if (!translated.isEmpty()) {
      findings.add(
          Finding.warning(
              KAFKA_OFFSETS_TRANSLATED,
              source.subject(),
              "the offsets are those of another cluster: " + String.join("; ", translated),
              exact
                  ? "check that both clusters have the same partitions and the same keys in them"
                  : "MERGE by key what is read again; both clusters need the same partitions"));
    }
    if (!notMapped.isEmpty()) {
      findings.add(
          Finding.error(
              KAFKA_OFFSET_NOT_MAPPED,
              source.subject(),
              "the map has no pair at or below " + String.join(", ", notMapped),
              "add a pair for each, or start these partitions at their earliest record (-2), knowing"
                  + " that it is all read again"));
    }
    Exactness exactness =
        !notMapped.isEmpty() ? Exactness.UNKNOWN : exact ? Exactness.EXACT : Exactness.OVERLAP;
    return source.at(
        offset,
        exactness,
        translated.isEmpty() ? Map.of() : Map.of("startingOffsets", starts.toString()),
        consumed,
        "each offset is translated by the last known pair at or below it; nothing is interpolated",
        findings);
  }
}
