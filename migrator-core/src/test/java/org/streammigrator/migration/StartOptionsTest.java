package org.streammigrator.migration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The strategy start-options: an empty checkpoint, and options without a gap. */
class StartOptionsTest {
  @TempDir private Path directory;
  private Console console;

  @BeforeEach
  void begin() {
    console = new Console(directory);
  }

  private void plan(String fixture, String keys) throws IOException {
    if (!Files.exists(directory.resolve("checkpoint"))) {
      Trees.copy(Path.of("../src-test-fixtures/checkpoints", fixture), directory);
    }
    Files.writeString(
        directory.resolve("plan.yaml"),
        """
        version: 1
        name: p
        streams:
          - name: s
            strategy: start-options
            checkpoint: {from: checkpoint, to: new/chk}
            %s
        """
            .formatted(keys));
  }

  private JsonNode planned() throws IOException {
    console.run("plan", "plan.yaml", "-o", "json");
    return new ObjectMapper().readTree(console.printed()).at("/streams/0");
  }

  @Test
  void anExactOptionStartsAtAnEmptyCheckpoint() throws IOException {
    plan("delta-version-boundary", "");
    JsonNode stream = planned();
    assertThat(stream.path("exactness").asText()).as(stream.toPrettyString()).isEqualTo("EXACT");
    assertThat(stream.at("/resume/sources/0/options/startingVersion").asText()).isEqualTo("3");
    assertThat(console.run("plan", "plan.yaml")).isZero();
    assertThat(console.printed()).contains("source 0 (delta): startingVersion = 3");
    assertThat(directory.resolve("new")).doesNotExist();
    assertThat(console.run("apply", "plan.yaml")).as(console.printed()).isZero();
    assertThat(console.printed()).contains("start the new query there with", "startingVersion = 3");
    assertThat(directory.resolve("new/chk")).isEmptyDirectory();
    assertThat(console.run("apply", "plan.yaml")).as(console.printed()).isZero();
    assertThat(console.printed()).contains("nothing to do", "startingVersion = 3");
    assertThat(console.run("status", "plan.yaml")).as(console.printed()).isZero();
    assertThat(console.printed()).contains("startingVersion = 3");
    assertThat(console.run("prove", "plan.yaml")).as(console.printed()).isEqualTo(7);
    assertThat(console.printed()).contains("startingVersion = 3");
    assertThat(console.run("plan", "plan.yaml", "--detailed-exitcode")).isZero();
  }

  @Test
  void rollbackRemovesAnEmptyCheckpointAndKeepsOneThatRan() throws IOException {
    plan("delta-version-boundary", "");
    assertThat(console.run("apply", "plan.yaml")).isZero();
    assertThat(console.run("rollback", "plan.yaml")).as(console.printed()).isZero();
    assertThat(directory.resolve("new/chk")).doesNotExist();
    assertThat(console.run("plan", "plan.yaml", "--detailed-exitcode")).isEqualTo(10);
    assertThat(console.run("apply", "plan.yaml")).as(console.printed()).isZero();
    Trees.copy(directory.resolve("checkpoint"), directory.resolve("new/chk"));
    assertThat(console.run("apply", "plan.yaml")).as(console.printed()).isZero();
    assertThat(console.run("rollback", "plan.yaml")).as(console.printed()).isEqualTo(3);
    assertThat(console.printed()).contains("NEW_BATCHES_LOST");
  }

  @Test
  void anOverlapNeedsMerge() throws IOException {
    plan("delta-pending-in-sink", "sink: {kafka: 'h:1', topic: t}");
    assertThat(planned().path("findings").toString()).contains("SINK_ROWS_REPEATED");
    assertThat(console.run("apply", "plan.yaml")).as(console.printed()).isEqualTo(3);
    assertThat(console.run("apply", "plan.yaml", "--accept", "SINK_ROWS_REPEATED"))
        .as(console.printed())
        .isZero();
  }

  @Test
  void anOverlapThatMergeTakesUpIsSaid() throws IOException {
    plan("delta-pending-in-sink", "sink: {custom: mine, keys: [id]}");
    JsonNode stream = planned();
    assertThat(stream.path("exactness").asText()).as(stream.toPrettyString()).isEqualTo("OVERLAP");
    assertThat(stream.path("refused").asBoolean()).isFalse();
    assertThat(stream.path("findings").toString()).contains("MERGE on id");
  }

  @Test
  void whatNoOptionCanSayIsRefused() throws IOException {
    plan("delta-initial-snapshot", "");
    JsonNode stream = planned();
    assertThat(stream.path("refused").asBoolean()).as(stream.toPrettyString()).isTrue();
    assertThat(stream.path("findings").toString()).contains("INEXACT_POSITION", "strategy seed");
    assertThat(console.run("apply", "plan.yaml")).isEqualTo(3);
    assertThat(directory.resolve("new")).doesNotExist();
  }

