package org.streammigrator.checkpoint.source;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Google Pub/Sub Lite ({@code SparkSourceOffset.java}, {@code PslSparkUtils.toSparkSourceOffset},
 * which takes one off the cursor): by partition, the last consumed message.
 *
 * @param last by partition; -1: nothing
 */
public record PubSubLiteOffset(SortedMap<Integer, Long> last) implements SourceOffset {

  public PubSubLiteOffset {
    last = Collections.unmodifiableSortedMap(new TreeMap<>(last));
  }

  static Optional<PubSubLiteOffset> decode(JsonNode node) {
    return PartitionedOffset.partitions(node)
        .filter(partitions -> !partitions.isEmpty())
        .map(PubSubLiteOffset::new);
  }

  @Override
  public SourceKind kind() {
    return SourceKind.PUBSUB_LITE;
  }

  @Override
  public JsonNode json() {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    last.forEach((partition, offset) -> node.put(Integer.toString(partition), offset));
    return node;
  }
}
