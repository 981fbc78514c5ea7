package org.streammigrator.cases;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Inspects and resumes the checkpoints that real Spark queries wrote. */
class FixturesTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final Path FIXTURES = Path.of("../src-test-fixtures/checkpoints");

  private static JsonNode run(int exit, String command, String name, String... more)
      throws IOException {
    List<String> args = new ArrayList<>(List.of(command, name + "/checkpoint", "-o", "json"));
    args.addAll(List.of(more));
    CommandRun result = CommandRun.of(FIXTURES.toAbsolutePath().normalize(), args);
    assertThat(result.exit()).as(args + result.out() + result.err()).isEqualTo(exit);
    return MAPPER.readTree(result.out());
  }

  /** Whatever a healthy query left behind restarts everywhere, and nothing about it is an error. */
  @ParameterizedTest
  @CsvSource({
    "delta-version-boundary, delta, 2, 2, 0",
    "delta-pending-in-sink, delta, 2, 1, 0",
    "delta-pending-not-in-sink, delta, 2, 1, 0",
    "delta-first-batch-pending, delta, 0, , 0",
    "delta-initial-snapshot, delta, 0, 0, 0",
    "delta-window-pending-in-sink, delta, 2, 1, 2",
    "window-hdfs, files, 14, 14, 2",
    "window-rocksdb, files, 14, 14, 2",
    "window-rocksdb-changelog, files, 14, 14, 2",
    "files-json, files, 13, 13, 0",
    "rate, rate, 2, 2, 0",
    "rate-micro-batch, rate-micro-batch, 2, 2, 0"
  })
  void realCheckpointsAreRestartable(
      String name, String type, long planned, Long committed, int partitions) throws IOException {
    JsonNode json = run(0, "inspect", name);
    assertThat(JsonSubset.findings(json)).noneMatch(finding -> finding.endsWith(":error"));
    assertThat(json.get("restartableBy").toString())
        .isEqualTo("{\"3.5\":true,\"4.0\":true,\"4.1\":true,\"4.2\":true}");
    assertThat(json.get("batches").get("lastPlanned").asLong()).isEqualTo(planned);
    assertThat(json.get("batches").get("lastCommitted").toString())
        .isEqualTo(String.valueOf(committed));
    assertThat(json.get("sources")).hasSize(1);
    assertThat(json.get("sources").get(0).get("type").asText()).isEqualTo(type);
    assertThat(json.get("conf").get("spark.sql.shuffle.partitions").asText()).isEqualTo("2");
    if (partitions == 0) {
      assertThat(json.get("state")).isEmpty();
    } else {
      JsonNode state = json.get("state").get(0);
      assertThat(state.get("name").asText()).isEqualTo("stateStoreSave");
      assertThat(state.get("partitions").asInt()).isEqualTo(partitions);
      assertThat(state.get("loadable").asBoolean()).isTrue();
    }
  }

  @Test
  void everyFixtureIsTested() throws IOException {
    try (Stream<Path> directories = Files.list(FIXTURES)) {
      assertThat(directories.map(path -> path.getFileName().toString()))
          .containsExactlyInAnyOrder(
              "delta-version-boundary",
              "delta-pending-in-sink",
              "delta-pending-not-in-sink",
              "delta-first-batch-pending",
              "delta-initial-snapshot",
              "delta-window-pending-in-sink",
              "window-hdfs",
              "window-rocksdb",
              "window-rocksdb-changelog",
              "files-json",
              "rate",
              "rate-micro-batch");
    }
  }

  /** Three commits 0..2 were read; version 3 is not written. */
  @Test
  void caughtUpDeltaStartsAtTheVersionThatDoesNotExistYet() throws IOException {
    JsonNode json =
        run(0, "resume", "delta-version-boundary", "--delta", "0=delta-version-boundary/source");
    assertThat(json.get("exact").asBoolean()).isTrue();
    assertThat(json.at("/sources/0/options/startingVersion").asText()).isEqualTo("3");
    assertThat(JsonSubset.findings(json)).contains("DELTA_NEXT_VERSION_NOT_WRITTEN:warning");
  }

  @ParameterizedTest
  @CsvSource({"delta-pending-in-sink", "delta-pending-not-in-sink"})
  void midVersionIsNeverExact(String name) throws IOException {
    JsonNode json = run(0, "resume", name, "--delta", "0=" + name + "/source");
    assertThat(json.get("batch").asLong()).isEqualTo(1);
    assertThat(json.get("pendingBatch").asLong()).isEqualTo(2);
    assertThat(json.at("/sources/0/exactness").asText()).isEqualTo("OVERLAP");
    assertThat(json.at("/sources/0/options/startingVersion").asText()).isEqualTo("2");
    assertThat(JsonSubset.findings(json)).contains("DELTA_MID_VERSION:warning");
  }

  @Test
  void initialSnapshotHasNoOption() throws IOException {
    JsonNode json = run(3, "resume", "delta-initial-snapshot");
    assertThat(json.at("/sources/0/exactness").asText()).isEqualTo("NOT_EXPRESSIBLE");
    assertThat(json.at("/sources/0/options")).isEmpty();
  }

  @Test
  void firstBatchPendingHasNoRecordedStart() throws IOException {
    JsonNode json = run(3, "resume", "delta-first-batch-pending");
    assertThat(json.get("batch").isNull()).isTrue();
    assertThat(json.get("pendingBatch").asLong()).isZero();
    assertThat(json.at("/sources/0/options")).isEmpty();
  }

  @Test
  void pendingBatchWithoutInputRepeatsNothingOfTheSource() throws IOException {
    JsonNode json = run(0, "resume", "delta-window-pending-in-sink");
    assertThat(json.get("batch").asLong()).isEqualTo(1);
    assertThat(json.at("/sources/0/exactness").asText()).isEqualTo("EXACT");
    assertThat(json.at("/sources/0/options/startingVersion").asText()).isEqualTo("4");
  }

  /**
   * HDFS-backed: snapshot 10 or a later one and the deltas after it; offsets 13 and 14; commit 14.
   */
  @Test
  void liveSubsetLeavesHistoryOut() throws IOException {
    for (String name : List.of("window-hdfs", "window-rocksdb", "window-rocksdb-changelog")) {
      JsonNode files = run(0, "inspect", name).get("files");
      assertThat(files.get("liveCount").asLong())
          .as(name + files)
          .isPositive()
          .isLessThan(files.get("count").asLong());
    }
  }

  @ParameterizedTest
  @CsvSource({"files-json", "rate", "rate-micro-batch"})
  void sourcesWithoutStartingOptionsSaySo(String name) throws IOException {
    JsonNode json = run(3, "resume", name);
    assertThat(json.at("/sources/0/exactness").asText()).isEqualTo("NOT_EXPRESSIBLE");
    assertThat(json.at("/sources/0/options")).isEmpty();
  }
}
