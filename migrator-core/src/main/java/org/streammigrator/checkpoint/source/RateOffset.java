package org.streammigrator.checkpoint.source;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.Optional;
import java.util.OptionalLong;
import org.streammigrator.checkpoint.json.Json;

/**
 * The rate source ({@code RateStreamMicroBatchStream}).
 *
 * @param seconds seconds since its creation, of which all before this one are consumed
 */
public record RateOffset(long seconds) implements SourceOffset {

  static Optional<RateOffset> decode(JsonNode node) {
    OptionalLong seconds = Json.exactLong(node);
    return seconds.isPresent()
        ? Optional.of(new RateOffset(seconds.getAsLong()))
        : Optional.empty();
  }

  @Override
  public SourceKind kind() {
    return SourceKind.RATE;
  }

  @Override
  public JsonNode json() {
    return JsonNodeFactory.instance.numberNode(seconds);
  }
}
