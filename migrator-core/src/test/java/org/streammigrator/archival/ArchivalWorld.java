package org.streammigrator.archival;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.streammigrator.cli.Cli;
import org.streammigrator.cli.CliContext;
import org.streammigrator.storage.Content;
import org.streammigrator.storage.LocalStore;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;

/** Checkpoints of a stateless query, and the program run on them at a time of one's own. */
final class ArchivalWorld {
  /** When the old query ended; the migration follows an hour later. */
  static final Instant END = Instant.parse("2026-01-01T00:00:00Z");

  final Store store;
  final Location root;
  private final Path directory;
  String printed = "";

  ArchivalWorld(Path directory) {
    this(directory, new LocalStore(), Location.of(directory));
  }

  ArchivalWorld(Path directory, Store store, Location root) {
    this.directory = directory;
    this.store = store;
    this.root = root;
  }

  void write(String path, String content, Instant modified) throws IOException {
    store.write(root.child(path), Content.of(content.getBytes(UTF_8)), Optional.of(modified));
  }

  /** Batch n of a query that reads ten records in each. */
  void batch(String checkpoint, long batch, Instant committed) throws IOException {
    plan(checkpoint, batch, committed.minusSeconds(1));
    write(checkpoint + "/commits/" + batch, "v1\n{\"nextBatchWatermarkMs\":0}", committed);
  }

  void plan(String checkpoint, long batch, Instant planned) throws IOException {
    String header =
        "{\"batchWatermarkMs\":0,\"batchTimestampMs\":1774602000000,\"conf\":{"
            + "\"spark.sql.shuffle.partitions\":\"4\"}}";
    String offsets = "{\"clicks\":{\"0\":" + 10 * (batch + 1) + "}}";
    write(checkpoint + "/offsets/" + batch, "v1\n" + header + "\n" + offsets, planned);
  }

  /** A checkpoint with the batches 0 to 2, of which the last was committed at {@link #END}. */
  void checkpoint(String path) throws IOException {
    checkpoint(path, END);
  }

  void checkpoint(String path, Instant last) throws IOException {
    String id =
        "{\"id\":\"6f1c1c52-6d1c-4c3c-9c55-"
            + String.format("%012x", path.hashCode() & 0xffffffffL)
            + "\"}";
    write(path + "/metadata", id, last.minusSeconds(3600));
    for (long batch = 0; batch < 3; batch++) {
      batch(path, batch, last.minusSeconds(60 * (2 - batch)));
    }
  }

  int run(Store over, Instant now, String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream print = new PrintStream(out, true, UTF_8);
    boolean json = List.of(arguments).contains("json");
    PrintStream errors =
        json ? new PrintStream(OutputStream.nullOutputStream(), true, UTF_8) : print;
    int code =
        Cli.run(
            List.of(arguments),
            print,
            errors,
            CliContext.ofProcess()
                .withDirectory(directory)
                .withStore(over)
                .withClock(Clock.fixed(now, ZoneOffset.UTC)));
    printed = out.toString(UTF_8);
    assertThat(printed).doesNotContain("\tat ");
    return code;
  }

  int run(Instant now, String... arguments) {
    return run(store, now, arguments);
  }

  JsonNode json(int code, Instant now, String... arguments) throws IOException {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("-o", "json"));
    assertThat(run(now, all.toArray(String[]::new))).as(printed).isEqualTo(code);
    return new JsonMapper().readTree(printed);
  }

  /** Every file below a place, with its bytes and its time; directories end in a slash. */
  Map<String, String> files(String path) throws IOException {
    Map<String, String> files = new TreeMap<>();
    Location place = path.isEmpty() ? root : root.child(path);
    if (store.stat(place).isEmpty()) {
      return files;
    }
    for (StoreEntry entry : store.walk(place)) {
      String name = entry.location().relativeTo(place);
      if (entry.isFile()) {
        files.put(name, new String(store.readAll(entry.location()), UTF_8) + entry.modified());
      } else {
        files.put(name + "/", "");
      }
    }
    return files;
  }

  void touch(String path, Instant modified) throws IOException {
    Files.setLastModifiedTime(root.child(path).localPath(), FileTime.from(modified));
  }
}
