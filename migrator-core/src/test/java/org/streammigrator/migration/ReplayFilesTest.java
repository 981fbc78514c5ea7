package org.streammigrator.migration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * From where the strategy replay reads the input of a file source again: fourteen files, one a
 * batch and a second apart, of which a compact entry holds the first ten.
 */
class ReplayFilesTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final long FIRST = 1774602000000L;

  @TempDir private Path directory;
  private Console console;

  @BeforeEach
  void begin() throws IOException {
    console = new Console(directory);
    Trees.copy(
        Path.of("../src-test-fixtures/checkpoints/files-json/checkpoint"), directory.resolve("v1"));
    Files.createDirectories(directory.resolve("input"));
    for (int number = 0; number < 14; number++) {
      Path file = Files.writeString(input(number), "{}\n");
      Files.setLastModifiedTime(file, FileTime.fromMillis(FIRST + 1000 * number));
    }
    rename("file:/tmp/migrator-fixtures/files-json/input", input(0).getParent().toUri().toString());
    // A watermark that the windowed query of the plan would have had.
    Path last = directory.resolve("v1/offsets/13");
    Files.deleteIfExists(directory.resolve("v1/offsets/.13.crc"));
    Files.writeString(
        last,
        Files.readString(last)
            .replace("\"batchWatermarkMs\":0", "\"batchWatermarkMs\":" + (FIRST + 12_000)));
  }

  private Path input(int number) {
    return directory.resolve("input/part %02d.json".formatted(number));
  }

  /** Replaces a text in all entries of the source's log. */
  private void rename(String from, String to) throws IOException {
    try (Stream<Path> entries = Files.list(directory.resolve("v1/sources/0"))) {
      for (Path entry : entries.filter(file -> !file.toString().endsWith(".crc")).toList()) {
        Files.deleteIfExists(entry.resolveSibling("." + entry.getFileName() + ".crc"));
        Files.writeString(entry, Files.readString(entry).replace(from, to.replaceAll("/$", "")));
      }
    }
  }

  @Test
  void beginsBeforeTheFirstFileThatIsYoungEnough() throws IOException {
    JsonNode near = source("2s", "0s");
    assertThat(near.at("/from/logOffset").asLong()).as("files from 10 on").isEqualTo(9);
    assertThat(near.path("files").asLong()).isEqualTo(4);
    assertThat(near.path("bytes").asLong()).isEqualTo(12);
    JsonNode compact = source("2s", "5s");
    assertThat(compact.at("/from/logOffset").asLong()).as("files from 5 on").isEqualTo(4);
    assertThat(compact.path("files").asLong()).isEqualTo(9);
    assertThat(source("1h", "0s").at("/from/logOffset").asLong()).as("all").isEqualTo(-1);
  }

  @Test
  void nothingIsReadAgainWhereNoFileIsYoungEnough() throws IOException {
    Path last = directory.resolve("v1/offsets/13");
    Files.writeString(
        last,
        Files.readString(last)
            .replace(Long.toString(FIRST + 12_000), Long.toString(FIRST + 90_000)));
    JsonNode none = source("2s", "0s");
    assertThat(none.at("/from/logOffset").asLong()).isEqualTo(13);
    assertThat(none.path("files").asLong()).isZero();
  }

  @Test
  void skewHasToBeSaid() throws IOException {
    plan("2s", "");
    assertThat(errors()).contains("PLAN_INCOMPLETE", "replay.skew");
  }

  @Test
  void filesThatAreGoneOrWrittenAgainAreRefused() throws IOException {
    plan("2s", "replay: {skew: 0s}");
    Files.delete(input(2));
    assertThat(errors()).as("it is not needed").isEmpty();
    Files.delete(input(11));
    assertThat(errors()).contains("REPLAY_RANGE_GONE", "part 11.json");
    Files.writeString(input(11), "{}\n");
    assertThat(errors()).contains("FILE_CHANGED_IN_PLACE", "part 11.json");
  }

  @Test
  void logThatIsNotWholeIsRefused() throws IOException {
    plan("2s", "replay: {skew: 0s}");
    Path entry = directory.resolve("v1/sources/0/12");
    String whole = Files.readString(entry);
    Files.writeString(entry, whole.substring(0, whole.length() - 20));
    assertThat(errors()).contains("damaged");
    Files.writeString(entry, whole);
    Files.delete(directory.resolve("v1/sources/0/13"));
    assertThat(errors()).contains("ends at entry 12");
    assertThat(console.run("apply", "plan.yaml")).isEqualTo(3);
  }

  /** Spark reads each of them as often as there are files in the batch. */
  @Test
  void namesThatAreTakenForPatternsAreRefused() throws IOException {
    for (int number = 0; number < 14; number++) {
      Files.move(input(number), directory.resolve("input/part [%02d].json".formatted(number)));
    }
    for (int number = 0; number < 14; number++) {
      rename("part%%20%02d".formatted(number), "part%%20%%5B%02d%%5D".formatted(number));
    }
    plan("2s", "replay: {skew: 0s}");
    assertThat(errors()).contains("REPLAY_INEXACT", "several times");
    plan("1ms", "replay: {skew: 0s}");
    Path last = directory.resolve("v1/offsets/13");
    Files.writeString(
        last,
        Files.readString(last)
            .replace(Long.toString(FIRST + 12_000), Long.toString(FIRST + 13_000)));
    assertThat(errors()).as("one file alone is read once").isEmpty();
  }

  private JsonNode source(String size, String skew) throws IOException {
    plan(size, "replay: {skew: " + skew + "}");
    assertThat(console.run("plan", "plan.yaml", "-o", "json")).as(console.printed()).isZero();
    return MAPPER.readTree(console.printed()).at("/streams/0/replay/range/sources/0");
  }

  private String errors() throws IOException {
    console.run("plan", "plan.yaml", "-o", "json");
    StringBuilder errors = new StringBuilder();
    for (JsonNode finding : MAPPER.readTree(console.printed()).at("/streams/0/findings")) {
      if (finding.path("severity").asText().equals("error")) {
        errors.append(finding);
      }
    }
    return errors.toString();
  }

  private void plan(String size, String replay) throws IOException {
    Files.write(
        directory.resolve("plan.yaml"),
        List.of(
            "version: 1",
            "name: files",
            "streams:",
            "  - name: files",
            "    strategy: replay",
            "    checkpoint: {from: v1, to: v2}",
            "    sources: [{files: input}]",
            "    sink: {kafka: \"broker:9092\"}",
            "    query: {outputMode: append, operators: [{kind: window, size: " + size + "}]}",
            "    " + replay));
  }
}
