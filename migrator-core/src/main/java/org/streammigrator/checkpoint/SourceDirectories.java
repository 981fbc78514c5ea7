package org.streammigrator.checkpoint;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.streammigrator.checkpoint.source.PartitionedOffset;
import org.streammigrator.checkpoint.source.SourceKind;
import org.streammigrator.checkpoint.source.SourceOffsets;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;

/** Reads what the sources keep for themselves in {@code sources/<id>}. */
final class SourceDirectories {
  private static final int LARGEST_OFFSET = 64 << 20;
  private static final int HINT_BYTES = 64;

  private final Store store;
  private final Location checkpoint;

  SourceDirectories(Store store, Location checkpoint) {
    this.store = requireNonNull(store, "store");
    this.checkpoint = requireNonNull(checkpoint, "checkpoint");
  }

  /**
   * Reads the directories, by source id.
   *
   * @param files everything in the checkpoint, sorted by path
   */
  Map<String, SourceDirectory> read(List<CheckpointFile> files) {
    Map<String, SourceDirectory> directories = new TreeMap<>();
    bySource(files).forEach((source, own) -> directories.put(source, directory(source, own)));
    return directories;
  }

  private static Map<String, List<CheckpointFile>> bySource(List<CheckpointFile> files) {
    Map<String, List<CheckpointFile>> bySource = new TreeMap<>();
    for (CheckpointFile file : files) {
      String[] parts = file.path().split("/", 3);
      if (parts.length >= 2
          && parts[0].equals("sources")
          && (parts.length > 2 || file.isDirectory())) {
        List<CheckpointFile> own = bySource.computeIfAbsent(parts[1], id -> new ArrayList<>());
        if (parts.length > 2) {
          own.add(file);
        }
      }
    }
    return bySource;
  }

  private SourceDirectory directory(String source, List<CheckpointFile> files) {
    Optional<SourceKind> hint = hint(source, files);
    FileSourceLog log =
        new FileSourceLogReader(store, checkpoint, files)
            .read(source, hint.equals(Optional.of(SourceKind.FILES)));
    return new SourceDirectory(source, hint, initialOffset(source, files), log);
  }

  private Optional<SourceKind> hint(String source, List<CheckpointFile> files) {
    String prefix = "sources/" + source + "/";
    for (CheckpointFile file : files) {
      if (file.isFile()
          && file.path().equals(prefix + file.name())
          && file.name().matches("[0-9]+(\\.compact)?")) {
        return hintOf(firstBytes(file));
      }
    }
    return Optional.empty();
  }

  private static Optional<SourceKind> hintOf(String start) {
    if (start.matches("(?s)v1\\r?\\n\\{\"path\":.*")) {
      return Optional.of(SourceKind.FILES);
    }
    return start.matches("v1\\r?\\n[0-9]+\\s*") ? Optional.of(SourceKind.RATE) : Optional.empty();
  }

  /**
   * The offset that a Kafka source starts at while nothing is committed: a byte that is skipped
   * (NUL; the length in Spark 2.1), a version line that Spark 2.1 did not write, and the offset
   * ({@code KafkaSourceInitialOffsetWriter}).
   */
  private Optional<String> initialOffset(String source, List<CheckpointFile> files) {
    String path = "sources/" + source + "/0";
    Optional<CheckpointFile> file =
        files.stream()
            .filter(
                f ->
                    f.path().equals(path)
                        && f.isFile()
                        && f.size() >= 2
                        && f.size() <= LARGEST_OFFSET)
            .findFirst();
    if (file.isEmpty()) {
      return Optional.empty();
    }
    try {
      byte[] bytes = store.readAll(checkpoint.child(path));
      String whole = new String(bytes, StandardCharsets.UTF_8);
      String text = new String(bytes, 1, bytes.length - 1, StandardCharsets.UTF_8);
      String json = text.startsWith("v1\n") ? text.substring(3) : text;
      return Stream.of(json, whole)
          .map(String::strip)
          .filter(
              offset ->
                  SourceOffsets.decode(offset, Optional.of(SourceKind.KAFKA))
                      instanceof PartitionedOffset)
          .findFirst();
    } catch (IOException unreadable) {
      return Optional.empty();
    }
  }

  private String firstBytes(CheckpointFile file) {
    try (InputStream in = store.open(checkpoint.child(file.path()))) {
      return new String(in.readNBytes(HINT_BYTES), StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      return "";
    }
  }
}
