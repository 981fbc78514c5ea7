package org.streammigrator.migration;

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
import org.junit.jupiter.api.io.TempDir;
import org.streammigrator.cases.CommandRun;

/** What a dry run promises of damaged or doubtful checkpoints: never more than what was proved. */
class PlanLabelTest {
  private static final String DELTA_SINK = "sink: {delta: sink}";

  @TempDir private Path directory;

  @Test
  void anEmptyNewestPlanIsNotRelocatedAsIfItCouldRun() throws IOException {
    fixture("delta-pending-not-in-sink");
    Files.writeString(directory.resolve("checkpoint/offsets/2"), "");

    JsonNode stream = plan("relocate", DELTA_SINK, 3);

    assertThat(errors(stream)).contains("OFFSETS_EMPTY");
  }

  @Test
  void aTruncatedNewestPlanIsNotRelocatedAsIfItCouldRun() throws IOException {
    fixture("delta-pending-in-sink");
    Path newest = directory.resolve("checkpoint/offsets/2");
    Files.writeString(newest, Files.readString(newest).substring(0, 40));

    JsonNode stream = plan("relocate", DELTA_SINK, 3);

    assertThat(errors(stream)).contains("OFFSETS_CORRUPT");
  }

  @Test
  void aPendingBatchThatNoSinkTellsOfMayBeWrittenTwice() throws IOException {
    fixture("delta-pending-in-sink");

    assertThat(plan("relocate", "", 0).path("exactness").asText()).isEqualTo("OVERLAP");
    assertThat(errors(plan("seed", "", 3))).containsExactly("PENDING_BATCH");
    JsonNode accepted = plan("seed", "accept: PENDING_BATCH", 0);
    assertThat(accepted.path("exactness").asText()).isEqualTo("OVERLAP");
    assertThat(accepted.path("explanation").asText()).contains("carried along");
  }

  @Test
  void aSinkThatForgotTheQueryCannotSkipItsPendingBatch() throws IOException {
    fixture("delta-pending-in-sink");
    try (Stream<Path> files = Files.list(directory.resolve("sink/_delta_log"))) {
      for (Path file : files.filter(path -> path.toString().endsWith(".json")).toList()) {
        List<String> lines = new ArrayList<>(Files.readAllLines(file));
        lines.removeIf(line -> line.contains("\"txn\""));
        Files.write(file, lines);
      }
    }

    for (String strategy : List.of("relocate", "seed")) {
      JsonNode stream = plan(strategy, DELTA_SINK, 0);
      assertThat(stream.path("exactness").asText()).as(strategy).isEqualTo("OVERLAP");
      assertThat(stream.path("explanation").asText()).contains("carried along");
    }
  }

  @Test
  void oneSinkDoesNotSpeakForAnother() throws IOException {
    fixture("delta-pending-in-sink");
    String sinks = "sink: [{delta: sink}, {kafka: 'broker:9092'}]";

    assertThat(errors(plan("seed", sinks, 3))).containsExactly("PENDING_BATCH");
    assertThat(plan("relocate", sinks, 0).path("exactness").asText()).isEqualTo("OVERLAP");
  }

  @Test
  void whatIsAcceptedIsNoLongerExact() throws IOException {
    fixture("window-hdfs");

    JsonNode stream = plan("seed", "accept: STATE_DROPPED", 0);

    assertThat(stream.path("exactness").asText()).isEqualTo("LOSS");
    assertThat(stream.path("ledger").get(0).path("meets").asText()).isEqualTo("loss");
  }

  /** What is lost is counted; a new query that keeps state finds empty stores. */
  @Test
  void stateIsDroppedKnowinglyOnly() throws IOException {
    fixture("window-hdfs");
    String query = "query: {operators: [{kind: dedupe, keys: [k]}, {kind: join}]}";
    assertThat(errors(plan("seed", query, 3))).containsExactly("STATE_DROPPED");
    assertThat(plan("seed", query, 3).path("findings").toString())
        .contains("operator 0 (stateStoreSave) holds ")
        .containsPattern("holds [1-9][0-9]* keys");
    assertThat(plan("seed", query + "\naccept: STATE_DROPPED", 0).path("exactness").asText())
        .isEqualTo("LOSS");
  }

