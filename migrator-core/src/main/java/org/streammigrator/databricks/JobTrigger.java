package org.streammigrator.databricks;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * What starts runs of a job by itself.
 *
 * @param setting the setting that says so: {@code continuous}, {@code schedule}, or {@code trigger}
 *     (arriving files, updated tables, a period)
 * @param value that setting as it stands
 */
public record JobTrigger(String setting, ObjectNode value) {
  /** The name below the setting that says whether it starts runs now. */
  public static final String STATUS = "pause_status";

  /** It starts none. */
  public static final String PAUSED = "PAUSED";

  /** It does. */
  public static final String UNPAUSED = "UNPAUSED";

  public JobTrigger {
    requireNonNull(setting, "setting");
    value = value.deepCopy();
  }

  /** Whether the workspace keeps one run alive all the time. */
  public boolean isContinuous() {
    return setting.equals("continuous");
  }

  /** Whether it starts nothing now; one that does not say so does. */
  public boolean isPaused() {
    return value.path(STATUS).asText().equals(PAUSED);
  }

  /** What starts runs, in words. */
  public String text() {
    return isContinuous()
        ? "its continuous mode"
        : setting.equals("schedule")
            ? "its schedule (" + value.path("quartz_cron_expression").asText("cron") + ")"
            : value.has("file_arrival") ? "its file-arrival trigger" : "its trigger";
  }

  /** The settings that let it start nothing. */
  public ObjectNode paused() {
    return settings(PAUSED);
  }

  /** The settings that let it start runs. */
  public ObjectNode unpaused() {
    return settings(UNPAUSED);
  }

  /** The settings as they stand. */
  public ObjectNode asItStands() {
    ObjectNode settings = value.objectNode();
    settings.set(setting, value.deepCopy());
    return settings;
  }

  private ObjectNode settings(String status) {
    ObjectNode settings = asItStands();
    ((ObjectNode) settings.get(setting)).put(STATUS, status);
    return settings;
  }
}
