package org.streammigrator.checkpoint.source;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import org.streammigrator.checkpoint.json.Json;

/**
 * Kafka ({@code KafkaSourceOffset}), and Event Hubs, whose offsets look the same: by topic or hub
 * and partition, the next record to read.
 *
 * @param kind {@link SourceKind#KAFKA} or {@link SourceKind#EVENTHUBS}
 * @param next by topic and partition; negative only in damaged logs, since -1 and -2 are words of
 *     the reader option {@code startingOffsets}
 */
public record PartitionedOffset(SourceKind kind, SortedMap<String, SortedMap<Integer, Long>> next)
    implements SourceOffset {

  public PartitionedOffset {
    requireNonNull(kind, "kind");
    SortedMap<String, SortedMap<Integer, Long>> copy = new TreeMap<>();
    next.forEach((t, p) -> copy.put(t, Collections.unmodifiableSortedMap(new TreeMap<>(p))));
    next = Collections.unmodifiableSortedMap(copy);
  }

  static Optional<PartitionedOffset> decode(SourceKind kind, JsonNode node) {
    if (!node.isObject() || node.isEmpty()) {
      return Optional.empty();
    }
    SortedMap<String, SortedMap<Integer, Long>> topics = new TreeMap<>();
    for (Map.Entry<String, JsonNode> topic : node.properties()) {
      Optional<SortedMap<Integer, Long>> partitions = partitions(topic.getValue());
      if (partitions.isEmpty()) {
        return Optional.empty();
      }
      topics.put(topic.getKey(), partitions.get());
    }
    return Optional.of(new PartitionedOffset(kind, topics));
  }

  /** Numbers by partition; empty if the node is no object of these. */
  static Optional<SortedMap<Integer, Long>> partitions(JsonNode node) {
    if (!node.isObject()) {
      return Optional.empty();
    }
    SortedMap<Integer, Long> partitions = new TreeMap<>();
    for (Map.Entry<String, JsonNode> partition : node.properties()) {
      OptionalLong offset = Json.exactLong(partition.getValue());
      if (offset.isEmpty() || !partition.getKey().matches("0|[1-9][0-9]{0,8}")) {
        return Optional.empty();
      }
      partitions.put(Integer.valueOf(partition.getKey()), offset.getAsLong());
    }
    return Optional.of(partitions);
  }

  @Override
  public JsonNode json() {
    var topics = JsonNodeFactory.instance.objectNode();
    for (Map.Entry<String, SortedMap<Integer, Long>> topic : next.entrySet()) {
      var partitions = topics.putObject(topic.getKey());
      topic.getValue().forEach((p, offset) -> partitions.put(Integer.toString(p), offset));
    }
    return topics;
  }
}
