package org.streammigrator.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.math.BigInteger;

/** Turns a YAML tree into the JSON it means. */
final class YamlJson {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private YamlJson() {}

  static JsonNode of(YamlNode node) {
    if (node instanceof YamlMap map) {
      ObjectNode object = JSON.objectNode();
      map.entries().forEach((key, entry) -> object.set(key, of(entry.value())));
      return object;
    }
    if (node instanceof YamlList list) {
      ArrayNode array = JSON.arrayNode();
      list.items().forEach(item -> array.add(of(item)));
      return array;
    }
    YamlScalar scalar = (YamlScalar) node;
    try {
      return switch (scalar.kind()) {
        case INTEGER -> JSON.numberNode(new BigInteger(scalar.text()));
        case FLOAT -> JSON.numberNode(new BigDecimal(scalar.text()));
        case BOOLEAN -> JSON.booleanNode(scalar.text().equalsIgnoreCase("true"));
        case NULL -> JSON.nullNode();
        case TEXT, INTERPOLATED, OPEN -> JSON.textNode(scalar.text());
      };
    } catch (NumberFormatException notDecimal) {
      return JSON.textNode(scalar.text());
    }
  }
}
