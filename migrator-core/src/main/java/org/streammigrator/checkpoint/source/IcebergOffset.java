package org.streammigrator.checkpoint.source;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import java.util.OptionalLong;
import org.streammigrator.checkpoint.json.Json;

/**
 * An Iceberg table ({@code StreamingOffset.java}).
 *
 * @param json the offset as it stands
 * @param snapshotId the snapshot; -1: the table had none yet ({@code START_OFFSET})
 * @param position how many files of the snapshot are planned already
 * @param scanAllFiles whether the position counts all files of the snapshot, and not only those
 *     that it added
 */
public record IcebergOffset(JsonNode json, long snapshotId, long position, boolean scanAllFiles)
    implements SourceOffset {

  /** The snapshot id of a table that has no snapshot yet. */
  public static final long BEFORE_FIRST_SNAPSHOT = -1;

  public IcebergOffset {
    requireNonNull(json, "json");
  }

  static Optional<IcebergOffset> decode(JsonNode node) {
    OptionalLong snapshot = Json.exactLong(node.get("snapshot_id"));
    OptionalLong position = Json.exactLong(node.get("position"));
    JsonNode all = node.path("scan_all_files");
    return snapshot.isPresent() && position.isPresent() && all.isBoolean()
        ? Optional.of(
            new IcebergOffset(node, snapshot.getAsLong(), position.getAsLong(), all.booleanValue()))
        : Optional.empty();
  }

  @Override
  public SourceKind kind() {
    return SourceKind.ICEBERG;
  }
}
