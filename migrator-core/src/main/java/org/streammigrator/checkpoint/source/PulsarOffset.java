package org.streammigrator.checkpoint.source;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import org.streammigrator.checkpoint.json.Json;

/**
 * Pulsar by StreamNative's connector ({@code SpecificPulsarOffset}): by topic, the last consumed
 * message, whose id is written as the bytes of {@code MessageId.toByteArray}.
 *
 * @param json the offset as it stands
 * @param last by topic
 */
public record PulsarOffset(JsonNode json, SortedMap<String, PulsarMessageId> last)
    implements SourceOffset {

  public PulsarOffset {
    requireNonNull(json, "json");
    last = Collections.unmodifiableSortedMap(new TreeMap<>(last));
  }

  static Optional<PulsarOffset> decode(JsonNode node) {
    if (!node.isObject() || node.isEmpty()) {
      return Optional.empty();
    }
    SortedMap<String, PulsarMessageId> topics = new TreeMap<>();
    for (Map.Entry<String, JsonNode> topic : node.properties()) {
      Optional<PulsarMessageId> id = bytes(topic.getValue()).flatMap(PulsarMessageId::ofBytes);
      if (id.isEmpty()) {
        return Optional.empty();
      }
      topics.put(topic.getKey(), id.get());
    }
    return Optional.of(new PulsarOffset(node, topics));
  }

  private static Optional<byte[]> bytes(JsonNode node) {
    if (!node.isArray() || node.isEmpty()) {
      return Optional.empty();
    }
    byte[] bytes = new byte[node.size()];
    for (int i = 0; i < bytes.length; i++) {
      OptionalLong value = Json.exactLong(node.get(i));
      if (value.isEmpty() || value.getAsLong() < -128 || value.getAsLong() > 255) {
        return Optional.empty();
      }
      bytes[i] = (byte) value.getAsLong();
    }
    return Optional.of(bytes);
  }

  @Override
  public SourceKind kind() {
    return SourceKind.PULSAR;
  }
}
