package org.streammigrator.checkpoint.source;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.Optional;
import java.util.OptionalLong;
import org.streammigrator.checkpoint.json.Json;

/**
 * A source whose data lie in the memory of the driver: {@code TextSocketMicroBatchStream}, which
 * counts lines, and {@code MemoryStream}, which counts what was added.
 *
 * @param kind {@link SourceKind#SOCKET} or {@link SourceKind#MEMORY}
 * @param last the last consumed one; -1: nothing
 */
public record LastIndexOffset(SourceKind kind, long last) implements SourceOffset {

  public LastIndexOffset {
    requireNonNull(kind, "kind");
  }

  static Optional<LastIndexOffset> decode(SourceKind kind, JsonNode node) {
    OptionalLong last = Json.exactLong(node);
    return last.isPresent()
        ? Optional.of(new LastIndexOffset(kind, last.getAsLong()))
        : Optional.empty();
  }

  @Override
  public JsonNode json() {
    return JsonNodeFactory.instance.numberNode(last);
  }
}
