package org.streammigrator.checkpoint;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.streammigrator.checkpoint.json.Json;

/**
 * The key and value schema of one state store, or of one column family of a store that has several.
 *
 * @param operator the stateful operator's number
 * @param store the store's name, {@code default} where it has none
 * @param columnFamily the column family (the state variable of {@code transformWithState}); {@code
 *     default} in schema files of version 1 and 2, which know none
 * @param path the schema file inside the checkpoint
 * @param version the schema file's version, 1 to 3
 * @param key the key schema in Spark's JSON for a {@code StructType}
 * @param value the value schema in the same form
 * @param keySchemaId the number of the key schema among those the column family had, 0 in versions
 *     1 and 2
 * @param valueSchemaId the number of the value schema, which grows as it evolves; 0 in versions 1
 *     and 2
 * @param keyEncoder how keys are laid out ({@code keyStateEncoderType} and what belongs to it), as
 *     JSON; empty in versions 1 and 2
 * @param userKey the schema of a map state's user key; empty where there is none
 */
public record StateSchema(
    int operator,
    String store,
    String columnFamily,
    String path,
    int version,
    JsonNode key,
    JsonNode value,
    int keySchemaId,
    int valueSchemaId,
    Optional<JsonNode> keyEncoder,
    Optional<JsonNode> userKey) {

  /** The column family that a store without several has. */
  public static final String DEFAULT = "default";

  public StateSchema {
    requireNonNull(store, "store");
    requireNonNull(columnFamily, "columnFamily");
    requireNonNull(path, "path");
    requireNonNull(key, "key");
    requireNonNull(value, "value");
    requireNonNull(keyEncoder, "keyEncoder");
    requireNonNull(userKey, "userKey");
  }

  /** What a column's values are windows of. */
  public enum Window {
    /** No window: a plain column. */
    NONE,
    /** A tumbling or sliding window ({@code spark.timeWindow}). */
    TIME,
    /** A session window ({@code spark.sessionWindow}). */
    SESSION
  }

  /**
   * A column of the state that carries a watermark or is a window.
   *
   * @param name the column's name; parts of a nested one are separated by dots
   * @param inKey whether it is part of the key, otherwise of the value
   * @param watermarkDelayMs the delay of the watermark on it, milliseconds ({@code
   *     spark.watermarkDelayMs}, from {@code EventTimeWatermark}); empty without a watermark
   * @param window whether it is a window
   */
  public record EventTimeColumn(
      String name, boolean inKey, OptionalLong watermarkDelayMs, Window window) {}

  /** The columns that carry a watermark or are windows: those of the key first, in their order. */
  public List<EventTimeColumn> eventTimeColumns() {
    List<EventTimeColumn> columns = new ArrayList<>();
    collect(key, "", true, columns);
    collect(value, "", false, columns);
    return List.copyOf(columns);
  }

  /** The delay of the first column with a watermark, milliseconds; empty if none has one. */
  public OptionalLong watermarkDelayMs() {
    return eventTimeColumns().stream()
        .map(EventTimeColumn::watermarkDelayMs)
        .filter(OptionalLong::isPresent)
        .findFirst()
        .orElse(OptionalLong.empty());
  }

  /** Whether a part of the key is a window, of which kind. */
  public Window keyWindow() {
    return eventTimeColumns().stream()
        .filter(column -> column.inKey() && column.window() != Window.NONE)
        .map(EventTimeColumn::window)
        .findFirst()
        .orElse(Window.NONE);
  }

  private static void collect(
      JsonNode struct, String prefix, boolean inKey, List<EventTimeColumn> into) {
    for (JsonNode field : struct.path("fields")) {
      String name = prefix + field.path("name").asText();
      JsonNode metadata = field.path("metadata");
      OptionalLong delay = Json.exactLong(metadata.get("spark.watermarkDelayMs"));
      Window window =
          metadata.path("spark.timeWindow").asBoolean()
              ? Window.TIME
              : metadata.path("spark.sessionWindow").asBoolean() ? Window.SESSION : Window.NONE;
      if (delay.isPresent() || window != Window.NONE) {
        into.add(new EventTimeColumn(name, inKey, delay, window));
      }
      if (field.path("type").path("fields").isArray()) {
        collect(field.path("type"), name + ".", inKey, into);
      }
    }
  }
}
