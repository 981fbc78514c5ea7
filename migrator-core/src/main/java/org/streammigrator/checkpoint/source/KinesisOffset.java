package org.streammigrator.checkpoint.source;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Kinesis. The open connectors ({@code KinesisSourceOffset.scala} of qubole, {@code
 * KinesisV2SourceOffset.scala} of awslabs) write where each shard stands when the batch
 * <em>begins</em>: executors decide how far they read and leave the end in {@code
 * sources/<id>/shard-commit/<batch>/<shard>}. Databricks' connector writes what was read last.
 *
 * @param json the offset as it stands
 * @param stream the stream's name
 * @param batch the source's own number of the batch that begins at the shards' positions; empty in
 *     offsets of Databricks' connector, which are an end
 * @param shards by shard id
 */
public record KinesisOffset(
    JsonNode json, String stream, OptionalLong batch, SortedMap<String, KinesisShard> shards)
    implements SourceOffset {

  private static final String METADATA = "metadata";

  public KinesisOffset {
    requireNonNull(json, "json");
    requireNonNull(stream, "stream");
    requireNonNull(batch, "batch");
    shards = Collections.unmodifiableSortedMap(new TreeMap<>(shards));
  }

  static Optional<KinesisOffset> decode(JsonNode node) {
    return node.isArray() ? ofDatabricks(node) : ofConnector(node);
  }

  private static Optional<KinesisOffset> ofConnector(JsonNode node) {
    JsonNode stream = node.path(METADATA).path("streamName");
    OptionalLong batch = number(node.path(METADATA).path("batchId"));
    if (!stream.isTextual() || batch.isEmpty()) {
      return Optional.empty();
    }
    SortedMap<String, KinesisShard> shards = new TreeMap<>();
    for (Map.Entry<String, JsonNode> shard : node.properties()) {
      if (shard.getKey().equals(METADATA)) {
        continue;
      }
      Optional<KinesisShard> position = KinesisShard.decode(shard.getValue());
      if (position.isEmpty()) {
        return Optional.empty();
      }
      shards.put(shard.getKey(), position.get());
    }
    return Optional.of(new KinesisOffset(node, stream.asText(), batch, shards));
  }

  private static Optional<KinesisOffset> ofDatabricks(JsonNode node) {
    SortedMap<String, KinesisShard> shards = new TreeMap<>();
    String stream = null;
    for (JsonNode entry : node) {
      JsonNode id = entry.path("shard").path("shardId");
      JsonNode name = entry.path("shard").path("stream");
      if (!id.isTextual() || !name.isTextual() || !entry.has("lastSeqNum")) {
        return Optional.empty();
      }
      stream = name.asText();
      shards.put(id.asText(), KinesisShard.ofDatabricks(entry));
    }
    return stream == null
        ? Optional.empty()
        : Optional.of(new KinesisOffset(node, stream, OptionalLong.empty(), shards));
  }

  /** The connectors write numbers as text. */
  private static OptionalLong number(JsonNode node) {
    return node.asText().matches("-1|0|[1-9][0-9]{0,17}")
        ? OptionalLong.of(Long.parseLong(node.asText()))
        : OptionalLong.empty();
  }

  @Override
  public SourceKind kind() {
    return SourceKind.KINESIS;
  }
}
