package org.streammigrator.checkpoint.source;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import java.util.OptionalLong;
import org.streammigrator.checkpoint.json.Json;

/**
 * Databricks Auto Loader: a number into the list of files that it keeps in {@code
 * sources/<id>/rocksdb}. The format is closed; the fields are those of Databricks' documentation of
 * query progress and of listener events seen in public.
 *
 * @param json the offset as it stands
 * @param sequenceNumber the last discovered file's number ({@code seqNum})
 * @param lastBackfillFinishMs when the last listing of the whole input ended, milliseconds since
 *     the epoch; empty if there was none
 * @param lastInputPath the input's location ({@code sourceVersion} 3)
 */
public record AutoLoaderOffset(
    JsonNode json,
    long sequenceNumber,
    OptionalLong lastBackfillFinishMs,
    Optional<String> lastInputPath)
    implements SourceOffset {

  public AutoLoaderOffset {
    requireNonNull(json, "json");
    requireNonNull(lastBackfillFinishMs, "lastBackfillFinishMs");
    requireNonNull(lastInputPath, "lastInputPath");
  }

  static Optional<AutoLoaderOffset> decode(JsonNode node) {
    OptionalLong number = Json.exactLong(node.get("seqNum"));
    OptionalLong version = Json.exactLong(node.get("sourceVersion"));
    if (number.isEmpty() || version.isEmpty() || node.has("fetchEpoch")) {
      return Optional.empty();
    }
    OptionalLong finished = Json.exactLong(node.get("lastBackfillFinishTimeMs"));
    JsonNode path = node.path("lastInputPath");
    return Optional.of(
        new AutoLoaderOffset(
            node,
            number.getAsLong(),
            finished.orElse(0) > 0 ? finished : OptionalLong.empty(),
            path.isTextual() && !path.asText().isEmpty()
                ? Optional.of(path.asText())
                : Optional.empty()));
  }

  @Override
  public SourceKind kind() {
    return SourceKind.AUTOLOADER;
  }
}
