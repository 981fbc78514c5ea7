package org.streammigrator.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** Positions in a few words, for tables; JSON output has them whole. */
final class PositionText {
  private static final int MOST_PARTITIONS = 3;

  private PositionText() {}

  /** A position as an offset log or a job's result has it. */
  static String of(JsonNode position) {
    JsonNode version =
        position.has("reservoirVersion")
            ? position.get("reservoirVersion")
            : position.get("version");
    if (version != null && version.isIntegralNumber()) {
      return "version "
          + version.asText()
          + (position.path("index").asLong(-1) >= 0
              ? ", file " + position.path("index").asText()
              : "");
    }
    if (position.path("logOffset").isIntegralNumber()) {
      return "log entry " + position.path("logOffset").asText();
    }
    List<String> partitions = new ArrayList<>();
    partitions("", position, partitions);
    if (!position.isObject() || partitions.isEmpty()) {
      return position.isTextual() ? position.asText() : position.toString();
    }
    int more = partitions.size() - MOST_PARTITIONS;
    return more > 0
        ? partitions.size() + " partitions, " + partitions.get(0) + ", ..."
        : String.join(", ", partitions);
  }

  /** Offsets by topic and partition, as {@code t/0 at 17}; nothing where it is anything else. */
  private static void partitions(String name, JsonNode node, List<String> found) {
    node.fields()
        .forEachRemaining(
            field -> {
              String path = name.isEmpty() ? field.getKey() : name + "/" + field.getKey();
              if (field.getValue().isIntegralNumber()) {
                found.add(path + " at " + field.getValue().asText());
              } else {
                partitions(path, field.getValue(), found);
              }
            });
  }
}