  @Test
  void stateThatIsNewBeginsEmptyKnowinglyOnly() throws IOException {
    fixture("rate");
    String query = "query: {operators: [{kind: dedupe, keys: [k]}]}";
    assertThat(plan("seed", query, 3).path("findings").toString())
        .contains("STATE_DROPPED", "it begins empty");
  }

  @Test
  void aCommitWhosePlanIsGoneIsNotReadAgainSilently() throws IOException {
    fixture("rate");
    Files.delete(directory.resolve("checkpoint/offsets/2"));

    assertThat(errors(plan("seed", "", 3))).contains("COMMIT_WITHOUT_OFFSETS");
  }

  @Test
  void aPlanThatMeansOtherSourcesIsRefused() throws IOException {
    fixture("delta-version-boundary");

    for (String sources :
        List.of("[{kafka: 'broker:9092'}]", "[{delta: source}, {kafka: 'broker:9092'}]")) {
      assertThat(errors(plan("seed", "sources: " + sources, 3))).containsExactly("SOURCES_DIFFER");
      assertThat(errors(plan("relocate", "sources: " + sources, 3)))
          .containsExactly("SOURCES_DIFFER");
    }
    plan("relocate", "sources: [{delta: source, was: 0}]", 0);
    assertThat(errors(plan("relocate", "sources: [{delta: source}, {rate: x, was: none}]", 3)))
        .containsExactly("NOT_AVAILABLE");
  }

  @Test
  void aSourceOfANamedLogIsFoundByItsName() throws IOException {
    fixture("delta-version-boundary");
    try (Stream<Path> plans = Files.list(directory.resolve("checkpoint/offsets"))) {
      for (Path file : plans.filter(path -> !path.toString().endsWith(".crc")).toList()) {
        String text = Files.readString(file);
        Files.writeString(
            file,
            text.replaceFirst("v1", "v2").replaceFirst("\n\\{\"sourceV", "\norders:{\"sourceV"));
      }
    }

    plan("seed", "sources: {orders: {delta: source}}", 0);
    assertThat(errors(plan("seed", "sources: {orders: {delta: sink}}", 3)))
        .containsExactly("DELTA_TABLE_REPLACED");
    assertThat(errors(plan("seed", "sources: [{delta: source}]", 3)))
        .containsExactly("SOURCES_DIFFER");
  }

  @Test
  void batchNumbersDoNotGoOnInFileSinkWithoutLog() throws IOException {
    fixture("rate");
    Files.createDirectories(directory.resolve("out"));

    assertThat(errors(plan("seed", "identity: new\nsink: {files: out}", 3)))
        .containsExactly("FILE_SINK_LOG_MISSING");
    assertThat(errors(plan("seed", "identity: new\nsink: {files: nowhere}", 3)))
        .containsExactly("FILE_SINK_LOG_MISSING");
  }

  @Test
  void anUnreadableSinkRefusesItsStreamAndNoOther() throws IOException {
    fixture("delta-pending-in-sink");
    try (Stream<Path> commits = Files.list(directory.resolve("sink/_delta_log"))) {
      for (Path file : commits.filter(path -> path.toString().endsWith(".json")).toList()) {
        Files.writeString(file, "{\"commitInfo\"");
      }
    }

    assertThat(errors(plan("relocate", DELTA_SINK, 3))).containsExactly("UNREADABLE");
  }

  private void fixture(String name) throws IOException {
    Trees.copy(Path.of("../src-test-fixtures/checkpoints").resolve(name), directory);
  }

  /** The only stream of a plan that moves the fixture. */
  private JsonNode plan(String strategy, String lines, int exit) throws IOException {
    Files.writeString(
        directory.resolve("plan.yaml"),
        "version: 1\nname: p\nstreams:\n  - name: s\n    strategy: "
            + strategy
            + "\n    checkpoint: {from: checkpoint, to: new}\n"
            + lines.indent(4));
    CommandRun run = CommandRun.of(directory, List.of("plan", "plan.yaml", "-o", "json"));
    assertThat(run.exit()).as(run.out() + run.err()).isEqualTo(exit);
    return new ObjectMapper().readTree(run.out()).path("streams").get(0);
  }

  private static List<String> errors(JsonNode stream) {
    List<String> codes = new ArrayList<>();
    for (JsonNode finding : stream.path("findings")) {
      if (finding.path("severity").asText().equals("error")) {
        codes.add(finding.path("code").asText());
      }
    }
    return codes;
  }
}
