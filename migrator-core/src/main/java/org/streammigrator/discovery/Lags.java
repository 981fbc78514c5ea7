package org.streammigrator.discovery;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.Optional;
import org.streammigrator.checkpoint.source.SourceKind;
import org.streammigrator.discovery.DiscoveredCheckpoint.Lag;
import org.streammigrator.facts.DeltaFacts;
import org.streammigrator.facts.Facts;
import org.streammigrator.facts.KafkaFacts;
import org.streammigrator.verdict.Inspection;

/**
 * How far sources are behind, where facts tell. Topics are known by their names. Tables are known
 * by their ids, whatever source id their facts stand under, since a fleet has many sources of one
 * id.
 */
final class Lags {
  private final Facts facts;

  Lags(Facts facts) {
    this.facts = facts;
  }

  /** The lag of the committed position; null where nothing tells it. */
  Lag of(Inspection.Source source) {
    if (source.committed() == null) {
      return null;
    }
    if (source.type() == SourceKind.DELTA) {
      return versions(source.committed());
    }
    return source.type() == SourceKind.KAFKA || source.type() == SourceKind.EVENTHUBS
        ? records(source.committed())
        : null;
  }

  private Lag versions(JsonNode offset) {
    Optional<String> table = Optional.of(offset.path("reservoirId").asText());
    for (DeltaFacts known : facts.delta().values()) {
      if (known.tableId().equals(table) && !offset.path("isStartingVersion").asBoolean()) {
        long next = offset.path("reservoirVersion").longValue();
        return new Lag(Math.max(0, known.latest() + 1 - next), "versions");
      }
    }
    return null;
  }

  /** The offsets do not tell Kafka from Event Hubs: the facts that know the topic do. */
  private Lag records(JsonNode offset) {
    long sum = 0;
    for (Map.Entry<String, JsonNode> topic : offset.properties()) {
      KafkaFacts known = facts.kafka().get(topic.getKey());
      long afterLatest = 0;
      if (known == null) {
        known = facts.eventhubs().get(topic.getKey());
        afterLatest = 1; // The latest number of a hub is that of its last event.
      }
      if (known == null) {
        return null;
      }
      for (Map.Entry<Integer, KafkaFacts.Range> partition : known.partitions().entrySet()) {
        JsonNode next = topic.getValue().get(partition.getKey().toString());
        KafkaFacts.Range range = partition.getValue();
        long from = next == null ? range.earliest() : next.longValue();
        sum += Math.max(0, range.latest() + afterLatest - from);
      }
    }
    return new Lag(sum, "records");
  }
}
