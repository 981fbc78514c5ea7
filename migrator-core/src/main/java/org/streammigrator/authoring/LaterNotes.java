package org.streammigrator.authoring;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.checkpoint.CheckpointFile;
import org.streammigrator.checkpoint.EntriesThrough;
import org.streammigrator.checkpoint.FileSourceLog;
import org.streammigrator.checkpoint.OffsetLog;
import org.streammigrator.checkpoint.ShardCommits;
import org.streammigrator.checkpoint.embedded.EmbeddedFiles;
import org.streammigrator.checkpoint.embedded.EmbeddedIn;
import org.streammigrator.checkpoint.json.Json;
import org.streammigrator.checkpoint.source.DeltaOffset;
import org.streammigrator.checkpoint.source.FilesOffset;
import org.streammigrator.checkpoint.source.KinesisOffset;
import org.streammigrator.checkpoint.source.SourceOffset;
import org.streammigrator.position.ResumePositions;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Overlay;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;

/**
 * What sources noted for themselves after a batch, by what its plan says of each.
 *
 * <ul>
 *   <li>File source: the entries of its log above the recorded one. The files that they name are
 *       listed anew and come with the limits of the query; left in place they would come in one
 *       batch ({@code FileStreamSource.latestOffset}). Where what is left is only in a compact
 *       entry of later, that is cut: as {@code k.compact}, alone, it is right by whatever interval
 *       Spark derives from its name ({@code CompactibleFileStreamLog.deriveCompactInterval} gives a
 *       divisor of k + 1).
 *   <li>Kinesis: the shard commits of later batches. A batch that is run again overwrites those of
 *       the shards that it reads; of every other shard the old one would count as well, since all
 *       files of a batch are read, and old batches are purged by the distance to the highest number
 *       that is there ({@code HDFSMetadataCommitter.get} and {@code purge} of awslabs' connector).
 *   <li>Delta: the entries of a schema log that were written at later commits ({@code
 *       PersistedMetadata.deltaCommitVersion}): the newest is the schema that the source reads
 *       with.
 * </ul>
 */
final class LaterNotes {
  private final Store store;
  private final Checkpoint whole;
  private final ResumePositions positions;
  private final Set<Location> hidden = new HashSet<>();
  private final Map<Location, Overlay.Made> made = new HashMap<>();
  private final Set<String> misleading = new TreeSet<>();

  LaterNotes(Store store, Checkpoint whole, ResumePositions positions) {
    this.store = requireNonNull(store, "store");
    this.whole = requireNonNull(whole, "whole");
    this.positions = requireNonNull(positions, "positions");
  }

  /** A compact entry without what is after an entry. */
  private record CompactThrough(Location compact, long last) implements Overlay.Bytes {
    @Override
    public InputStream open(Store below) throws IOException {
      return new EntriesThrough(below.open(compact), last);
    }
  }

  void hide(String path) {
    hidden.add(whole.location().child(path));
  }

  void make(StoreEntry entry, Overlay.Bytes bytes) {
    made.put(entry.location(), new Overlay.Made(entry, bytes));
  }

  Overlay overlay() {
    return new Overlay(hidden, made);
  }

  /** The notes of sources that mislead a start: all but those of file sources. */
  Set<String> misleading() {
    return misleading;
  }

  private void hideNote(String path) {
    hide(path);
    misleading.add(path);
  }

  /** Leaves out what was noted after a plan, which follows another one. */
  void cut(OffsetLog plan, Optional<OffsetLog> before) throws IOException {
    Map<String, DeltaOffset> tables = new TreeMap<>();
    for (OffsetLog.SourceLine line : plan.sources()) {
      SourceOffset offset = positions.decode(line.id(), line.raw());
      if (offset instanceof FilesOffset files) {
        long read =
            before
                .flatMap(log -> log.source(line.id()))
                .map(earlier -> positions.decode(line.id(), earlier.raw()))
                .map(earlier -> earlier instanceof FilesOffset log ? log.logOffset() : -1L)
                .orElse(files.logOffset());
        cutLog(whole.sourceDirectory(line.id()).log(), read, files.logOffset());
      } else if (offset instanceof KinesisOffset kinesis && kinesis.batch().isPresent()) {
        whole
            .sourceDirectory(line.id())
            .shardCommits()
            .ifPresent(commits -> cutShards(commits, kinesis.batch().getAsLong()));
      } else if (offset instanceof DeltaOffset delta) {
        tables.put(line.id(), delta);
      }
    }
    if (!tables.isEmpty()) {
      cutSchemaLogs(tables);
    }
  }

