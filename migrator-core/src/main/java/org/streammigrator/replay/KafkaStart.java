package org.streammigrator.replay;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.SortedMap;
import java.util.TreeMap;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.checkpoint.source.PartitionedOffset;
import org.streammigrator.checkpoint.source.SourceKind;
import org.streammigrator.checkpoint.source.SourceOffsets;
import org.streammigrator.facts.KafkaBrokers;
import org.streammigrator.facts.KafkaFacts;
import org.streammigrator.finding.DurationText;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.plan.SecretText;
import org.streammigrator.plan.SourcePlan;

/**
 * Where the replay of Kafka topics begins: in each partition at the first record whose timestamp is
 * not before the oldest needed event time less the declared skew; never before the query's own
 * first offsets.
 */
final class KafkaStart {
  private static final Duration TIMEOUT = Duration.ofSeconds(15);
  private static final String CLIENT = "kafka.";

  private final Checkpoint checkpoint;
  private final Reasons reasons;

  KafkaStart(Checkpoint checkpoint, Reasons reasons) {
    this.checkpoint = requireNonNull(checkpoint, "checkpoint");
    this.reasons = requireNonNull(reasons, "reasons");
  }

  /**
   * @param earliest the oldest needed event time; null for every one
   * @param skew how much earlier than its event time a record's timestamp may be
   */
  Optional<ReplayStart> of(
      String id,
      SourcePlan source,
      String servers,
      PartitionedOffset end,
      Instant earliest,
      Duration skew) {
    try {
      return of(id, brokers(source, servers), end, earliest, skew);
    } catch (IOException silent) {
      reasons.unavailable(
          servers,
          "the Kafka cluster does not answer, and only it knows where event times begin: "
              + silent.getMessage(),
          "check the address and the client's settings (options: {kafka.security.protocol: ...})");
      return Optional.empty();
    }
  }

  private Optional<ReplayStart> of(
      String id, KafkaBrokers brokers, PartitionedOffset end, Instant earliest, Duration skew)
      throws IOException {
    List<String> topics = List.copyOf(end.next().keySet());
    Map<String, KafkaFacts> facts = brokers.read(topics);
    List<String> compacted = compacted(brokers, present(facts));
    if (!compacted.isEmpty()) {
      reasons.inexact(
          compacted.get(0),
          "the topic is compacted, so that records which the query has read may be gone",
          "relocate the state; or accept it if no key comes twice");
    }
    long time = earliest == null ? 0 : Math.max(0, earliest.minus(skew).toEpochMilli());
    SortedMap<String, SortedMap<Integer, Long>> reached = brokers.offsetsAt(present(facts), time);
    Optional<SortedMap<String, SortedMap<Integer, Long>>> known = firstOffsets(id);
    SortedMap<String, SortedMap<Integer, Long>> first = known.orElse(new TreeMap<>());
    SortedMap<String, SortedMap<Integer, Long>> start = new TreeMap<>();
    long records = 0;
    for (String topic : topics) {
      for (Map.Entry<Integer, Long> partition : end.next().get(topic).entrySet()) {
        KafkaFacts.Range range = facts.get(topic).partitions().get(partition.getKey());
        if (range == null) {
          reasons.gone(topic, "partition " + partition.getKey() + " does not exist any more");
          return Optional.empty();
        }
        long next = partition.getValue();
        inReach(topic + "-" + partition.getKey(), next, range);
        long own = first.getOrDefault(topic, new TreeMap<>()).getOrDefault(partition.getKey(), 0L);
        long at =
            earliest == null
                ? own
                : reached
                    .getOrDefault(topic, new TreeMap<>())
                    .getOrDefault(partition.getKey(), next);
        long from = Math.min(Math.max(at, own), next);
        if (range.earliest() > own && from <= range.earliest() && from < next) {
          reasons.gone(
              topic + "-" + partition.getKey(),
              "the records before offset "
                  + range.earliest()
                  + " are gone by the topic's retention, and some of them may be needed");
          from = Math.min(range.earliest(), next);
        }
        start.computeIfAbsent(topic, name -> new TreeMap<>()).put(partition.getKey(), from);
        records += next - from;
      }
    }
    if (known.isEmpty() && records > 0) {
      reasons.inexact(
          "sources/" + id + "/0",
          "it is not there, or cannot be read, so that nothing tells where the query once began: it"
              + " may be given records that it never read",
          "restore it from a copy of the checkpoint");
    }
    PartitionedOffset from = new PartitionedOffset(end.kind(), start);
    return Optional.of(
        new ReplayStart(
            id,
            from.json().toString(),
            from.json(),
            null,
            null,
            records,
            null,
            earliest == null
                ? "every event may be needed: from the query's first offsets"
                : "in each partition from the first record with a timestamp of "
                    + Instant.ofEpochMilli(time)
                    + " or later, which is the oldest needed event time less a skew of "
                    + DurationText.words(skew)
                    + "; exact if no record's timestamp is further than that before its event time"));
  }

  /** Says where the position itself is not in the partition any more. */
  private void inReach(String partition, long next, KafkaFacts.Range range) {
    if (next > range.latest()) {
      reasons.add(
          Finding.error(
              FindingCode.KAFKA_TOPIC_RESET,
              partition,
              "the query stands at offset "
                  + next
                  + " and the partition ends at "
                  + range.latest()
                  + ": the topic was made anew",
              "start a new checkpoint for the new topic"));
    } else if (next < range.earliest()) {
      reasons.add(
          Finding.error(
              FindingCode.KAFKA_RETENTION_LOSS,
              partition,
              "the query stands at offset "
                  + next
                  + " and the records before "
                  + range.earliest()
                  + " are gone by the topic's retention, unread",
              "accept KAFKA_RETENTION_LOSS if they may be lost"));
    }
  }

  /** The topics that are compacted; a user who may not ask is told so. */
  private List<String> compacted(KafkaBrokers brokers, List<String> topics) {
    try {
      return brokers.compacted(topics);
    } catch (IOException notTold) {
      reasons.add(
          Finding.warning(
              FindingCode.NOT_AVAILABLE,
              String.join(", ", topics),
              "the cluster does not tell whether they are compacted: " + notTold.getMessage(),
              "check it yourself: of a compacted topic records that the query has read may be gone"));
      return List.of();
    }
  }

  private static List<String> present(Map<String, KafkaFacts> facts) {
    return facts.entrySet().stream()
        .filter(topic -> !topic.getValue().partitions().isEmpty())
        .map(Map.Entry::getKey)
        .toList();
  }

  /**
   * The offsets that the source keeps of its first start; partitions that came later begin at 0.
   */
  private Optional<SortedMap<String, SortedMap<Integer, Long>>> firstOffsets(String id) {
    return checkpoint
        .sourceDirectory(id)
        .initialOffset()
        .map(text -> SourceOffsets.decode(text, Optional.of(SourceKind.KAFKA)))
        .filter(PartitionedOffset.class::isInstance)
        .map(offset -> ((PartitionedOffset) offset).next());
  }

  private static KafkaBrokers brokers(SourcePlan source, String servers) {
    Properties properties = new Properties();
    for (Map.Entry<String, SecretText> option : source.options().entrySet()) {
      if (option.getKey().startsWith(CLIENT)) {
        properties.put(option.getKey().substring(CLIENT.length()), option.getValue().value());
      }
    }
    return new KafkaBrokers(servers, properties, TIMEOUT);
  }
}
