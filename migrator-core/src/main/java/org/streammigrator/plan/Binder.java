package org.streammigrator.plan;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.streammigrator.finding.DidYouMean;
import org.streammigrator.storage.Location;

/**
 * Reads a tree into records, by their components' names, types and {@link Key}s. Goes on after a
 * problem, so that all of them are found.
 */
final class Binder {
  /** Stands for a value that could not be read; its problem has been reported. */
  private static final Object FAILED = new Object();

  private final Problems problems;
  private final boolean partial;
  private final ScalarReader scalars;

  private Binder(Path base, Problems problems, boolean partial) {
    this.problems = problems;
    this.partial = partial;
    this.scalars = new ScalarReader(base, problems);
  }

  /**
   * Reads maps as whole documents.
   *
   * @param base what relative paths stand in
   */
  static Binder whole(Path base, Problems problems) {
    return new Binder(base, problems, false);
  }

  /** Checks maps that others are merged over: no key is required. */
  static Binder partial(Path base, Problems problems) {
    return new Binder(base, problems, true);
  }

  /** The record; empty, with problems, when it could not be read (always when partial). */
  <R extends Record> Optional<R> bind(Class<R> type, YamlMap map) {
    Object bound = record(type, map);
    return bound == FAILED ? Optional.empty() : Optional.of(type.cast(bound));
  }

  private Object record(Class<?> type, YamlMap map) {
    Set<String> known = Types.keys(type);
    map.entries()
        .forEach(
            (key, entry) -> {
              if (!known.contains(key)) {
                problems.add(entry.key(), unknownKey(key, known));
              }
            });
    List<RecordComponent> components = Types.components(type);
    Object[] values = new Object[components.size()];
    boolean failed = partial;
    for (int i = 0; i < components.size(); i++) {
      values[i] = component(components.get(i), map);
      failed |= values[i] == FAILED;
    }
    return failed ? FAILED : construct(type, components, values);
  }

  private static String unknownKey(String key, Set<String> known) {
    String suggestion = DidYouMean.among(key, known);
    return "unknown key '"
        + key
        + "'"
        + (suggestion.isEmpty() ? "; known here: " + String.join(", ", known) : suggestion);
  }

  private Object component(RecordComponent component, YamlMap map) {
    Key key = Types.key(component);
    if (key.form() == Key.Form.KIND_AS_KEY) {
      return address(component, key, map);
    }
    YamlMap.Entry entry = map.entries().get(component.getName());
    if (entry == null) {
      return absent(component, key, map);
    }
    YamlNode node = entry.value();
    if (node instanceof YamlScalar scalar && scalar.isNull()) {
      problems.add(
          scalar.origin(),
          "'" + component.getName() + "' has no value: give it one or leave it out");
      return FAILED;
    }
    Type type = component.getGenericType();
    boolean auto =
        key.form() == Key.Form.OR_AUTO
            && node instanceof YamlScalar scalar
            && scalar.text().equals("auto");
    if (auto) {
      return Optional.empty();
    }
    Object value = value(Types.unwrapped(type), key, key.form(), node);
    return Types.isOptional(type) && value != FAILED ? Optional.of(value) : value;
  }

  private Object absent(RecordComponent component, Key key, YamlMap map) {
    Type type = component.getGenericType();
    Class<?> raw = Types.raw(type);
    if (key.required()) {
      if (!partial) {
        problems.add(
            map.origin().key(component.getName()),
            "the key '" + component.getName() + "' is missing");
      }
      return FAILED;
    }
    if (raw == Optional.class) {
      return Optional.empty();
    } else if (raw == List.class) {
      return List.of();
    } else if (raw == Map.class) {
      return Map.of();
    } else if (!key.defaultsTo().isEmpty()) {
      Origin origin = map.origin().key(component.getName());
      YamlScalar text =
          new YamlScalar(origin, key.defaultsTo(), key.defaultsTo(), YamlScalar.Kind.INTERPOLATED);
      return value(type, key, key.form(), text);
    } else if (raw.isRecord()) {
      return record(raw, YamlMap.empty(map.origin().key(component.getName())));
    }
    return null;
  }

  private Object value(Type type, Key key, Key.Form form, YamlNode node) {
    Class<?> raw = Types.raw(type);
    if (raw == YamlNode.class) {
      return node;
    } else if (raw == List.class) {
      return list(Types.argument(type, 0), key, form, node);
    } else if (raw == Map.class) {
      return map(Types.argument(type, 1), key, node);
    } else if (raw.isRecord()) {
      return recordOrShorthand(raw, node);
    }
    if (node instanceof YamlScalar scalar) {
      if (scalar.isNull()) {
        problems.add(scalar.origin(), "expected a value, found nothing");
        return FAILED;
      }
      return scalars.read(raw, form, key.min(), scalar).<Object>map(read -> read).orElse(FAILED);
    }
    if (form == Key.Form.JSON_TEXT) {
      return YamlJson.of(node).toString();
    }
    problems.add(node.origin(), "expected a single value, found " + node.describe());
    return FAILED;
  }

