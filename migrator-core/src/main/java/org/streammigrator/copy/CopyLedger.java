package org.streammigrator.copy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;

/**
 * What of a copy is done, in files beside the target, {@code
 * <parent>/.<name>.migrator-progress/000001.jsonl} and so on, a line for each copied file. It only
 * saves work: without it, or with a part of it, a rerun compares bytes.
 */
final class CopyLedger {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final Store store;
  private final Location place;
  private final Location directory;
  private final long period;
  private final List<CopiedFile> waiting = new ArrayList<>();
  private long flushedAt = System.nanoTime();
  private int last;

  /**
   * The progress kept beside a target.
   *
   * @param place the directory that is filled; what is in it is durable before it is recorded
   * @param period how long a file may wait to be recorded
   */
  CopyLedger(Store store, Location place, Location target, Duration period) {
    this.store = store;
    this.place = place;
    this.directory = locationFor(target);
    this.period = period.toNanos();
  }

  static Location locationFor(Location target) {
    return Manifests.beside(target, "migrator-progress");
  }

  /** What was recorded, by path; what a crash cut short is left out. */
  Map<String, CopiedFile> read() throws IOException {
    Map<String, CopiedFile> files = new HashMap<>();
    List<StoreEntry> entries;
    try {
      entries = store.list(directory);
    } catch (NoSuchFileException none) {
      return files;
    }
    for (StoreEntry entry : entries) {
      last = Math.max(last, number(entry.location().name()));
      String text = new String(store.readAll(entry.location()), StandardCharsets.UTF_8);
      for (String line : text.split("\n")) {
        parse(line).ifPresent(file -> files.put(file.file().path(), file));
      }
    }
    return files;
  }

  /** Takes a file that is copied, and records all that wait when the time has come. */
  void add(CopiedFile file) throws IOException {
    synchronized (waiting) {
      waiting.add(file);
    }
    flushIfDue();
  }

  /** Records all that wait, if the time has come. */
  void flushIfDue() throws IOException {
    boolean due;
    synchronized (waiting) {
      due = System.nanoTime() - flushedAt >= period;
    }
    if (due) {
      flush();
    }
  }

  /** Records all that wait. */
  void flush() throws IOException {
    List<CopiedFile> files;
    synchronized (waiting) {
      if (waiting.isEmpty()) {
        return;
      }
      files = List.copyOf(waiting);
      waiting.clear();
      flushedAt = System.nanoTime();
    }
    store.settle(place);
    append(files);
  }

  private void append(List<CopiedFile> files) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (CopiedFile file : files) {
      out.write(MAPPER.writeValueAsBytes(json(file)));
      out.write('\n');
    }
    int number;
    synchronized (waiting) {
      number = ++last;
    }
    RetriedWrite.write(
        store,
        directory.child(String.format(Locale.ROOT, "%06d.jsonl", number)),
        out.toByteArray());
  }

  /** Deletes the progress kept beside a target. */
  static void delete(Store store, Location target) throws IOException {
    Trees.delete(store, locationFor(target));
  }

  private static ObjectNode json(CopiedFile copied) {
    ObjectNode line = MAPPER.createObjectNode();
    line.put("path", copied.file().path());
    line.put("size", copied.file().size());
    line.put("modified", copied.file().modified().toString());
    line.put("sha256", copied.file().sha256());
    copied.sourceTag().ifPresent(tag -> line.put("sourceTag", tag));
    copied.targetTag().ifPresent(tag -> line.put("targetTag", tag));
    copied.targetModified().ifPresent(time -> line.put("targetModified", time.toString()));
    line.put("verified", copied.verified());
    return line;
  }

  private static Optional<CopiedFile> parse(String line) {
    try {
      JsonNode node = MAPPER.readTree(line);
      String sha256 = node.path("sha256").asText();
      if (!Sha256.isHex(sha256) || !node.path("path").isTextual()) {
        return Optional.empty();
      }
      return Optional.of(
          new CopiedFile(
              new ManifestFile(
                  node.path("path").asText(),
                  node.path("size").asLong(-1),
                  sha256,
                  Instant.parse(node.path("modified").asText())),
              text(node, "sourceTag"),
              text(node, "targetTag"),
              text(node, "targetModified").map(Instant::parse),
              node.path("verified").asBoolean()));
    } catch (IOException | DateTimeException cutShort) {
      return Optional.empty();
    }
  }

  private static Optional<String> text(JsonNode node, String key) {
    return node.path(key).isTextual() ? Optional.of(node.path(key).asText()) : Optional.empty();
  }

  private static int number(String name) {
    String digits = name.replaceAll("[^0-9].*", "");
    return digits.isEmpty() || digits.length() > 8 ? 0 : Integer.parseInt(digits);
  }
}
