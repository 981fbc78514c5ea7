package org.streammigrator.checkpoint;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;
import org.streammigrator.checkpoint.json.Json;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;

/**
 * Reads a file source's own log: its names, and of the entries that a start reads, which input
 * files they hold ({@code v1}, then one JSON object a line: {@code FileStreamSourceLog} in Spark).
 */
final class FileSourceLogReader {
  private final Store store;
  private final Location checkpoint;
  private final List<CheckpointFile> files;

  FileSourceLogReader(Store store, Location checkpoint, List<CheckpointFile> files) {
    this.store = requireNonNull(store, "store");
    this.checkpoint = requireNonNull(checkpoint, "checkpoint");
    this.files = List.copyOf(files);
  }

  /**
   * Reads the log of a source.
   *
   * @param isFileSource whether the entries are known to be those of a file source
   */
  FileSourceLog read(String source, boolean isFileSource) {
    Map<String, CheckpointFile> byName = new HashMap<>();
    TreeSet<Long> plain = new TreeSet<>();
    TreeSet<Long> compact = new TreeSet<>();
    String prefix = "sources/" + source + "/";
    for (CheckpointFile file : files) {
      if (!file.isFile() || !file.path().equals(prefix + file.name())) {
        continue;
      }
      byName.put(file.name(), file);
      boolean isCompact = file.name().endsWith(".compact");
      String number =
          isCompact
              ? file.name().substring(0, file.name().length() - ".compact".length())
              : file.name();
      if (number.matches("0|[1-9][0-9]{0,17}")) {
        (isCompact ? compact : plain).add(Long.parseLong(number));
      }
    }
    FileSourceLog log = new FileSourceLog(source, plain, compact, FileSourceLog.Seen.NOTHING);
    if (!isFileSource || log.isEmpty()) {
      return log;
    }
    SeenSoFar seen = new SeenSoFar();
    for (String name : log.filesReadAtStart()) {
      if (byName.containsKey(name)) {
        seen.read(byName.get(name));
      }
    }
    return new FileSourceLog(source, plain, compact, seen.result());
  }

  /** Counts the files that entries hold and finds the directory that all are below. */
  private final class SeenSoFar {
    private final Map<String, String> damaged = new TreeMap<>();
    private final Map<String, Boolean> directories = new LinkedHashMap<>();
    private long count;
    private long newestMs = Long.MIN_VALUE;
    private String prefix;

    private void read(CheckpointFile entry) {
      try (BufferedReader lines =
          new BufferedReader(
              new InputStreamReader(
                  store.open(checkpoint.child(entry.path())), StandardCharsets.UTF_8))) {
        String version = lines.readLine();
        if (version == null) {
          damaged.put(entry.name(), "it has 0 bytes");
          return;
        }
        if (!version.equals("v1")) {
          damaged.put(entry.name(), "its first line is " + LogText.quote(version));
          return;
        }
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          Optional<JsonNode> file = Json.parseObject(line);
          JsonNode path = file.map(node -> node.path("path")).orElse(null);
          if (path == null || !path.isTextual()) {
            damaged.put(entry.name(), "it holds " + LogText.quote(line));
            return;
          }
          add(path.asText());
          OptionalLong modified = Json.exactLong(file.get().get("timestamp"));
          if (modified.isPresent()) {
            newestMs = Math.max(newestMs, modified.getAsLong());
          }
        }
      } catch (IOException unreadable) {
        damaged.put(entry.name(), "it cannot be read: " + unreadable.getMessage());
      }
    }

    private void add(String path) {
      count++;
      String directory = path.substring(0, Math.max(path.lastIndexOf('/'), 0));
      if (directories.put(directory, true) != null && prefix != null) {
        return;
      }
      if (prefix == null) {
        prefix = directory;
      }
      while (!prefix.isEmpty()
          && !directory.equals(prefix)
          && !directory.startsWith(prefix + "/")) {
        prefix = prefix.substring(0, Math.max(prefix.lastIndexOf('/'), 0));
      }
      if (directories.size() > 1000) {
        directories.clear();
      }
    }

    private FileSourceLog.Seen result() {
      return new FileSourceLog.Seen(
          count,
          prefix == null ? "" : prefix,
          newestMs == Long.MIN_VALUE ? OptionalLong.empty() : OptionalLong.of(newestMs),
          damaged);
    }
  }
}
