package org.streammigrator.migration;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A value of a job's settings that changes.
 *
 * @param setting the top-level setting
 * @param key the entry's key where the setting is an array; empty otherwise
 * @param path the names, or places of a list, from there to the value; empty if the setting is the
 *     value
 * @param previous what it is before; missing if it is not there
 * @param next what it becomes
 * @param made how many of the maps above it are not there before
 */
record JobValue(
    String setting, String key, List<String> path, JsonNode previous, JsonNode next, int made) {
  JobValue {
    requireNonNull(setting, "setting");
    requireNonNull(key, "key");
    path = List.copyOf(path);
    requireNonNull(previous, "previous");
    requireNonNull(next, "next");
  }

  static JobValue of(JsonNode json) {
    List<String> path = new ArrayList<>();
    json.path("path").forEach(name -> path.add(name.asText()));
    return new JobValue(
        json.path("setting").asText(),
        json.path("key").asText(),
        path,
        json.has("previous") ? json.get("previous") : MissingNode.getInstance(),
        json.path("next"),
        json.path("made").asInt());
  }

  ObjectNode json() {
    ObjectNode json = JsonNodeFactory.instance.objectNode().put("setting", setting);
    if (!key.isEmpty()) {
      json.put("key", key);
    }
    ArrayNode names = json.putArray("path");
    path.forEach(names::add);
    if (!previous.isMissingNode()) {
      json.set("previous", previous);
    }
    json.set("next", next);
    if (made > 0) {
      json.put("made", made);
    }
    return json;
  }

  boolean isSame() {
    return previous.equals(next);
  }

  /** How messages name it. */
  String text() {
    List<String> names = new ArrayList<>(List.of(setting));
    if (!key.isEmpty()) {
      names.add(key);
    }
    names.addAll(path);
    return String.join(".", names);
  }

  static JsonNode child(JsonNode parent, String name) {
    return parent instanceof ArrayNode array
        ? array.path(Integer.parseInt(name))
        : parent.path(name);
  }

  /**
   * Puts the new value.
   *
   * @param entry what it stands in; empty if it is a setting itself
   * @param settings where settings are
   */
  void put(Optional<JsonNode> entry, ObjectNode settings) {
    if (entry.isEmpty()) {
      settings.set(setting, next);
      return;
    }
    JsonNode at = entry.get();
    for (String name : path.subList(0, path.size() - 1)) {
      JsonNode below = child(at, name);
      at = below.isMissingNode() ? ((ObjectNode) at).putObject(name) : below;
    }
    set(at, next);
  }

  /** Puts the former value, and removes what was made for the new one. */
  void putBack(Optional<JsonNode> entry, ObjectNode settings) {
    if (entry.isEmpty()) {
      settings.set(setting, previous);
      return;
    }
    List<JsonNode> above = new ArrayList<>(List.of(entry.get()));
    for (String name : path.subList(0, path.size() - 1)) {
      above.add(child(above.get(above.size() - 1), name));
    }
    if (!previous.isMissingNode()) {
      set(above.get(above.size() - 1), previous);
      return;
    }
    ((ObjectNode) above.get(above.size() - 1)).remove(path.get(path.size() - 1));
    for (int i = above.size() - 1; i >= above.size() - made && above.get(i).isEmpty(); i--) {
      ((ObjectNode) above.get(i - 1)).remove(path.get(i - 1));
    }
  }

  private void set(JsonNode parent, JsonNode value) {
    String name = path.get(path.size() - 1);
    if (parent instanceof ArrayNode array) {
      array.set(Integer.parseInt(name), value);
    } else {
      ((ObjectNode) parent).set(name, value);
    }
  }
}
