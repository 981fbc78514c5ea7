package org.streammigrator.checkpoint;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Decodes a source's line by what it says. Where several kinds of source write the same text, the
 * caller's hint decides; a bare number is never guessed.
 */
public final class SourceOffsets {
  private SourceOffsets() {}

  /**
   * Decodes a line.
   *
   * @param raw the line as it stands
   * @param told the kind that the user tells; empty if nobody does. A text that is not of that kind
   *     is unknown, whatever else it looks like
   * @param hint the kind that the source's private files suggest; ignored where it does not fit
   */
  public static SourceOffset decode(
      String raw, Optional<SourceKind> told, Optional<SourceKind> hint) {
    if (told.isEmpty() && hint.isPresent()) {
      SourceOffset hinted = decode(raw, hint);
      if (!(hinted instanceof SourceOffset.Unknown)) {
        return hinted;
      }
    }
    return decode(raw, told);
  }

  /**
   * Decodes a line.
   *
   * @param raw the line as it stands
   * @param hint the kind of source; empty if nobody tells
   */
  public static SourceOffset decode(String raw, Optional<SourceKind> hint) {
    if (raw.equals(OffsetLog.SourceLine.NONE)) {
      return new SourceOffset.None();
    }
    Optional<JsonNode> json = Json.parse(raw);
    if (json.isEmpty()) {
      return new SourceOffset.Unknown(raw);
    }
    JsonNode node = json.get();
    Optional<? extends SourceOffset> decoded =
        hint.isPresent()
            ? as(hint.get(), node)
            : delta(node)
                .<SourceOffset>map(offset -> offset)
                .or(() -> rateMicroBatch(node))
                .or(() -> files(node).filter(files -> node.isObject()))
                .or(() -> partitioned(SourceKind.KAFKA, node));
    return decoded.isPresent() ? decoded.get() : new SourceOffset.Unknown(raw);
  }

  private static Optional<? extends SourceOffset> as(SourceKind kind, JsonNode node) {
    return switch (kind) {
      case DELTA -> delta(node);
      case KAFKA, EVENTHUBS -> partitioned(kind, node);
      case FILES -> files(node);
      case RATE -> rate(node);
      case RATE_MICRO_BATCH -> rateMicroBatch(node);
      case NONE, UNKNOWN -> Optional.empty();
    };
  }

  private static Optional<SourceOffset.Delta> delta(JsonNode node) {
    OptionalLong version = Json.exactLong(node.get("reservoirVersion"));
    OptionalLong index = Json.exactLong(node.get("index"));
    JsonNode id = node.path("reservoirId");
    if (!node.isObject() || !id.isTextual() || version.isEmpty() || index.isEmpty()) {
      return Optional.empty();
    }
    JsonNode initial = node.path("isStartingVersion");
    OptionalLong sourceVersion = Json.exactLong(node.get("sourceVersion"));
    if (!initial.isBoolean() || version.getAsLong() < 0) {
      return Optional.empty();
    }
    return Optional.of(
        new SourceOffset.Delta(
            node,
            (int) sourceVersion.orElse(1),
            id.asText(),
            version.getAsLong(),
            index.getAsLong(),
            initial.booleanValue()));
  }

  private static Optional<SourceOffset.Partitioned> partitioned(SourceKind kind, JsonNode node) {
    if (!node.isObject() || node.isEmpty()) {
      return Optional.empty();
    }
    SortedMap<String, SortedMap<Integer, Long>> topics = new TreeMap<>();
    for (Map.Entry<String, JsonNode> topic : node.properties()) {
      if (!topic.getValue().isObject()) {
        return Optional.empty();
      }
      SortedMap<Integer, Long> partitions = new TreeMap<>();
      for (Map.Entry<String, JsonNode> partition : topic.getValue().properties()) {
        OptionalLong offset = Json.exactLong(partition.getValue());
        OptionalLong number = partitionNumber(partition.getKey());
        if (offset.isEmpty() || number.isEmpty()) {
          return Optional.empty();
        }
        partitions.put((int) number.getAsLong(), offset.getAsLong());
      }
      topics.put(topic.getKey(), partitions);
    }
    return Optional.of(new SourceOffset.Partitioned(kind, topics));
  }

  private static OptionalLong partitionNumber(String text) {
    return text.matches("0|[1-9][0-9]{0,8}")
        ? OptionalLong.of(Long.parseLong(text))
        : OptionalLong.empty();
  }

  private static Optional<SourceOffset.Files> files(JsonNode node) {
    OptionalLong offset = Json.exactLong(node.isObject() ? node.get("logOffset") : node);
    return offset.isPresent() && (!node.isObject() || node.size() == 1)
        ? Optional.of(new SourceOffset.Files(offset.getAsLong()))
        : Optional.empty();
  }

  private static Optional<SourceOffset.Rate> rate(JsonNode node) {
    OptionalLong seconds = Json.exactLong(node);
    return seconds.isPresent()
        ? Optional.of(new SourceOffset.Rate(seconds.getAsLong()))
        : Optional.empty();
  }

  private static Optional<SourceOffset.RateMicroBatch> rateMicroBatch(JsonNode node) {
    OptionalLong offset = Json.exactLong(node.get("offset"));
    OptionalLong timestamp = Json.exactLong(node.get("timestamp"));
    return node.isObject() && node.size() == 2 && offset.isPresent() && timestamp.isPresent()
        ? Optional.of(new SourceOffset.RateMicroBatch(offset.getAsLong(), timestamp.getAsLong()))
        : Optional.empty();
  }
}
