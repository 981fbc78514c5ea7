package org.streammigrator.migration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The strategy replay on the demo's windowed query, whose checkpoint and table real Spark has
 * written: from where it reads again, what it writes, and what it refuses. {@code
 * ReplayStrategyTest} restarts real queries.
 */
class ReplayApplyTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final Path FIXTURES = Path.of("../src-test-fixtures/demo");
  private static final String WINDOW =
      "query: {outputMode: append, operators: [{kind: window, size: 5m, delay: 10m}]}";

  /** The watermark of the last batch. */
  private static final Instant WATERMARK = Instant.ofEpochMilli(1774605717213L);

  @TempDir private Path directory;
  private Console console;

  @BeforeEach
  void begin() throws IOException {
    console = new Console(directory);
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
  }

  @Test
  void planTellsWhatIsReadAgainAndWritesNothing() throws IOException {
    plan(WINDOW);
    List<Path> before = files();
    JsonNode stream = planned();
    assertThat(files()).isEqualTo(before);
    assertThat(stream.path("exactness").asText()).isEqualTo("EXACT");
    JsonNode replay = stream.path("replay");
    assertThat(replay.path("batch").asLong()).isEqualTo(7);
    assertThat(replay.path("sink").asText()).isEqualTo("REAL");
    assertThat(replay.path("run").isMissingNode()).isTrue();
    JsonNode times = replay.at("/range/times");
    assertThat(times.path("evictionMs").asLong()).isEqualTo(WATERMARK.toEpochMilli());
    assertThat(times.path("lateMs").asLong()).isEqualTo(WATERMARK.toEpochMilli());
    assertThat(times.path("earliest").asText()).isEqualTo(WATERMARK.minusSeconds(300).toString());
    JsonNode source = replay.at("/range/sources/0");
    assertThat(source.at("/from/reservoirVersion").asLong()).isEqualTo(firstVersionReaching());
    assertThat(source.at("/from/index").asLong()).isEqualTo(-1);
    assertThat(source.path("neededRecords").asLong())
        .isPositive()
        .isLessThanOrEqualTo(source.path("records").asLong());
    assertThat(stream.path("steps"))
        .extracting(step -> step.path("kind").asText())
        .containsExactly("write", "verify", "publish");
    assertThat(console.run("plan", "plan.yaml")).isZero();
    assertThat(console.printed()).contains("read again", "may hold event times from");
  }

  /**
   * The first version with an event at or after the oldest needed one, from the rows' statistics.
   */
  private long firstVersionReaching() throws IOException {
    for (long version = 0; ; version++) {
      Path commit = directory.resolve("orders/_delta_log/%020d.json".formatted(version));
      for (String line : Files.readAllLines(commit)) {
        String statistics = MAPPER.readTree(line).at("/add/stats").asText("");
        if (!statistics.isEmpty()) {
          Instant newest =
              Instant.parse(MAPPER.readTree(statistics).at("/maxValues/event_time").asText());
          if (!newest.isBefore(WATERMARK.minusSeconds(300))) {
            return version;
          }
        }
      }
    }
  }

  @Test
  void applyWritesTheReplayBatch() throws IOException {
    plan(WINDOW);
    assertThat(console.run("apply", "plan.yaml")).as(console.printed()).isZero();
    Path old = directory.resolve("v1");
    Path made = directory.resolve("v2");
    assertThat(names(made.resolve("offsets"))).containsExactlyInAnyOrder("6", "7");
    assertThat(names(made.resolve("commits"))).containsExactly("6");
    assertThat(names(made.resolve("state/0"))).containsExactlyInAnyOrder("0", "1");
    assertThat(names(made.resolve("state/0/0"))).containsExactly("7.snapshot");
    assertThat(Files.readString(made.resolve("metadata")))
        .isEqualTo(Files.readString(old.resolve("metadata")));
    List<String> begun = Files.readAllLines(made.resolve("offsets/6"));
    List<String> replayed = Files.readAllLines(made.resolve("offsets/7"));
    List<String> last = Files.readAllLines(old.resolve("offsets/6"));
    assertThat(replayed).isEqualTo(last);
    assertThat(MAPPER.readTree(begun.get(1))).isEqualTo(MAPPER.readTree(last.get(1)));
    assertThat(MAPPER.readTree(begun.get(2)).path("reservoirVersion").asLong())
        .isEqualTo(firstVersionReaching());
    assertThat(Files.readAllLines(made.resolve("commits/6")).get(1))
        .isEqualTo("{\"nextBatchWatermarkMs\":" + WATERMARK.toEpochMilli() + "}");
    assertThat(console.run("plan", "plan.yaml", "--detailed-exitcode")).isZero();
    assertThat(console.run("apply", "plan.yaml")).isZero();
    assertThat(console.printed()).contains("nothing to do");
    assertThat(console.run("prove", "plan.yaml")).isEqualTo(7);
    assertThat(console.run("rollback", "plan.yaml")).as(console.printed()).isZero();
    assertThat(made).doesNotExist();
  }

  private JsonNode planned() throws IOException {
    console.run("plan", "plan.yaml", "-o", "json");
    return MAPPER.readTree(console.printed()).at("/streams/0");
  }

  private void plan(String keys) throws IOException {
    plan(keys, "{delta: orders, eventTime: event_time}");
  }

  private void plan(String keys, String source) throws IOException {
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

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.sorted().toList();
    }
  }

  private static Set<String> names(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      Set<String> names = new HashSet<>();
      files
          .map(file -> file.getFileName().toString())
          .filter(name -> !name.endsWith(".crc"))
          .forEach(names::add);
      return names;
    }
  }
}
