package org.streammigrator.job;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.streammigrator.finding.DidYouMean;

/** Holds JSON against the records that it is read into, and finds all that does not fit at once. */
final class SpecChecker {
  private static final String STORAGE = "storage";
  private static final String OPTIONS = ".options.";

  private final List<String> problems = new ArrayList<>();

  /** What is wrong, in the order of the record; empty if the JSON fits. */
  static List<String> problems(JsonNode node, Class<? extends Record> type) {
    SpecChecker checker = new SpecChecker();
    checker.record(node, type, "");
    return checker.problems;
  }

  private void record(JsonNode node, Class<?> type, String path) {
    if (!node.isObject()) {
      problems.add(path + ": an object is wanted here, not " + shown(node, path));
      return;
    }
    Map<String, RecordComponent> known = new TreeMap<>();
    for (RecordComponent component : type.getRecordComponents()) {
      known.put(component.getName(), component);
    }
    node.fieldNames()
        .forEachRemaining(
            name -> {
              if (!known.containsKey(name)) {
                problems.add(
                    join(path, name)
                        + ": unknown key; known are "
                        + String.join(", ", known.keySet())
                        + DidYouMean.among(name, known.keySet()));
              }
            });
    for (RecordComponent component : type.getRecordComponents()) {
      JsonNode value = node.path(component.getName());
      if (value.isMissingNode() || value.isNull()) {
        if (isRequired(type, component)) {
          problems.add(join(path, component.getName()) + " is missing");
        }
      } else {
        value(value, component.getGenericType(), join(path, component.getName()));
      }
    }
  }

  private void value(JsonNode value, Type type, String path) {
    if (type instanceof ParameterizedType generic) {
      Type[] arguments = generic.getActualTypeArguments();
      if (generic.getRawType() == List.class) {
        elements(value, arguments[0], path);
      } else {
        entries(value, arguments[1], path);
      }
      return;
    }
    Class<?> plain = (Class<?>) type;
    if (plain.isRecord()) {
      record(value, plain, path);
    } else if (plain == Instant.class) {
      instant(value, path);
    } else if (plain == String.class) {
      require(value.isTextual() && !value.asText().isBlank(), "a text", value, path);
    } else if (plain == Boolean.class || plain == boolean.class) {
      require(value.isBoolean(), "true or false", value, path);
    } else if (plain == Integer.class || plain == int.class) {
      require(value.canConvertToInt() && value.isIntegralNumber(), "a whole number", value, path);
    } else if (plain == Long.class || plain == long.class) {
      require(value.canConvertToLong() && value.isIntegralNumber(), "a whole number", value, path);
    }
  }

  private void elements(JsonNode value, Type element, String path) {
    if (!value.isArray()) {
      problems.add(path + ": a list is wanted here, not " + shown(value, path));
      return;
    }
    for (int i = 0; i < value.size(); i++) {
      value(value.get(i), element, path + "[" + i + "]");
    }
  }

  private void entries(JsonNode value, Type element, String path) {
    if (!value.isObject()) {
      problems.add(path + ": an object is wanted here, not " + shown(value, path));
      return;
    }
    value.fields().forEachRemaining(e -> value(e.getValue(), element, join(path, e.getKey())));
  }

  private void instant(JsonNode value, String path) {
    try {
      Instant.parse(value.asText());
    } catch (DateTimeException invalid) {
      problems.add(path + ": " + value + " is no instant such as 2026-03-27T10:00:00Z");
    }
  }

  private void require(boolean holds, String what, JsonNode value, String path) {
    if (!holds) {
      problems.add(path + ": " + what + " is wanted here, not " + shown(value, path));
    }
  }

  /** A value as it stands; of those that may be secrets only what they are. */
  private static String shown(JsonNode value, String path) {
    return path.startsWith(STORAGE) || path.contains(OPTIONS)
        ? value.getNodeType().name().toLowerCase(Locale.ROOT)
        : value.toString();
  }

  /** The annotation stands at the constructor's parameter, where Jackson reads it. */
  static boolean isRequired(Class<?> type, RecordComponent component) {
    if (component.getType().isPrimitive()) {
      return true;
    }
    JsonProperty property = component.getAccessor().getAnnotation(JsonProperty.class);
    return property != null && property.required()
        || Arrays.stream(type.getDeclaredFields())
            .filter(field -> field.getName().equals(component.getName()))
            .map(field -> field.getAnnotation(JsonProperty.class))
            .anyMatch(found -> found != null && found.required());
  }

  private static String join(String path, String name) {
    return path.isEmpty() ? name : path + "." + name;
  }
}
