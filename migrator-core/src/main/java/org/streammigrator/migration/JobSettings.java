package org.streammigrator.migration;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A change of a job's settings, and the way back.
 *
 * @param previous the top-level settings that change, as they were, of {@code tasks} and {@code
 *     job_clusters} the entries that change; what was not there is left out
 * @param next the same as they are to be
 */
record JobSettings(ObjectNode previous, ObjectNode next) {
  /** The arrays of which single entries change, and what tells their entries apart. */
  private static final Map<String, String> KEYS =
      Map.of("tasks", "task_key", "job_clusters", "job_cluster_key");

  /** No change. */
  static JobSettings none() {
    return new JobSettings(
        JsonNodeFactory.instance.objectNode(), JsonNodeFactory.instance.objectNode());
  }

  /** A change that an entry of the journal tells. */
  static JobSettings of(JsonNode entry) {
    return new JobSettings((ObjectNode) entry.path("previous"), (ObjectNode) entry.path("next"));
  }

  /** Adds a change to an entry of the journal. */
  void addTo(ObjectNode entry) {
    entry.set("previous", previous);
    entry.set("next", next);
  }

  boolean isEmpty() {
    return next.isEmpty();
  }

  /** Adds the change of a setting. */
  void change(JsonNode settings, String name, JsonNode value) {
    if (settings.has(name)) {
      previous.set(name, settings.get(name).deepCopy());
    }
    next.set(name, value);
  }

  /** Adds the change of an entry of {@code tasks} or {@code job_clusters}. */
  void changeEntry(String array, JsonNode was, JsonNode value) {
    previous.withArray(array).add(was.deepCopy());
    next.withArray(array).add(value);
  }

  /** The settings whose value in a job is neither the former nor the new one. */
  List<String> foreign(JsonNode settings) {
    List<String> foreign = new ArrayList<>();
    next.properties()
        .forEach(
            each -> {
              JsonNode now = current(settings, each.getKey(), each.getValue());
              if (!now.equals(each.getValue()) && !now.equals(previous.path(each.getKey()))) {
                foreign.add(each.getKey());
              }
            });
    return foreign;
  }

  /** What of the change a job lacks. */
  ObjectNode toDo(JsonNode settings) {
    ObjectNode left = JsonNodeFactory.instance.objectNode();
    next.properties()
        .forEach(
            each -> {
              if (!current(settings, each.getKey(), each.getValue()).equals(each.getValue())) {
                left.set(each.getKey(), each.getValue());
              }
            });
    return left;
  }

  /** What of a job has to be put back: what is as the change left it. */
  ObjectNode toUndo(JsonNode settings) {
    ObjectNode back = JsonNodeFactory.instance.objectNode();
    previous
        .properties()
        .forEach(
            each -> {
              JsonNode changed = next.path(each.getKey());
              if (!changed.equals(each.getValue())
                  && current(settings, each.getKey(), changed).equals(changed)) {
                back.set(each.getKey(), each.getValue());
              }
            });
    return back;
  }

  /** What of a job has to go: it was not there. */
  List<String> toRemove(JsonNode settings) {
    List<String> removed = new ArrayList<>();
    next.properties()
        .forEach(
            each -> {
              if (!previous.has(each.getKey())
                  && settings.path(each.getKey()).equals(each.getValue())) {
                removed.add(each.getKey());
              }
            });
    return removed;
  }

  /** What a job has of a setting; of the arrays, the entries that the change is about. */
  private static JsonNode current(JsonNode settings, String name, JsonNode about) {
    String key = KEYS.get(name);
    if (key == null) {
      return settings.path(name);
    }
    ArrayNode entries = JsonNodeFactory.instance.arrayNode();
    for (JsonNode wanted : about) {
      for (JsonNode entry : settings.path(name)) {
        if (entry.path(key).equals(wanted.path(key))) {
          entries.add(entry);
        }
      }
    }
    return entries;
  }
}
