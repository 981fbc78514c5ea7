package org.streammigrator.plan;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import org.streammigrator.storage.Location;

/**
 * Makes the JSON Schema of the plan file from the records it is read into. What the schema refuses
 * the reader refuses, too; the reader also finds contradictions that a schema cannot express.
 */
public final class PlanSchema {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final String REFERENCE = "\\$\\{";

  private final ObjectNode definitions = JSON.objectNode();

  private PlanSchema() {}

  /** The schema, JSON Schema draft 2020-12. */
  public static JsonNode generate() {
    return generate(
        PlanDocument.class,
        "migrator plan",
        "A plan of migrations of Spark Structured Streaming checkpoints.");
  }

  /** The schema of a policy of archiving. */
  public static JsonNode generatePolicy() {
    return generate(
        ArchivePolicy.class,
        "migrator archive policy",
        "Which checkpoints of Spark Structured Streaming are archived, and to where.");
  }

  private static JsonNode generate(Class<?> document, String title, String description) {
    PlanSchema schema = new PlanSchema();
    ObjectNode root = JSON.objectNode();
    root.put("$schema", "https://json-schema.org/draft/2020-12/schema");
    root.put("title", title);
    root.put("description", description);
    schema.describe(root, document, false);
    root.set("$defs", schema.definitions);
    return root;
  }

  /** The schema as indented text, ending in a line feed. The same text on every platform. */
  public static String text() {
    return text(generate());
  }

