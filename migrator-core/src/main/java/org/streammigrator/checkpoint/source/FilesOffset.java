package org.streammigrator.checkpoint.source;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.Optional;
import java.util.OptionalLong;
import org.streammigrator.checkpoint.json.Json;

/**
 * A file source ({@code FileStreamSourceOffset}): the last consumed entry of its own log in {@code
 * sources/<id>}, which counts neither batches nor files.
 *
 * @param logOffset -1: nothing is consumed
 */
public record FilesOffset(long logOffset) implements SourceOffset {

  /** Reads {@code {"logOffset":n}}, or the bare number of Spark 2.0. */
  static Optional<FilesOffset> decode(JsonNode node) {
    OptionalLong offset = Json.exactLong(node.isObject() ? node.get("logOffset") : node);
    return offset.isPresent() && (!node.isObject() || node.size() == 1)
        ? Optional.of(new FilesOffset(offset.getAsLong()))
        : Optional.empty();
  }

  @Override
  public SourceKind kind() {
    return SourceKind.FILES;
  }

  @Override
  public JsonNode json() {
    return JsonNodeFactory.instance.objectNode().put("logOffset", logOffset);
  }
}
