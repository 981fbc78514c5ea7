package org.streammigrator.checkpoint.source;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import java.util.OptionalLong;
import org.streammigrator.checkpoint.json.Json;

/**
 * A Delta table ({@code DeltaSourceOffset.scala}), or one that is shared by Delta Sharing ({@code
 * DeltaSharingSourceOffset.scala}, which names the same fields {@code tableId} and {@code
 * tableVersion}; its newer source writes Delta's own). Order is lexicographic by version and index,
 * and everything at or before the offset is consumed.
 *
 * @param kind {@link SourceKind#DELTA} or {@link SourceKind#DELTA_SHARING}
 * @param json the offset as it stands
 * @param sourceVersion 1, or 3 at a schema change; anything else is not readable
 * @param tableId the table's id ({@code reservoirId})
 * @param version the table version ({@code reservoirVersion})
 * @param index -1 (in old forms -100): all commits before {@code version} are consumed, and nothing
 *     of it; 0 or more: files 0 to index of it are, too; -20 and -19: as -1, before and after
 *     applying a schema change
 * @param initialSnapshot whether the index counts files of the table's snapshot at {@code version}
 *     instead of files that its commit adds ({@code isStartingVersion})
 */
public record DeltaOffset(
    SourceKind kind,
    JsonNode json,
    long sourceVersion,
    String tableId,
    long version,
    long index,
    boolean initialSnapshot)
    implements SourceOffset {

  /** The newest {@code sourceVersion} that is known. */
  public static final long NEWEST_SOURCE_VERSION = 3;

  /** The index of "nothing of this version yet" on disk. */
  public static final long BASE_INDEX = -1;

  /** The index of "nothing of this version yet" in memory. */
  public static final long BASE_INDEX_IN_MEMORY = -100;

  /** The barrier before a schema change is applied. */
  public static final long BEFORE_SCHEMA_CHANGE = -20;

  /** The barrier after a schema change was applied. */
  public static final long AFTER_SCHEMA_CHANGE = -19;

  public DeltaOffset {
    requireNonNull(kind, "kind");
    requireNonNull(json, "json");
    requireNonNull(tableId, "tableId");
  }

  static Optional<DeltaOffset> decode(SourceKind kind, JsonNode node) {
    String prefix = kind == SourceKind.DELTA_SHARING && node.has("tableId") ? "table" : "reservoir";
    JsonNode id = node.path(prefix + "Id");
    OptionalLong version = Json.exactLong(node.get(prefix + "Version"));
    OptionalLong index = Json.exactLong(node.get("index"));
    JsonNode initial = node.path("isStartingVersion");
    if (!id.isTextual() || version.isEmpty() || index.isEmpty() || !initial.isBoolean()) {
      return Optional.empty();
    }
    OptionalLong sourceVersion = Json.exactLong(node.get("sourceVersion"));
    return version.getAsLong() < 0
        ? Optional.empty()
        : Optional.of(
            new DeltaOffset(
                kind,
                node,
                sourceVersion.orElse(1),
                id.asText(),
                version.getAsLong(),
                index.getAsLong(),
                initial.booleanValue()));
  }

  /**
   * Whether Delta can read it: version 2 is reserved, and above 3 ({@code DeltaSourceOffset}'s
   * {@code CURRENT_VERSION}) is a newer Delta's.
   */
  public boolean readable() {
    return sourceVersion == 1 || sourceVersion == NEWEST_SOURCE_VERSION;
  }

  /** Whether nothing of {@link #version} is consumed, so that a reader can start there. */
  public boolean atVersionBoundary() {
    return !initialSnapshot
        && (index == BASE_INDEX || index == BASE_INDEX_IN_MEMORY || atSchemaChange());
  }

  /** Whether the position stands at a schema change. */
  public boolean atSchemaChange() {
    return index == BEFORE_SCHEMA_CHANGE || index == AFTER_SCHEMA_CHANGE;
  }
}
