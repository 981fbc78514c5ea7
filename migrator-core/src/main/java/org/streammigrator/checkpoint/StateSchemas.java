package org.streammigrator.checkpoint;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the schema files of a checkpoint's state say.
 *
 * @param current the schemas in force, by operator, store and column family
 * @param earlier schemas that a state variable had before it evolved, which rows already written
 *     may still have; only {@code transformWithState} with Avro encoding has any
 * @param damaged the schema files that cannot be read, with the reason
 */
public record StateSchemas(
    List<StateSchema> current, List<StateSchema> earlier, Map<String, String> damaged) {

  public StateSchemas {
    current = List.copyOf(current);
    earlier = List.copyOf(earlier);
    damaged = java.util.Collections.unmodifiableMap(new TreeMap<>(damaged));
  }

  /** The schemas in force of one operator. */
  public List<StateSchema> of(int operator) {
    return current.stream().filter(schema -> schema.operator() == operator).toList();
  }
}
