package org.streammigrator.compatibility;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Compares a state schema with the stored one as Spark's {@code StateSchemaCompatibilityChecker}
 * does: names are ignored, the number of columns, their types and their nullability are not ({@code
 * DataType.equalsIgnoreNameAndCompatibleNullability}: a column may become non-null, not nullable).
 * Values in Avro encoding may evolve: columns are matched by name, may come (nullable ones) and go,
 * and may be widened.
 *
 * @param result how they compare
 * @param difference the first difference in words; empty if there is none
 */
record SchemaComparison(Result result, String difference) {

  /** How two schemas compare, from best to worst. */
  enum Result {
    SAME,
    EVOLVES,
    RENAMED,
    UNKNOWN,
    DIFFERENT
  }

  private static final Map<String, List<String>> WIDER = new HashMap<>();

  static {
    WIDER.put("integer", List.of("long", "float", "double"));
    WIDER.put("long", List.of("float", "double"));
    WIDER.put("float", List.of("double"));
    WIDER.put("string", List.of("binary"));
    WIDER.put("binary", List.of("string"));
  }

  private static final SchemaComparison SAME = new SchemaComparison(Result.SAME, "");

  /** A schema in Spark's JSON; empty if the text is none. */
  static Optional<JsonNode> parse(String text) {
    try {
      JsonNode node = new ObjectMapper().readTree(text);
      return Optional.ofNullable(node).filter(schema -> schema.path("fields").isArray());
    } catch (JsonProcessingException noJson) {
      return Optional.empty();
    }
  }

  /**
   * Compares.
   *
   * @param unchanged whether the new one was not given, so that it is the old one
   * @param avro whether it is a value in Avro encoding
   */
  static SchemaComparison of(
      Optional<JsonNode> old, Optional<JsonNode> now, boolean unchanged, boolean avro) {
    if (unchanged) {
      return SAME;
    }
    if (old.isEmpty() || now.isEmpty()) {
      return new SchemaComparison(
          Result.UNKNOWN,
          old.isEmpty()
              ? "the checkpoint has no schema to compare with"
              : "the new schema is no Spark schema in JSON");
    }
    String difference = struct(old.get(), now.get(), "");
    if (difference.isEmpty()) {
      String renamed = renamed(old.get(), now.get(), "");
      return renamed.isEmpty() ? SAME : new SchemaComparison(Result.RENAMED, renamed);
    }
    if (avro) {
      String stopped = avroStruct(old.get(), now.get());
      return new SchemaComparison(
          stopped.isEmpty() ? Result.EVOLVES : Result.DIFFERENT,
          stopped.isEmpty() ? difference : stopped);
    }
    return new SchemaComparison(Result.DIFFERENT, difference);
  }

  /** The worse of two. */
  SchemaComparison worse(SchemaComparison other) {
    return result.compareTo(other.result) >= 0 ? this : other;
  }

  private static String struct(JsonNode old, JsonNode now, String path) {
    JsonNode before = old.path("fields");
    JsonNode after = now.path("fields");
    if (before.size() != after.size()) {
      return (path.isEmpty() ? "" : path + ": ")
          + before.size()
          + " columns before, "
          + after.size()
          + " now";
    }
    for (int i = 0; i < before.size(); i++) {
      String column = path + after.get(i).path("name").asText();
      String difference = type(before.get(i).path("type"), after.get(i).path("type"), column);
      if (!difference.isEmpty()) {
        return difference;
      }
      if (widensToNull(before.get(i).path("nullable"), after.get(i).path("nullable"))) {
        return column + " becomes nullable";
      }
    }
    return "";
  }

  private static boolean widensToNull(JsonNode before, JsonNode after) {
    return after.asBoolean(true) && !before.asBoolean(true);
  }

  private static String type(JsonNode before, JsonNode after, String column) {
    String kind = before.path("type").asText();
    if (before.isTextual() || after.isTextual() || !kind.equals(after.path("type").asText())) {
      return before.equals(after) ? "" : column + ": " + name(before) + " becomes " + name(after);
    }
    return switch (kind) {
      case "struct" -> struct(before, after, column + ".");
      case "array" ->
          widensToNull(before.path("containsNull"), after.path("containsNull"))
              ? column + ": its elements become nullable"
              : type(before.path("elementType"), after.path("elementType"), column + "[]");
      case "map" -> {
        String keys = type(before.path("keyType"), after.path("keyType"), column + " (keys)");
        yield !keys.isEmpty()
            ? keys
            : widensToNull(before.path("valueContainsNull"), after.path("valueContainsNull"))
                ? column + ": its values become nullable"
                : type(before.path("valueType"), after.path("valueType"), column + " (values)");
      }
      default -> before.equals(after) ? "" : column + ": its type changes";
    };
  }

  private static String name(JsonNode type) {
    return type.isTextual() ? type.asText() : type.path("type").asText();
  }

  private static String renamed(JsonNode old, JsonNode now, String path) {
    for (int i = 0; i < old.path("fields").size(); i++) {
      JsonNode before = old.path("fields").get(i);
      JsonNode after = now.path("fields").get(i);
      String from = path + before.path("name").asText();
      String to = path + after.path("name").asText();
      if (!from.equals(to)) {
        return from + " becomes " + to;
      }
      if (before.path("type").path("fields").isArray()) {
        String inner = renamed(before.path("type"), after.path("type"), to + ".");
        if (!inner.isEmpty()) {
          return inner;
        }
      }
    }
    return "";
  }

  /** Why a reader with the new schema could not read old values; empty if it can. */
  private static String avroStruct(JsonNode old, JsonNode now) {
    Map<String, JsonNode> before = new HashMap<>();
    old.path("fields").forEach(field -> before.put(field.path("name").asText(), field));
    for (JsonNode field : now.path("fields")) {
      String column = field.path("name").asText();
      JsonNode was = before.get(column);
      if (was == null) {
        if (!field.path("nullable").asBoolean(true)) {
          return column + " is new and not nullable, so that it has no default";
        }
        continue;
      }
      String stopped = avroType(was.path("type"), field.path("type"), column);
      if (!stopped.isEmpty()) {
        return stopped;
      }
      if (was.path("nullable").asBoolean(true) && !field.path("nullable").asBoolean(true)) {
        return column + " is no longer nullable";
      }
    }
    return "";
  }

  private static String avroType(JsonNode before, JsonNode after, String column) {
    boolean widened =
        before.isTextual()
            && WIDER.getOrDefault(before.asText(), List.of()).contains(after.asText());
    if (widened || before.equals(after)) {
      return "";
    }
    return before.path("fields").isArray() && after.path("fields").isArray()
        ? avroStruct(before, after)
        : column + ": " + name(before) + " becomes " + name(after);
  }
}
