package org.streammigrator.position;

import static org.streammigrator.finding.FindingCode.KAFKA_SENTINEL_IN_LOG;
import static org.streammigrator.finding.FindingCode.SOURCE_TYPE_AMBIGUOUS;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.streammigrator.checkpoint.source.PartitionedOffset;
import org.streammigrator.checkpoint.source.SourceKind;
import org.streammigrator.finding.Finding;

/** What is the same in positions of Kafka sources and of Event Hubs, whose log looks the same. */
final class PartitionedPositions {
  private static final int MOST_NAMED = 100;

  private PartitionedPositions() {}

  static SourcePosition of(RecordedSource source, PartitionedOffset offset) {
    List<Finding> findings = new ArrayList<>();
    String subject = source.subject();
    if (!source.told()) {
      findings.add(
          Finding.warning(
              SOURCE_TYPE_AMBIGUOUS,
              subject,
              "this text is written by the Kafka source and by the Event Hubs connector; it is read"
                  + " as Kafka. Read as Event Hubs the same numbers are sequence numbers and the"
                  + " option is eventhubs.startingPositions",
              "settle it with --source "
                  + source.id()
                  + "=kafka or --source "
                  + source.id()
                  + "=eventhubs"));
    }
    List<String> sentinels = new ArrayList<>();
    offset
        .next()
        .forEach(
            (topic, partitions) ->
                partitions.forEach(
                    (partition, next) -> {
                      if (next < 0) {
                        sentinels.add(topic + "-" + partition + " = " + next);
                      }
                    }));
    if (!sentinels.isEmpty()) {
      findings.add(
          Finding.error(
              KAFKA_SENTINEL_IN_LOG,
              subject,
              "the log holds "
                  + String.join(", ", sentinels)
                  + "; negative numbers are words of the startingOffsets option and never stand in a"
                  + " log, so somebody edited it",
              "go back to an older committed batch, knowing that what came after it is read again"));
      return source.unknown(offset, "unknown", "the recorded position is invalid", findings);
    }
    return offset.kind() == SourceKind.EVENTHUBS
        ? EventHubsPositions.of(source, offset, consumed(offset), findings)
        : KafkaPositions.of(source, offset, consumed(offset), findings);
  }

  private static String consumed(PartitionedOffset offset) {
    List<String> parts = new ArrayList<>();
    int partitions = 0;
    for (Map.Entry<String, SortedMap<Integer, Long>> topic : offset.next().entrySet()) {
      for (Map.Entry<Integer, Long> partition : topic.getValue().entrySet()) {
        if (++partitions <= MOST_NAMED) {
          long next = partition.getValue();
          parts.add(
              topic.getKey()
                  + "-"
                  + partition.getKey()
                  + (next == 0 ? " nothing" : " through " + (next - 1)));
        }
      }
    }
    return String.join(", ", parts)
        + (partitions > MOST_NAMED ? " and " + (partitions - MOST_NAMED) + " more" : "");
  }
}
