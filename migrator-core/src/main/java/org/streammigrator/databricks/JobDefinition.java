package org.streammigrator.databricks;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;

/**
 * A job as its workspace has it.
 *
 * @param id its id
 * @param name its name; empty if it has none
 * @param settings all of its settings, as the API gives them, those that this program does not know
 *     as well
 */
public record JobDefinition(long id, String name, ObjectNode settings) {
  private static final List<String> TRIGGERS = List.of("continuous", "schedule", "trigger");

  public JobDefinition {
    requireNonNull(name, "name");
    settings = settings.deepCopy();
  }

  /** What starts its runs by itself; empty if nothing does. */
  public Optional<JobTrigger> trigger() {
    return TRIGGERS.stream()
        .filter(name -> settings.path(name).isObject())
        .map(name -> new JobTrigger(name, (ObjectNode) settings.get(name)))
        .findFirst();
  }

  /** How many of its runs may be active at once; the workspace's default is 1. */
  public long maxConcurrentRuns() {
    return settings.path("max_concurrent_runs").asLong(1);
  }

  /** The task of a key; empty if there is none. */
  public Optional<ObjectNode> task(String key) {
    for (JsonNode task : settings.path("tasks")) {
      if (task.path("task_key").asText().equals(key)) {
        return Optional.of(((ObjectNode) task).deepCopy());
      }
    }
    return Optional.empty();
  }

  /** How messages name it. */
  public String text() {
    return "job " + id + (name.isEmpty() ? "" : " (" + name + ")");
  }
}
