package org.streammigrator.plan;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What reflection tells about the records of a document. */
final class Types {
  // Every call of getRecordComponents makes new ones, which parse their annotations again.
  private static final ClassValue<List<RecordComponent>> COMPONENTS =
      new ClassValue<>() {
        @Override
        protected List<RecordComponent> computeValue(Class<?> type) {
          return List.of(type.getRecordComponents());
        }
      };

  private static final ClassValue<Set<String>> KEYS =
      new ClassValue<>() {
        @Override
        protected Set<String> computeValue(Class<?> type) {
          return Collections.unmodifiableSet(findKeys(type));
        }
      };

  private Types() {}

  static List<RecordComponent> components(Class<?> record) {
    return COMPONENTS.get(record);
  }

  static Key key(RecordComponent component) {
    Key key = component.getAnnotation(Key.class);
    if (key == null) {
      throw new IllegalStateException(component + " has no @Key");
    }
    return key;
  }

  /** The raw class of a type. */
  static Class<?> raw(Type type) {
    return (Class<?>) (type instanceof ParameterizedType generic ? generic.getRawType() : type);
  }

  /** The type argument at the index. */
  static Type argument(Type type, int index) {
    return ((ParameterizedType) type).getActualTypeArguments()[index];
  }

  static boolean isOptional(Type type) {
    return raw(type) == Optional.class;
  }

  /** The type itself, or what an {@code Optional} holds. */
  static Type unwrapped(Type type) {
    return isOptional(type) ? argument(type, 0) : type;
  }

  /** The kinds of an address component. */
  static List<PlaceKind> kinds(RecordComponent component) {
    Class<?> kind = raw(argument(unwrapped(component.getGenericType()), 0));
    List<PlaceKind> kinds = new ArrayList<>();
    for (Object constant : kind.getEnumConstants()) {
      kinds.add((PlaceKind) constant);
    }
    return kinds;
  }

  /** Every key that the record knows, in its order. */
  static Set<String> keys(Class<?> record) {
    return KEYS.get(record);
  }

  private static Set<String> findKeys(Class<?> record) {
    Set<String> keys = new LinkedHashSet<>();
    for (RecordComponent component : components(record)) {
      if (key(component).form() == Key.Form.KIND_AS_KEY) {
        kinds(component).forEach(kind -> keys.add(kind.label()));
      } else {
        keys.add(component.getName());
      }
    }
    return keys;
  }

  /** What the constant of an enum is written as. */
  static String label(Object constant) {
    return constant instanceof Choice choice ? choice.label() : ((Enum<?>) constant).name();
  }

  static List<String> labels(Class<?> type) {
    List<String> labels = new ArrayList<>();
    for (Object constant : type.getEnumConstants()) {
      labels.add(label(constant));
    }
    return labels;
  }
}
