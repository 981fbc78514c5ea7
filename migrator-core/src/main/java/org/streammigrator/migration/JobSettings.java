package org.streammigrator.migration;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A change of single values in a job's settings, and the way back. Nothing else of the settings is
 * kept, so that what others change meanwhile stays, and no secret of theirs is written anywhere.
 */
record JobSettings(List<JobValue> values) {
  private static final String CHANGES = "changes";

  /** The arrays of settings, and what tells their entries apart. */
  private static final Map<String, String> KEYS =
      Map.of("tasks", "task_key", "job_clusters", "job_cluster_key", "parameters", "name");

  /** The arrays of which single entries can be sent; of others all. */
  private static final List<String> MERGED = List.of("tasks", "job_clusters");

  /** No change yet. */
  static JobSettings none() {
    return new JobSettings(new ArrayList<>());
  }

  /** The change that an entry of the journal tells. */
  static JobSettings of(JsonNode entry) {
    JobSettings settings = none();
    entry.path(CHANGES).forEach(change -> settings.values.add(JobValue.of(change)));
    return settings;
  }

  /** Adds the change to an entry of the journal. */
  void addTo(ObjectNode entry) {
    ArrayNode changes = entry.putArray(CHANGES);
    values.forEach(value -> changes.add(value.json()));
  }

  /** Whether it has a change of a top-level setting. */
  boolean changes(String setting) {
    return values.stream().anyMatch(value -> value.setting().equals(setting));
  }

  boolean isEmpty() {
    return values.isEmpty();
  }

  /**
   * Adds the change of a value.
   *
   * @param settings the job's settings as they are
   * @param setting the top-level setting
   * @param key the entry's key where the setting is an array; empty otherwise
   * @param path the names below that
   * @return what it was; missing if it was not there
   */
  JsonNode change(JsonNode settings, String setting, String key, List<String> path, JsonNode next) {
    JsonNode at = entry(settings, setting, key);
    int made = 0;
    for (int i = 0; i < path.size(); i++) {
      at = JobValue.child(at, path.get(i));
      if (at.isMissingNode()) {
        made = path.size() - 1 - i;
        break;
      }
    }
    values.add(new JobValue(setting, key, path, at, next, made));
    return at;
  }

  /** The values that are neither what they were nor what they become. */
  List<JobValue> foreign(JsonNode settings) {
    return values.stream()
        .filter(
            value -> {
              JsonNode now = now(settings, value);
              return !now.equals(value.next()) && !now.equals(value.previous());
            })
        .toList();
  }

  /** The settings to be sent so that a job has the change; empty if it has it. */
  ObjectNode toDo(JsonNode settings) {
    ObjectNode sent = JsonNodeFactory.instance.objectNode();
    for (JobValue value : values) {
      boolean isGone =
          !value.path().isEmpty() && entry(settings, value.setting(), value.key()).isMissingNode();
      if (!isGone && !now(settings, value).equals(value.next())) {
        value.put(entryToSend(sent, settings, value), sent);
      }
    }
    return sent;
  }

  /** The settings to be sent so that a job has back what it had; empty if it has. */
  ObjectNode toUndo(JsonNode settings) {
    ObjectNode sent = JsonNodeFactory.instance.objectNode();
    for (JobValue value : values) {
      boolean isWhole = value.path().isEmpty() && value.previous().isMissingNode();
      if (now(settings, value).equals(value.next()) && !value.isSame() && !isWhole) {
        value.putBack(entryToSend(sent, settings, value), sent);
      }
    }
    return sent;
  }

  /** The settings that a job did not have at all. */
  List<String> toRemove(JsonNode settings) {
    return values.stream()
        .filter(value -> value.path().isEmpty() && value.previous().isMissingNode())
        .filter(value -> now(settings, value).equals(value.next()))
        .map(JobValue::setting)
        .toList();
  }

  private static JsonNode now(JsonNode settings, JobValue value) {
    JsonNode at = entry(settings, value.setting(), value.key());
    for (String name : value.path()) {
      at = JobValue.child(at, name);
    }
    return at;
  }

  private static JsonNode entry(JsonNode settings, String setting, String key) {
    if (key.isEmpty()) {
      return settings.path(setting);
    }
    for (JsonNode entry : settings.path(setting)) {
      if (entry.path(KEYS.get(setting)).asText().equals(key)) {
        return entry;
      }
    }
    return settings.path(setting).path("");
  }

  /** A copy of what a value stands in, in what is to be sent; empty if it is the setting itself. */
  private static Optional<JsonNode> entryToSend(
      ObjectNode sent, JsonNode settings, JobValue value) {
    String setting = value.setting();
    if (value.path().isEmpty()) {
      return Optional.empty();
    }
    if (value.key().isEmpty() || !MERGED.contains(setting)) {
      if (!sent.has(setting)) {
        sent.set(setting, settings.path(setting).deepCopy());
      }
    } else if (entry(sent, setting, value.key()).isMissingNode()) {
      sent.withArray(setting).add(entry(settings, setting, value.key()).deepCopy());
    }
    return Optional.of(entry(sent, setting, value.key()));
  }
}
