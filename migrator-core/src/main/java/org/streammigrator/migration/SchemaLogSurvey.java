package org.streammigrator.migration;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.checkpoint.CheckpointFile;
import org.streammigrator.checkpoint.embedded.EmbeddedFiles;
import org.streammigrator.checkpoint.embedded.EmbeddedIn;
import org.streammigrator.checkpoint.embedded.PathForm;
import org.streammigrator.checkpoint.json.Json;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;

/**
 * Looks at the logs in which Delta sources track their schema, {@code
 * _schema_log_<tableId>[_<streamingSourceTrackingId>]/<n>} ({@code
 * DeltaSourceMetadataTrackingLog}): whether they belong to the table that they are named after, and
 * whether one lies outside the checkpoint.
 */
final class SchemaLogSurvey {
  private static final String PREFIX = "_schema_log_";

  private final Store store;

  SchemaLogSurvey(Store store) {
    this.store = requireNonNull(store, "store");
  }

  /** What speaks against moving the logs. */
  List<Finding> findings(Checkpoint checkpoint) throws IOException {
    List<Finding> findings = new ArrayList<>();
    newest(checkpoint)
        .forEach(
            (directory, file) ->
                otherTable(directory, read(checkpoint.location().child(file.path())))
                    .ifPresent(findings::add));
    findings.addAll(beside(checkpoint.location()));
    return findings;
  }

  /** The newest entry of each log in the checkpoint, which is the one that Delta reads. */
  private static Map<String, CheckpointFile> newest(Checkpoint checkpoint) {
    Map<String, CheckpointFile> newest = new TreeMap<>();
    for (CheckpointFile file : checkpoint.files()) {
      if (EmbeddedFiles.kind(checkpoint, file).equals(Optional.of(EmbeddedIn.SCHEMA_LOG))) {
        String directory =
            file.path().substring(0, file.path().length() - file.name().length() - 1);
        newest.merge(
            directory,
            file,
            (one, other) -> number(one.name()).compareTo(number(other.name())) > 0 ? one : other);
      }
    }
    return newest;
  }

  private static BigInteger number(String name) {
    return new BigInteger(name);
  }

  private static Optional<Finding> otherTable(String directory, Optional<JsonNode> entry) {
    String named = directory.substring(directory.lastIndexOf(PREFIX) + PREFIX.length());
    String table = entry.map(node -> node.path("tableId").asText()).orElse("");
    if (table.isEmpty() || named.equals(table) || named.startsWith(table + "_")) {
      return Optional.empty();
    }
    return Optional.of(
        Finding.error(
            FindingCode.DELTA_TABLE_REPLACED,
            directory,
            "its name is that of the log of another table than its newest entry, which is of "
                + table
                + ": Delta stops with DELTA_STREAMING_SCHEMA_LOG_INCOMPATIBLE_DELTA_TABLE_ID",
            "restore the directory from a copy of the checkpoint"));
  }

  /** A log beside the checkpoint is shared with the old query, and is not copied. */
  private List<Finding> beside(Location checkpoint) throws IOException {
    List<Finding> findings = new ArrayList<>();
    Optional<Location> parent = checkpoint.parent();
    if (parent.isEmpty()) {
      return findings;
    }
    try {
      for (StoreEntry log : store.list(parent.get(), name -> name.startsWith(PREFIX))) {
        if (!log.isDirectory()) {
          continue;
        }
        Optional<Location> newest =
            store.list(log.location()).stream()
                .filter(entry -> entry.isFile() && entry.location().name().matches("[0-9]+"))
                .map(StoreEntry::location)
                .max(Comparator.comparing(entry -> number(entry.name())));
        boolean ours =
            newest
                .flatMap(this::read)
                .flatMap(entry -> PathForm.PLAIN.place(entry.path("sourceMetadataPath").asText()))
                .filter(place -> place.isInside(checkpoint))
                .isPresent();
        if (ours) {
          findings.add(
              Finding.error(
                  FindingCode.ABSOLUTE_PATHS,
                  log.location().toString(),
                  "a Delta source of this checkpoint tracks its schema here, outside of it, and the"
                      + " entries name the checkpoint by full path: Delta stops at the new place"
                      + " with \"source metadata path … is different\"",
                  "copy the directory into the old checkpoint, so that it is carried along"
                      + " rewritten, and name the new checkpoint as schemaTrackingLocation"));
        }
      }
    } catch (NoSuchFileException none) {
      return List.of();
    }
    return findings;
  }

  private Optional<JsonNode> read(Location entry) {
    try {
      List<String> lines =
          new String(store.readAll(entry), StandardCharsets.UTF_8).lines().toList();
      return lines.size() < 2 ? Optional.empty() : Json.parseObject(lines.get(1));
    } catch (IOException unreadable) {
      return Optional.empty();
    }
  }
}
