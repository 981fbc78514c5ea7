package org.streammigrator.checkpoint.source;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import java.util.OptionalLong;
import org.streammigrator.checkpoint.json.Json;

/**
 * A Paimon table ({@code PaimonSourceOffset.scala}): everything at or before it is consumed, in the
 * order of snapshot and index.
 *
 * @param json the offset as it stands
 * @param snapshotId the snapshot
 * @param index -1 ({@code INIT_OFFSET_INDEX}): nothing of the snapshot; 0 or more: its splits 0 to
 *     index are consumed
 * @param scanSnapshot whether the index counts splits of all that the snapshot holds, and not only
 *     of what it added
 */
public record PaimonOffset(JsonNode json, long snapshotId, long index, boolean scanSnapshot)
    implements SourceOffset {

  public PaimonOffset {
    requireNonNull(json, "json");
  }

  static Optional<PaimonOffset> decode(JsonNode node) {
    OptionalLong snapshot = Json.exactLong(node.get("snapshotId"));
    OptionalLong index = Json.exactLong(node.get("index"));
    JsonNode scan = node.path("scanSnapshot");
    return snapshot.isPresent() && index.isPresent() && scan.isBoolean()
        ? Optional.of(
            new PaimonOffset(node, snapshot.getAsLong(), index.getAsLong(), scan.booleanValue()))
        : Optional.empty();
  }

  @Override
  public SourceKind kind() {
    return SourceKind.PAIMON;
  }
}