  /** A new query's batches begin at 0, wherever the old one stood. */
  @Test
  void batchZeroOfTheNewQueryHasNoRecordedStart() throws IOException {
    plan("delta-version-boundary", "");
    assertThat(console.run("apply", "plan.yaml")).isZero();
    for (String file : List.of("metadata", "offsets/0", "commits/0")) {
      Path to = directory.resolve("new/chk").resolve(file);
      Files.createDirectories(to.getParent());
      Files.copy(directory.resolve("checkpoint").resolve(file.replace("/0", "/2")), to);
    }
    assertThat(console.run("prove", "plan.yaml")).as(console.printed()).isZero();
    assertThat(console.printed()).contains("recorded nowhere", "startingVersion = 3");
  }

  @Test
  void completeModeIsRefusedWhateverIsAccepted() throws IOException {
    plan("delta-version-boundary", "query: {outputMode: complete}\n    accept: [STATE_DROPPED]");
    assertThat(console.run("apply", "plan.yaml")).as(console.printed()).isEqualTo(3);
    assertThat(console.printed()).contains("complete mode");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{files: out, keys: [id]}", "{kafka: 'h:1', topic: t, keys: [id]}"})
  void onlyTablesAreMergedInto(String sink) throws IOException {
    plan("delta-pending-in-sink", "sink: " + sink);
    assertThat(console.run("apply", "plan.yaml")).as(console.printed()).isEqualTo(3);
    assertThat(console.printed()).contains("SINK_ROWS_REPEATED");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{delta: cat.sch.tab, txnAppId: app}", "{files: 'nosuch://b/t'}"})
  void aSinkThatCouldNotBeAskedMaySkip(String sink) throws IOException {
    plan("delta-version-boundary", "sink: " + sink);
    assertThat(planned().path("findings").toString()).contains("SINK_BATCHES_SKIPPED");
  }

  @Test
  void sourcesThatAreRemovedOrNewAreToldSo() throws IOException {
    plan(
        "delta-initial-snapshot",
        "sources: [{was: '0', removed: true}, {kafka: 'h:1', topic: t, was: none}]");
    assertThat(console.run("plan", "plan.yaml")).as(console.printed()).isZero();
    assertThat(console.printed())
        .contains("starting options of its own")
        .doesNotContain("source 0 (delta)");
  }

  @Test
  void aTargetThatIsALinkIsRefused() throws IOException {
    plan("delta-version-boundary", "");
    Files.createDirectories(directory.resolve("new"));
    Files.createDirectories(directory.resolve("elsewhere"));
    Files.createSymbolicLink(directory.resolve("new/chk"), directory.resolve("elsewhere"));
    assertThat(console.run("apply", "plan.yaml")).as(console.printed()).isEqualTo(3);
    assertThat(console.printed()).contains("TARGET_NOT_EMPTY", "the target is a symbolic");
  }

  @Test
  void savedPlansGoIntoNoCheckpoint() throws IOException {
    plan("delta-version-boundary", "");
    assertThat(console.run("plan", "plan.yaml", "--out", "checkpoint/offsets/3")).isEqualTo(2);
    assertThat(directory.resolve("checkpoint/offsets/3")).doesNotExist();
  }

  @Test
  void stateIsLostAndHasToBeAccepted() throws IOException {
    plan("window-hdfs", "sink: {custom: mine, keys: [id]}");
    assertThat(planned().path("findings").toString()).contains("STATE_DROPPED", "holds");
    assertThat(console.run("apply", "plan.yaml")).isEqualTo(3);
  }

  @Test
  void aSinkThatGoesByNumbersAloneWouldSkipTheNewBatches() throws IOException {
    plan("delta-version-boundary", "sink: {files: out}");
    Files.createDirectories(directory.resolve("out/_spark_metadata"));
    Files.writeString(directory.resolve("out/_spark_metadata/2"), "v1");
    assertThat(planned().path("findings").toString())
        .contains("SINK_BATCHES_SKIPPED", "begin at 0");
  }

  @Test
  void aPlaceForTheCheckpointIsNeeded() throws IOException {
    plan("delta-version-boundary", "");
    Path plan = directory.resolve("plan.yaml");
    Files.writeString(plan, Files.readString(plan).replace(", to: new/chk", ""));
    assertThat(planned().path("findings").toString()).contains("PLAN_INCOMPLETE");
    assertThat(console.run("apply", "plan.yaml")).as(console.printed()).isEqualTo(3);
  }
}
