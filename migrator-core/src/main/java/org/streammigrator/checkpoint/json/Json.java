package org.streammigrator.checkpoint.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Reads the JSON of checkpoint files; numbers stay exact 64-bit integers or are refused.
 *
 * <p>Trees are put together by hand: setting up an {@code ObjectMapper} takes longer than reading a
 * whole checkpoint.
 */
public final class Json {
  private static final JsonFactory FACTORY = new JsonFactory();

  private static final JsonFactory STRICT =
      new JsonFactory().enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION);

  /** Every number of so many digits fits a long. */
  private static final int MOST_DIGITS = 18;

  private Json() {}

  /** The value that a text holds; empty if it is no JSON. */
  public static Optional<JsonNode> parse(String text) {
    return parse(FACTORY, text);
  }

  /**
   * The value that a text holds; empty if it is no JSON, or if an object in it has a name twice,
   * which no writer writes and readers take for the one or the other.
   */
  public static Optional<JsonNode> parseUnambiguous(String text) {
    return parse(STRICT, text);
  }

  private static Optional<JsonNode> parse(JsonFactory factory, String text) {
    try (JsonParser parser = factory.createParser(text)) {
      if (parser.nextToken() == null) {
        return Optional.empty();
      }
      JsonNode node = read(parser);
      return parser.nextToken() == null ? Optional.of(node) : Optional.empty();
    } catch (IOException | NumberFormatException notJson) {
      return Optional.empty();
    }
  }

  private static JsonNode read(JsonParser parser) throws IOException {
    JsonNodeFactory nodes = JsonNodeFactory.instance;
    return switch (parser.currentToken()) {
      case START_OBJECT -> {
        ObjectNode object = nodes.objectNode();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
          String name = parser.currentName();
          parser.nextToken();
          object.set(name, read(parser));
        }
        yield object;
      }
      case START_ARRAY -> {
        ArrayNode array = nodes.arrayNode();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          array.add(read(parser));
        }
        yield array;
      }
      case VALUE_STRING -> nodes.textNode(parser.getText());
      case VALUE_NUMBER_INT ->
          switch (parser.getNumberType()) {
            case INT -> nodes.numberNode(parser.getIntValue());
            case LONG -> nodes.numberNode(parser.getLongValue());
            default -> nodes.numberNode(parser.getBigIntegerValue());
          };
      case VALUE_NUMBER_FLOAT -> nodes.numberNode(parser.getDecimalValue());
      case VALUE_TRUE -> nodes.booleanNode(true);
      case VALUE_FALSE -> nodes.booleanNode(false);
      case VALUE_NULL -> nodes.nullNode();
      default -> throw new IOException("no JSON value at " + parser.currentLocation());
    };
  }

  /** The object that a text holds; empty if it is no JSON object. */
  public static Optional<JsonNode> parseObject(String text) {
    return parse(text).filter(JsonNode::isObject);
  }

  /** A number that fits 64 bits exactly; empty for everything else. */
  public static OptionalLong exactLong(JsonNode node) {
    return node != null && node.isIntegralNumber() && node.canConvertToLong()
        ? OptionalLong.of(node.longValue())
        : OptionalLong.empty();
  }

  /**
   * A number as json4s, which reads Spark's logs, turns it into a long: integers lose their upper
   * bits, fractions what follows the point. Empty for what is no number.
   */
  public static OptionalLong asSparkReadsIt(JsonNode node) {
    if (node == null || !node.isNumber()) {
      return OptionalLong.empty();
    }
    if (node.isIntegralNumber()) {
      return OptionalLong.of(node.bigIntegerValue().longValue());
    }
    BigDecimal number = node.decimalValue();
    long integerDigits = (long) number.precision() - number.scale();
    if (integerDigits <= 0) {
      return OptionalLong.of(0);
    }
    if (integerDigits > MOST_DIGITS) {
      return OptionalLong.of(number.signum() > 0 ? Long.MAX_VALUE : Long.MIN_VALUE);
    }
    return OptionalLong.of(number.toBigInteger().longValueExact());
  }
}
