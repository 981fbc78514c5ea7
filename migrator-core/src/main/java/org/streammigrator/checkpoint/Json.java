package org.streammigrator.checkpoint;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.Optional;
import java.util.OptionalLong;

/** Reads the JSON of checkpoint files; numbers stay exact 64-bit integers or are refused. */
final class Json {
  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .build();

  private Json() {}

  /** The value that a text holds; empty if it is no JSON. */
  static Optional<JsonNode> parse(String text) {
    try {
      JsonNode node = MAPPER.readTree(text);
      return node == null || node.isMissingNode() ? Optional.empty() : Optional.of(node);
    } catch (JsonProcessingException notJson) {
      return Optional.empty();
    }
  }

  /** The object that a text holds; empty if it is no JSON object. */
  static Optional<JsonNode> parseObject(String text) {
    return parse(text).filter(JsonNode::isObject);
  }

  /** A number that fits 64 bits exactly; empty for everything else. */
  static OptionalLong exactLong(JsonNode node) {
    return node != null && node.isIntegralNumber() && node.canConvertToLong()
        ? OptionalLong.of(node.longValue())
        : OptionalLong.empty();
  }
}
