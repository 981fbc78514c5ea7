package org.streammigrator.migration;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/**
 * A directory with the demo's windowed query, whose checkpoint {@code v1} and table real Spark has
 * written, and a plan that replays it into {@code v2}.
 */
record ReplayHome(Path directory) {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final Path FIXTURES = Path.of("../src-test-fixtures/demo");

  /** The watermark of the old query's last batch. */
  static final Instant WATERMARK = Instant.ofEpochMilli(1774605717213L);

  /** Copies it there. */
  static ReplayHome at(Path directory) throws IOException {
    Trees.copy(FIXTURES.resolve("checkpoints/orders_5min_v1"), directory.resolve("v1"));
    Trees.copy(FIXTURES.resolve("lake/gold/orders_5min"), directory.resolve("gold"));
    Trees.copy(FIXTURES.resolve("lake/raw/orders"), directory.resolve("orders"));
    // The fixture has the log alone; a replay looks whether the data is there.
    try (Stream<Path> log = Files.list(directory.resolve("orders/_delta_log"))) {
      for (Path commit : log.filter(file -> file.toString().endsWith(".json")).toList()) {
        for (String line : Files.readAllLines(commit)) {
          JsonNode path = MAPPER.readTree(line).at("/add/path");
          if (path.isTextual()) {
            Files.createFile(directory.resolve("orders").resolve(path.asText()));
          }
        }
      }
    }
    Files.setLastModifiedTime(directory.resolve("v1/metadata"), FileTime.from(Instant.EPOCH));
    return new ReplayHome(directory);
  }

  /** Writes the plan with more keys of its stream. */
  void plan(String keys) throws IOException {
    plan(keys, "{delta: orders, eventTime: event_time}");
  }

  /** Writes the plan with another source. */
  void plan(String keys, String source) throws IOException {
    Files.writeString(
        directory.resolve("plan.yaml"),
        """
        version: 1
        name: windows
        streams:
          - name: orders
            strategy: replay
            checkpoint: {from: v1, to: v2}
            sources: [%s]
            sink: {delta: gold}
            %s
        """
            .formatted(source, keys));
  }

  /** What {@code plan} says of the stream. */
  JsonNode planned(Console console) throws IOException {
    console.run("plan", "plan.yaml", "-o", "json");
    return MAPPER.readTree(console.printed()).at("/streams/0");
  }

  /** Has batch 7, which rebuilds the state, done, with the state that it was to leave. */
  void runBatch() throws IOException {
    Files.writeString(
        directory.resolve("v2/commits/7"), "v1\n{\"nextBatchWatermarkMs\":1774605717213}");
    for (String partition : List.of("0", "1")) {
      Path stores = directory.resolve("v2/state/0/" + partition);
      Files.copy(stores.resolve("7.snapshot"), stores.resolve("8.snapshot"));
    }
  }
}
