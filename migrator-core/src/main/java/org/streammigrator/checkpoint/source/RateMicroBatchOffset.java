package org.streammigrator.checkpoint.source;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.Optional;
import java.util.OptionalLong;
import org.streammigrator.checkpoint.json.Json;

/**
 * The rate-micro-batch source ({@code RatePerMicroBatchStreamOffset}).
 *
 * @param offset the next row number
 * @param timestampMs the time that its rows get, milliseconds since the epoch
 */
public record RateMicroBatchOffset(long offset, long timestampMs) implements SourceOffset {

  static Optional<RateMicroBatchOffset> decode(JsonNode node) {
    OptionalLong offset = Json.exactLong(node.get("offset"));
    OptionalLong timestamp = Json.exactLong(node.get("timestamp"));
    return node.isObject() && node.size() == 2 && offset.isPresent() && timestamp.isPresent()
        ? Optional.of(new RateMicroBatchOffset(offset.getAsLong(), timestamp.getAsLong()))
        : Optional.empty();
  }

  @Override
  public SourceKind kind() {
    return SourceKind.RATE_MICRO_BATCH;
  }

  @Override
  public JsonNode json() {
    return JsonNodeFactory.instance
        .objectNode()
        .put("offset", offset)
        .put("timestamp", timestampMs);
  }
}
