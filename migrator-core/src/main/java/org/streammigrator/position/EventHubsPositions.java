package org.streammigrator.position;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import org.streammigrator.checkpoint.source.PartitionedOffset;
import org.streammigrator.facts.KafkaFacts;
import org.streammigrator.finding.Exactness;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;

/**
 * Positions of Event Hubs sources ({@code EventHubsSource.scala}): recorded sequence numbers are
 * the next to read, and a starting sequence number is inclusive, so that they are copied unchanged.
 */
final class EventHubsPositions {
  private final String subject;
  private final Map<String, KafkaFacts> facts;
  private final List<Finding> findings;
  private Exactness exactness = Exactness.EXACT;

  private EventHubsPositions(
      String subject, Map<String, KafkaFacts> facts, List<Finding> findings) {
    this.subject = subject;
    this.facts = facts;
    this.findings = findings;
  }

  static SourcePosition of(
      RecordedSource source, PartitionedOffset offset, String consumed, List<Finding> findings) {
    EventHubsPositions positions =
        new EventHubsPositions(source.subject(), source.facts().eventhubs(), findings);
    ObjectNode starts = JsonNodeFactory.instance.objectNode();
    ObjectNode kafka = JsonNodeFactory.instance.objectNode();
    offset
        .next()
        .forEach(
            (hub, partitions) ->
                partitions.forEach(
                    (partition, next) -> {
                      if (positions.gone(hub, partition)) {
                        return;
                      }
                      long start = positions.start(hub, partition, next);
                      put(starts, hub, partition, start);
                      kafka.withObjectProperty(hub).put(Integer.toString(partition), start);
                    }));
    return source.at(
        offset,
        positions.exactness,
        Map.of("eventhubs.startingPositions", starts.toString()),
        consumed,
        "recorded sequence numbers are the next to read, and a starting sequence number is inclusive."
            + " By the hub's Kafka endpoint the same place is startingOffsets "
            + kafka
            + ", assuming that a Kafka offset is the sequence number: compare with earliest and latest"
            + " of each partition before you use it. The checkpoint itself cannot be used with the"
            + " Kafka source, and nothing would notice",
        findings);
  }

  private static void put(ObjectNode starts, String hub, int partition, long sequenceNumber) {
    ObjectNode key =
        JsonNodeFactory.instance.objectNode().put("ehName", hub).put("partitionId", partition);
    starts
        .putObject(key.toString())
        .putNull("offset")
        .put("seqNo", sequenceNumber)
        .putNull("enqueuedTime")
        .put("isInclusive", true);
  }

  /** Whether the hub, or the partition of it, is not there any more. */
  private boolean gone(String hub, int partition) {
    KafkaFacts known = facts.get(hub);
    if (facts.isEmpty() || (known != null && known.partitions().containsKey(partition))) {
      return false;
    }
    exactness = Exactness.UNKNOWN;
    findings.add(
        Finding.error(
            FindingCode.EVENTHUBS_RECREATED,
            subject,
            (known == null ? "the hub " + hub : "the partition " + hub + "/" + partition)
                + " is not there any more: the hub was made anew, or this is another namespace, and"
                + " nobody can tell how much is lost",
            "check the namespace and the hub's name; start a new hub at its beginning, with a MERGE"
                + " at the sink"));
    return true;
  }

  private long start(String hub, int partition, long next) {
    KafkaFacts known = facts.get(hub);
    KafkaFacts.Range range = known == null ? null : known.partitions().get(partition);
    if (range == null) {
      return next;
    }
    String name = hub + "/" + partition;
    // A source that is caught up stands one after the last event.
    if (next - 1 > range.latest()) {
      exactness = Exactness.UNKNOWN;
      findings.add(
          Finding.error(
              FindingCode.EVENTHUBS_RECREATED,
              subject,
              name
                  + ": the checkpoint is at sequence number "
                  + next
                  + " and the last one in the hub is "
                  + range.latest()
                  + ": the hub was made anew, or this is another namespace, and nobody can tell how"
                  + " much is lost",
              "start this hub at its beginning ("
                  + range.earliest()
                  + ", which is what is printed), with a MERGE at the sink"));
      return range.earliest();
    }
    if (next < range.earliest()) {
      exactness = Exactness.worst(List.of(exactness, Exactness.LOSS));
      findings.add(
          Finding.error(
              FindingCode.EVENTHUBS_EXPIRED,
              subject,
              name
                  + ": events "
                  + next
                  + ".."
                  + (range.earliest() - 1)
                  + " ("
                  + (range.earliest() - next)
                  + " events) are gone by retention",
              "get them from elsewhere, or accept the loss and start at "
                  + range.earliest()
                  + ", which is what is printed"));
      return range.earliest();
    }
    return next;
  }
}