  private Object recordOrShorthand(Class<?> type, YamlNode node) {
    if (node instanceof YamlMap map) {
      return record(type, map);
    }
    Shorthand shorthand = type.getAnnotation(Shorthand.class);
    if (shorthand != null && node instanceof YamlScalar) {
      YamlMap.Entry entry = new YamlMap.Entry(node.origin(), node);
      return record(type, new YamlMap(node.origin(), Map.of(shorthand.value(), entry)));
    }
    boolean open = node instanceof YamlScalar scalar && scalar.kind() == YamlScalar.Kind.OPEN;
    if (!open) {
      problems.add(
          node.origin(),
          "expected a map with the keys "
              + String.join(", ", Types.keys(type))
              + ", found "
              + node.describe());
    }
    return FAILED;
  }

  private Object list(Type element, Key key, Key.Form form, YamlNode node) {
    List<YamlNode> items;
    if (node instanceof YamlList list) {
      items = list.items();
    } else if (form == Key.Form.LIST_OR_NAMED && node instanceof YamlMap map) {
      items = named(map);
    } else if (form == Key.Form.ONE_OR_LIST) {
      items = List.of(node);
    } else {
      problems.add(node.origin(), "expected a list, found " + node.describe());
      return FAILED;
    }
    List<Object> values = new ArrayList<>();
    items.forEach(item -> values.add(value(element, key, Key.Form.PLAIN, item)));
    return values.contains(FAILED) ? FAILED : List.copyOf(values);
  }

  private static List<YamlNode> named(YamlMap map) {
    List<YamlNode> items = new ArrayList<>();
    map.entries()
        .forEach(
            (name, entry) -> {
              if (entry.value() instanceof YamlMap item && item.get("name").isEmpty()) {
                YamlScalar text =
                    new YamlScalar(entry.key(), name, name, YamlScalar.Kind.INTERPOLATED);
                items.add(item.with("name", new YamlMap.Entry(entry.key(), text)));
              } else {
                items.add(entry.value());
              }
            });
    return items;
  }

  private Object map(Type element, Key key, YamlNode node) {
    if (!(node instanceof YamlMap map)) {
      problems.add(node.origin(), "expected a map, found " + node.describe());
      return FAILED;
    }
    Map<String, Object> values = new LinkedHashMap<>();
    map.entries()
        .forEach(
            (name, entry) ->
                values.put(name, value(element, key, Key.Form.ANY_SCALAR, entry.value())));
    return values.containsValue(FAILED) ? FAILED : Collections.unmodifiableMap(values);
  }

  private Object address(RecordComponent component, Key key, YamlMap map) {
    List<PlaceKind> kinds = Types.kinds(component);
    List<PlaceKind> present =
        kinds.stream().filter(kind -> map.entries().containsKey(kind.label())).toList();
    boolean optional = Types.isOptional(component.getGenericType());
    if (present.isEmpty()) {
      if (key.required() && !partial) {
        problems.add(
            map.origin(),
            "one of these keys is missing: "
                + String.join(", ", kinds.stream().map(Choice::label).toList()));
      }
      return optional ? Optional.empty() : FAILED;
    }
    if (present.size() > 1) {
      problems.add(
          map.entries().get(present.get(1).label()).key(),
          "only one kind can stand here, found "
              + String.join(" and ", present.stream().map(Choice::label).toList()));
      return FAILED;
    }
    PlaceKind kind = present.get(0);
    Object text = value(String.class, key, Key.Form.PLAIN, map.entries().get(kind.label()).value());
    if (text == FAILED) {
      return FAILED;
    }
    Optional<Location> location = Optional.empty();
    if (kind.isPath() && !Address.isTableName((String) text)) {
      YamlNode node = map.entries().get(kind.label()).value();
      Object place = value(Location.class, key, Key.Form.PLAIN, node);
      if (place == FAILED) {
        return FAILED;
      }
      location = Optional.of((Location) place);
    }
    Object address = newAddress(kind, (String) text, location);
    return optional ? Optional.of(address) : address;
  }

  private static Object newAddress(PlaceKind kind, String text, Optional<Location> location) {
    if (kind instanceof SourceKind source) {
      return new Address<>(source, text, location);
    }
    return new Address<>((SinkKind) kind, text, location);
  }

  private static Object construct(
      Class<?> type, List<RecordComponent> components, Object[] values) {
    Class<?>[] types = components.stream().map(RecordComponent::getType).toArray(Class<?>[]::new);
    try {
      return type.getDeclaredConstructor(types).newInstance(values);
    } catch (InvocationTargetException thrown) {
      throw new IllegalStateException(type + " refused its components", thrown.getCause());
    } catch (ReflectiveOperationException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
