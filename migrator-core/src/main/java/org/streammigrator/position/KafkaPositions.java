package org.streammigrator.position;

import static org.streammigrator.finding.FindingCode.KAFKA_NEW_PARTITION;
import static org.streammigrator.finding.FindingCode.KAFKA_PARTITION_GONE;
import static org.streammigrator.finding.FindingCode.KAFKA_RETENTION_LOSS;
import static org.streammigrator.finding.FindingCode.KAFKA_TOPIC_GONE;
import static org.streammigrator.finding.FindingCode.KAFKA_TOPIC_RESET;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import org.streammigrator.checkpoint.source.PartitionedOffset;
import org.streammigrator.facts.KafkaFacts;
import org.streammigrator.finding.Exactness;
import org.streammigrator.finding.Finding;

/**
 * Positions of Kafka sources. Recorded numbers are the next to read ({@code
 * KafkaMicroBatchStream}), and so is {@code startingOffsets}: they are copied unchanged.
 */
final class KafkaPositions {
  /** The word for "earliest" in {@code startingOffsets}. */
  private static final long EARLIEST = -2;

  private final String subject;
  private final List<Finding> findings;
  private final SortedMap<String, SortedMap<Integer, Long>> starts = new TreeMap<>();
  private Exactness exactness = Exactness.EXACT;

  private KafkaPositions(String subject, List<Finding> findings) {
    this.subject = subject;
    this.findings = findings;
  }

  static SourcePosition of(
      RecordedSource source, PartitionedOffset offset, String consumed, List<Finding> findings) {
    KafkaPositions positions = new KafkaPositions(source.subject(), findings);
    offset
        .next()
        .forEach(
            (topic, partitions) ->
                positions.topic(
                    topic, partitions, source.facts().kafka(), source.batchTimestampMs()));
    return source.at(
        offset,
        positions.exactness,
        Map.of("startingOffsets", positions.json().toString()),
        consumed,
        "recorded offsets are the next to read and startingOffsets is inclusive, so the numbers stay"
            + " as they are"
            + HoodieStreamerCheckpoint.ofKafka(positions.starts)
                .map(text -> "; as a checkpoint of HoodieStreamer they are written " + text)
                .orElse(""),
        findings);
  }

  private ObjectNode json() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    starts.forEach(
        (topic, partitions) -> {
          ObjectNode node = json.putObject(topic);
          partitions.forEach((partition, start) -> node.put(Integer.toString(partition), start));
        });
    return json;
  }

  private void lose(Finding finding) {
    exactness = Exactness.LOSS;
    findings.add(finding);
  }

  private void topic(
      String topic,
      SortedMap<Integer, Long> recorded,
      Map<String, KafkaFacts> facts,
      OptionalLong batchTimestampMs) {
    if (facts.isEmpty()) {
      starts.put(topic, recorded);
      return;
    }
    KafkaFacts known = facts.get(topic);
    if (known == null) {
      lose(
          Finding.error(
              KAFKA_TOPIC_GONE,
              subject,
              "the topic " + topic + " is not on the broker any more",
              "check the broker's address and the topic's name; drop the topic from the query"
                  + " knowingly if it is gone"));
      return;
    }
    boolean recreated =
        known.createdMs().isPresent()
            && batchTimestampMs.isPresent()
            && batchTimestampMs.getAsLong() > 0
            && known.createdMs().getAsLong() > batchTimestampMs.getAsLong();
    SortedMap<Integer, Long> of = starts.computeIfAbsent(topic, key -> new TreeMap<>());
    recorded.forEach(
        (partition, next) -> {
          KafkaFacts.Range range = known.partitions().get(partition);
          if (range == null) {
            lose(
                Finding.error(
                    KAFKA_PARTITION_GONE,
                    subject,
                    "partition " + topic + "-" + partition + " is not on the broker any more",
                    "Kafka never removes partitions: the topic was made anew, or this is another"
                        + " cluster"));
          } else {
            of.put(partition, start(topic, partition, next, range, recreated));
          }
        });
    known
        .partitions()
        .forEach(
            (partition, range) -> {
              if (!recorded.containsKey(partition)) {
                of.put(partition, EARLIEST);
                newPartition(topic, partition, range);
              }
            });
  }

  private long start(
      String topic, int partition, long next, KafkaFacts.Range range, boolean recreated) {
    if (next > range.latest() || recreated) {
      lose(
          Finding.error(
              KAFKA_TOPIC_RESET,
              subject,
              topic
                  + "-"
                  + partition
                  + ": the checkpoint is at "
                  + next
                  + " and the topic ends at "
                  + range.latest()
                  + (recreated && next <= range.latest()
                      ? ", and was made after the checkpoint's last batch"
                      : "")
                  + ": it was made anew, and the old offset means nothing. Records "
                  + range.earliest()
                  + ".."
                  + (range.latest() - 1)
                  + " are new; failOnDataLoss=false alone would skip to "
                  + range.latest(),
              "start this partition at " + range.earliest() + ", which is what is printed"));
      return range.earliest();
    }
    if (next < range.earliest()) {
      lose(
          Finding.error(
              KAFKA_RETENTION_LOSS,
              subject,
              topic
                  + "-"
                  + partition
                  + ": records "
                  + next
                  + ".."
                  + (range.earliest() - 1)
                  + " ("
                  + (range.earliest() - next)
                  + " records) are gone by retention",
              "get them from elsewhere, or accept the loss and start at "
                  + range.earliest()
                  + ", which is what is printed"));
      return range.earliest();
    }
    return next;
  }

  private void newPartition(String topic, int partition, KafkaFacts.Range range) {
    String missed =
        range.earliest() == 0
            ? ""
            : "; its earliest offset is "
                + range.earliest()
                + ", so records 0.."
                + (range.earliest() - 1)
                + " are gone, and Spark reports possible data loss";
    findings.add(
        Finding.warning(
            KAFKA_NEW_PARTITION,
            subject,
            topic
                + "-"
                + partition
                + " appeared after the last batch and starts at its earliest record (-2), as Spark"
                + " itself would start it"
                + missed,
            "keep it in startingOffsets: a list that leaves a partition out is refused"));
  }
}