  /** A schema as such text. */
  static String text(JsonNode schema) {
    DefaultPrettyPrinter printer =
        new DefaultPrettyPrinter()
            .withObjectIndenter(new DefaultIndenter("  ", "\n"))
            .withArrayIndenter(new DefaultIndenter("  ", "\n"));
    try {
      return new ObjectMapper().writer(printer).writeValueAsString(schema) + "\n";
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** Writes the schema to the file given as the only argument. */
  public static void main(String[] arguments) throws IOException {
    Files.writeString(Path.of(arguments[0]), text());
  }

  private void describe(ObjectNode node, Class<?> record, boolean partial) {
    node.put("type", "object");
    ObjectNode properties = JSON.objectNode();
    ArrayNode required = JSON.arrayNode();
    for (RecordComponent component : Types.components(record)) {
      Key key = Types.key(component);
      if (key.form() == Key.Form.KIND_AS_KEY) {
        addKinds(node, properties, component, key.required() && !partial);
        continue;
      }
      ObjectNode property = property(component, key, partial);
      property.put("description", key.value());
      if (!key.defaultsTo().isEmpty()) {
        property.set("default", defaultValue(component, key));
      }
      properties.set(component.getName(), property);
      if (key.required() && !partial) {
        required.add(component.getName());
      }
    }
    node.set("properties", properties);
    if (!required.isEmpty()) {
      node.set("required", required);
    }
    node.put("additionalProperties", false);
  }

  private void addKinds(
      ObjectNode node, ObjectNode properties, RecordComponent component, boolean required) {
    ArrayNode alternatives = JSON.arrayNode();
    ArrayNode all = JSON.arrayNode();
    for (PlaceKind kind : Types.kinds(component)) {
      ObjectNode address = JSON.objectNode().put("type", "string");
      address.put(
          "description",
          kind.isPath()
              ? "A path, or a three-part table name."
              : "The address: " + kind.label() + ".");
      properties.set(kind.label(), address);
      ObjectNode one = JSON.objectNode();
      one.set("required", JSON.arrayNode().add(kind.label()));
      alternatives.add(one);
      all.add(one.deepCopy());
    }
    if (!required) {
      ObjectNode none = JSON.objectNode();
      none.set("not", JSON.objectNode().set("anyOf", all));
      alternatives.add(none);
    }
    node.set("oneOf", alternatives);
  }

  private static JsonNode defaultValue(RecordComponent component, Key key) {
    Class<?> type = component.getType();
    if (type == int.class) {
      return JSON.numberNode(Integer.parseInt(key.defaultsTo()));
    } else if (type == boolean.class) {
      return JSON.booleanNode(Boolean.parseBoolean(key.defaultsTo()));
    }
    return JSON.textNode(key.defaultsTo());
  }

  private ObjectNode property(RecordComponent component, Key key, boolean partial) {
    Type type = Types.unwrapped(component.getGenericType());
    if (Types.raw(type) == YamlNode.class) {
      return reference(key.tree(), true);
    }
    if (Types.raw(type) == List.class && Types.argument(type, 0) == YamlNode.class) {
      ObjectNode list = list(reference(key.tree(), partial));
      return list.put("minItems", 1);
    }
    return value(type, key, key.form(), partial);
  }

  private ObjectNode value(Type type, Key key, Key.Form form, boolean partial) {
    Class<?> raw = Types.raw(type);
    if (raw == List.class) {
      ObjectNode element = value(Types.argument(type, 0), key, Key.Form.PLAIN, partial);
      return switch (form) {
        case ONE_OR_LIST -> anyOf(element, list(element));
        case LIST_OR_NAMED -> anyOf(list(element), mapOf(element));
        case PLAIN, ANY_SCALAR, SIZE, JSON_TEXT, OR_AUTO, KIND_AS_KEY, SECRET -> list(element);
      };
    } else if (raw == Map.class) {
      return mapOf(value(Types.argument(type, 1), key, Key.Form.ANY_SCALAR, partial));
    } else if (raw.isRecord()) {
      Shorthand shorthand = raw.getAnnotation(Shorthand.class);
      return shorthand == null
          ? reference(raw, partial)
          : anyOf(single(raw, shorthand), reference(raw, partial));
    }
    return scalar(raw, key, form);
  }

  private ObjectNode single(Class<?> record, Shorthand shorthand) {
    for (RecordComponent component : Types.components(record)) {
      if (component.getName().equals(shorthand.value())) {
        Key key = Types.key(component);
        return scalar(Types.raw(component.getGenericType()), key, key.form());
      }
    }
    throw new IllegalStateException(record + " has no " + shorthand.value());
  }

  private ObjectNode scalar(Class<?> type, Key key, Key.Form form) {
    if (form == Key.Form.SECRET) {
      return text("\\$\\{env:[^}]+\\}");
    } else if (form == Key.Form.JSON_TEXT) {
      return types("string", "number", "boolean", "object", "array");
    } else if (form == Key.Form.ANY_SCALAR && type == String.class || type == SecretText.class) {
      return types("string", "number", "boolean");
    } else if (form == Key.Form.SIZE) {
      return anyOf(
          JSON.objectNode().put("type", "integer").put("minimum", 1),
          text("^[0-9]+ ?(|B|KiB|MiB|GiB|KB|MB|GB)$|" + REFERENCE));
    } else if (type == int.class || type == Long.class) {
      ObjectNode number = JSON.objectNode().put("type", "integer");
      if (key.min() != Long.MIN_VALUE) {
        number.put("minimum", key.min());
      }
      return anyOf(number, text(REFERENCE));
    } else if (type == boolean.class || type == Boolean.class) {
      return anyOf(JSON.objectNode().put("type", "boolean"), text(REFERENCE));
    } else if (type == Duration.class) {
      return text("^[0-9]+(ms|s|m|h|d)$|" + REFERENCE);
    } else if (type == Instant.class) {
      String time = "^[0-9]{4}-[0-9]{2}-[0-9]{2}T.+$|" + REFERENCE;
      return text(form == Key.Form.OR_AUTO ? "^auto$|" + time : time);
    } else if (type == LocalDate.class) {
      return text("^[0-9]{4}-[0-9]{2}-[0-9]{2}$|" + REFERENCE);
    } else if (type.isEnum()) {
      ArrayNode labels = JSON.arrayNode();
      Types.labels(type).forEach(labels::add);
      ObjectNode choice = JSON.objectNode();
      choice.set("enum", labels);
      return anyOf(choice, text(REFERENCE));
    } else if (type == String.class || type == SqlText.class || type == Location.class) {
      return JSON.objectNode().put("type", "string").put("minLength", 1);
    }
    throw new IllegalStateException("no schema for a " + type);
  }

  private ObjectNode reference(Class<?> record, boolean partial) {
    String name = record.getSimpleName().replace("Plan", "") + (partial ? "Defaults" : "");
    if (!definitions.has(name)) {
      ObjectNode definition = JSON.objectNode();
      definitions.set(name, definition);
      describe(definition, record, partial);
      if (partial && record == StreamPlan.class) {
        ObjectNode properties = (ObjectNode) definition.get("properties");
        StreamPlan.OWN_KEYS.forEach(properties::remove);
      }
    }
    return JSON.objectNode().put("$ref", "#/$defs/" + name);
  }

  private static ObjectNode text(String pattern) {
    return JSON.objectNode().put("type", "string").put("pattern", pattern);
  }

  private static ObjectNode types(String... names) {
    ArrayNode types = JSON.arrayNode();
    for (String name : names) {
      types.add(name);
    }
    ObjectNode node = JSON.objectNode();
    node.set("type", types);
    return node;
  }

  private static ObjectNode list(ObjectNode element) {
    ObjectNode node = JSON.objectNode().put("type", "array");
    node.set("items", element);
    return node;
  }

  private static ObjectNode mapOf(ObjectNode element) {
    ObjectNode node = JSON.objectNode().put("type", "object");
    node.set("additionalProperties", element);
    return node;
  }

  private static ObjectNode anyOf(ObjectNode... alternatives) {
    ArrayNode array = JSON.arrayNode();
    for (ObjectNode alternative : alternatives) {
      array.add(alternative.deepCopy());
    }
    ObjectNode node = JSON.objectNode();
    node.set("anyOf", array);
    return node;
  }
}
