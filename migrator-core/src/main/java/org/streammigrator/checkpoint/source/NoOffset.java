package org.streammigrator.checkpoint.source;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;

/** The source has delivered nothing yet ({@code -}). */
public record NoOffset() implements SourceOffset {

  /** What Spark writes for a source without an offset ({@code SERIALIZED_VOID_OFFSET}). */
  public static final String TEXT = "-";

  @Override
  public SourceKind kind() {
    return SourceKind.NONE;
  }

  @Override
  public JsonNode json() {
    return JsonNodeFactory.instance.nullNode();
  }
}
