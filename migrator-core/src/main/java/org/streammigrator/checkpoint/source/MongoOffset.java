package org.streammigrator.checkpoint.source;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import java.util.OptionalLong;
import org.streammigrator.checkpoint.json.Json;

/**
 * A MongoDB change stream ({@code MongoOffset.java}): a time at which reading goes on, or a token
 * after which it does.
 *
 * @param json the offset as it stands
 * @param time the operation time of the next event to read; empty if this is a resume token
 */
public record MongoOffset(JsonNode json, Optional<Timestamp> time) implements SourceOffset {

  private static final int VERSION = 1;

  public MongoOffset {
    requireNonNull(json, "json");
    requireNonNull(time, "time");
  }

  /**
   * A BSON timestamp.
   *
   * @param seconds seconds since the epoch; -1: "from now on"
   * @param increment the number within the second
   */
  public record Timestamp(long seconds, long increment) {}

  /**
   * Reads {@code {"version": 1, "offset": ...}} with a timestamp or a resume token, or the bare
   * token {@code {"_data": ...}} of older releases.
   */
  static Optional<MongoOffset> decode(JsonNode node) {
    if (node.size() == 1 && node.path("_data").isTextual()) {
      return Optional.of(new MongoOffset(node, Optional.empty()));
    }
    JsonNode offset = node.path("offset");
    OptionalLong version = Json.exactLong(node.get("version"));
    if (version.isEmpty() || version.getAsLong() != VERSION || !offset.isObject()) {
      return Optional.empty();
    }
    if (!offset.has("$timestamp")) {
      return Optional.of(new MongoOffset(node, Optional.empty()));
    }
    OptionalLong seconds = Json.exactLong(offset.path("$timestamp").get("t"));
    OptionalLong increment = Json.exactLong(offset.path("$timestamp").get("i"));
    return seconds.isPresent() && increment.isPresent()
        ? Optional.of(
            new MongoOffset(
                node, Optional.of(new Timestamp(seconds.getAsLong(), increment.getAsLong()))))
        : Optional.empty();
  }

  @Override
  public SourceKind kind() {
    return SourceKind.MONGODB;
  }
}
