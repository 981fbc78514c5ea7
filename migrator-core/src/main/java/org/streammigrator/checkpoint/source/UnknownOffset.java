package org.streammigrator.checkpoint.source;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import org.streammigrator.checkpoint.json.Json;

/**
 * Text that only its own connector understands.
 *
 * @param raw the text as it stands
 */
public record UnknownOffset(String raw) implements SourceOffset {
  public UnknownOffset {
    requireNonNull(raw, "raw");
  }

  @Override
  public SourceKind kind() {
    return SourceKind.UNKNOWN;
  }

  @Override
  public JsonNode json() {
    return Json.parse(raw).orElseGet(() -> JsonNodeFactory.instance.textNode(raw));
  }
}
