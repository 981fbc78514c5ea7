package org.streammigrator.checkpoint.source;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.Optional;
import org.streammigrator.checkpoint.json.Json;

/**
 * Where a shard stands.
 *
 * @param json the position as it stands
 * @param type {@link #AFTER}, {@link #END}, or another iterator type of the Kinesis API
 * @param position a sequence number of up to 56 digits, or a time; empty text where the type needs
 *     none
 */
public record KinesisShard(JsonNode json, String type, String position) {
  /** All up to the sequence number is read. */
  public static final String AFTER = "AFTER_SEQUENCE_NUMBER";

  /** The shard is closed and read to its end. */
  public static final String END = "SHARD_END";

  public KinesisShard {
    requireNonNull(json, "json");
    requireNonNull(type, "type");
    requireNonNull(position, "position");
  }

  /** Reads one shard's part of an offset. */
  static Optional<KinesisShard> decode(JsonNode node) {
    JsonNode type = node.path("iteratorType");
    JsonNode position = node.path("iteratorPosition");
    return type.isTextual() && position.isTextual()
        ? Optional.of(new KinesisShard(node, type.asText(), position.asText()))
        : Optional.empty();
  }

  /** Reads what an executor left in a shard's commit file ({@code ShardInfo}). */
  public static Optional<KinesisShard> ofCommit(String text) {
    return Json.parseObject(text).flatMap(KinesisShard::decode);
  }

  /** Reads an entry of Databricks' list; numbers and texts are both taken as they are spelled. */
  static KinesisShard ofDatabricks(JsonNode entry) {
    String last =
        entry.path("lastSeqNum").isNull() || entry.path("lastSeqNum").asText().isEmpty()
            ? entry.path("lastRecordSeqNum").asText("")
            : entry.path("lastSeqNum").asText();
    boolean closed = entry.path("closed").asBoolean(false);
    return new KinesisShard(
        entry, closed ? END : last.isEmpty() ? "NONE" : AFTER, closed ? "" : last);
  }

  /** Whether the shard is read to its end. */
  public boolean ended() {
    return type.equals(END);
  }

  /** The position in the words of the API. */
  public JsonNode plain() {
    return JsonNodeFactory.instance
        .objectNode()
        .put("iteratorType", type)
        .put("iteratorPosition", position);
  }

  @Override
  public String toString() {
    return ended() ? "finished" : (type + " " + position).strip();
  }
}