  private void cutLog(FileSourceLog log, long after, long last) throws IOException {
    if (log.newest() <= last) {
      return;
    }
    String directory = "sources/" + log.source() + "/";
    FileSourceLog left =
        new FileSourceLog(
            log.source(),
            ((NavigableSet<Long>) log.plain()).headSet(last, true),
            log.compact().headSet(last, true),
            FileSourceLog.Seen.NOTHING);
    Long compact = log.compact().higher(last);
    boolean isWhole = left.newest() == last && left.missing(after, last).isEmpty();
    boolean isCut = !isWhole && last >= 0 && compact != null;
    for (CheckpointFile file : whole.filesBelow("sources/" + log.source())) {
      OptionalLong entry = entry(file.path().substring(directory.length()));
      if (entry.isPresent() && (isCut || entry.getAsLong() > last)) {
        hide(file.path());
      }
    }
    if (isCut) {
      CheckpointFile from = whole.entry(directory + compact + ".compact").orElseThrow();
      Location place = whole.location().child(directory + last + ".compact");
      CompactThrough bytes = new CompactThrough(whole.location().child(from.path()), last);
      long size;
      try (InputStream in = bytes.open(store)) {
        size = in.transferTo(OutputStream.nullOutputStream());
      }
      make(new StoreEntry(place, StoreEntry.Kind.FILE, size, from.modified()), bytes);
    }
  }

  /** The number of the log entry that a file is, or is the checksum of. */
  private static OptionalLong entry(String name) {
    String plain = name.startsWith(".") ? name.substring(1) : name;
    plain = plain.endsWith(".crc") ? plain.substring(0, plain.length() - 4) : plain;
    plain = plain.endsWith(".compact") ? plain.substring(0, plain.length() - 8) : plain;
    return plain.matches("[0-9]{1,18}")
        ? OptionalLong.of(Long.parseLong(plain))
        : OptionalLong.empty();
  }

  private void cutShards(ShardCommits commits, long last) {
    TreeSet<Long> later = new TreeSet<>(commits.batches());
    for (long batch : later.tailSet(last, false)) {
      String directory = commits.directory() + "/" + batch;
      hide(directory);
      whole.filesBelow(directory).forEach(file -> hideNote(file.path()));
    }
  }

  private void cutSchemaLogs(Map<String, DeltaOffset> tables) throws IOException {
    Map<String, TreeMap<Long, CheckpointFile>> logs = new TreeMap<>();
    for (CheckpointFile file : whole.files()) {
      if (EmbeddedFiles.kind(whole, file).equals(Optional.of(EmbeddedIn.SCHEMA_LOG))
          && file.name().matches("[0-9]{1,18}")) {
        String directory =
            file.path().substring(0, file.path().length() - file.name().length() - 1);
        logs.computeIfAbsent(directory, name -> new TreeMap<>())
            .put(Long.parseLong(file.name()), file);
      }
    }
    for (TreeMap<Long, CheckpointFile> log : logs.values()) {
      for (Map.Entry<Long, CheckpointFile> entry : log.entrySet()) {
        CheckpointFile file = entry.getValue();
        Optional<JsonNode> schema = schema(file);
        Optional<DeltaOffset> position = schema.flatMap(node -> position(node, tables));
        OptionalLong commit =
            schema.isEmpty()
                ? OptionalLong.empty()
                : Json.exactLong(schema.get().get("deltaCommitVersion"));
        boolean isFirst = entry.getKey().equals(log.firstKey());
        if (position.isPresent()
            && commit.isPresent()
            && isLater(commit.getAsLong(), position.get(), isFirst)) {
          hideNote(file.path());
          hide(file.path().replaceFirst("([^/]+)$", ".$1.crc"));
        }
      }
    }
  }

  /**
   * Whether an entry was written after a position. A change at version V is noted at the barrier
   * that the offset (V, -20) is, which is after (V, -1); the first entry is the schema with which
   * the source began, maybe at that very version.
   */
  private static boolean isLater(long commit, DeltaOffset position, boolean isFirst) {
    boolean isBefore =
        !position.initialSnapshot()
            && (position.index() == DeltaOffset.BASE_INDEX
                || position.index() == DeltaOffset.BASE_INDEX_IN_MEMORY);
    return commit > position.version() || commit == position.version() && isBefore && !isFirst;
  }

  private Optional<JsonNode> schema(CheckpointFile file) throws IOException {
    List<String> lines =
        new String(store.readAll(whole.location().child(file.path())), StandardCharsets.UTF_8)
            .lines()
            .toList();
    return lines.size() < 2 ? Optional.empty() : Json.parseObject(lines.get(1));
  }

  /** Where the source stands whose log an entry is of: by its path, else by the table alone. */
  private static Optional<DeltaOffset> position(JsonNode schema, Map<String, DeltaOffset> tables) {
    String path = schema.path("sourceMetadataPath").asText();
    int at = path.lastIndexOf("/sources/");
    String id = at < 0 ? "" : path.substring(at + "/sources/".length()).split("/")[0];
    String table = schema.path("tableId").asText();
    return Optional.ofNullable(tables.get(id))
        .or(() -> tables.values().stream().filter(o -> o.tableId().equals(table)).findFirst());
  }
}
