package org.streammigrator.migration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Plans with templates, from the dry run to the way back. */
class FleetTemplatesTest {
  private static final Path FIXTURE = Path.of("../src-test-fixtures/checkpoints/rate/checkpoint");

  @TempDir private Path directory;

  private Map<String, String> old;
  private String printed;

  @BeforeEach
  void copyCheckpoints() throws IOException {
    for (String name : List.of("a/one", "a/two", "b/three")) {
      Trees.copy(FIXTURE, Files.createDirectories(directory.resolve("chk/" + name)));
    }
    old = Trees.bytesAndTimes(directory.resolve("chk"));
    plan("foreach: {glob: \"chk/*/*\"}", "{from: \"${path}\", to: \"new/${below}\"}");
  }

  @Test
  void aTemplateIsPlannedAppliedShownAndTakenBack() throws IOException {
    assertThat(run("validate", "plan.yaml")).as(printed).isZero();
    assertThat(run("plan", "plan.yaml", "-o", "json")).as(printed).isZero();
    assertThat(new ObjectMapper().readTree(printed).path("streams"))
        .extracting(stream -> stream.path("name").asText())
        .containsExactly("one", "two", "three");
    assertThat(directory.resolve("new")).doesNotExist();

    assertThat(run("apply", "plan.yaml")).as(printed).isZero();
    assertThat(directory.resolve("new/b/three/metadata")).exists();
    assertThat(run("status", "plan.yaml")).isZero();
    assertThat(printed).contains("one", "two", "three", "done");
    assertThat(run("plan", "plan.yaml", "--detailed-exitcode")).isZero();
    assertThat(run("apply", "plan.yaml", "--stream", "t*")).isZero();
    assertThat(printed).contains("two  unchanged").doesNotContain("one  unchanged");

    assertThat(run("rollback", "plan.yaml")).as(printed).isZero();
    assertThat(directory.resolve("new/b/three")).doesNotExist();
    assertThat(Trees.bytesAndTimes(directory.resolve("chk"))).isEqualTo(old);
  }

  @Test
  void whatWasWrittenBesideTheOldOnesIsNoStreamOfItsOwn() throws IOException {
    plan("foreach: {glob: \"chk/*/*\"}", "{from: \"${path}\", to: \"${path}_v2\"}");
    for (int run = 1; run <= 2; run++) {
      assertThat(run("apply", "plan.yaml")).as(printed).isZero();
      assertThat(printed).contains("3 of 3 streams are migrated");
    }
    assertThat(run("rollback", "plan.yaml")).as(printed).isZero();
    assertThat(Trees.bytesAndTimes(directory.resolve("chk"))).isEqualTo(old);
  }

  @Test
  void aSavedPlanHoldsWhatWasMatchedAndSaysWhatMatchesSince() throws IOException {
    assertThat(run("plan", "plan.yaml", "--out", "saved.json")).as(printed).isZero();
    JsonNode saved = new ObjectMapper().readTree(directory.resolve("saved.json").toFile());
    assertThat(saved.path("templates").get(0))
        .extracting(row -> row.path("values").path("below").asText())
        .containsExactly("a/one", "a/two", "b/three");

    Trees.copy(FIXTURE, Files.createDirectories(directory.resolve("chk/b/new")));
    String added = directory.resolve("chk/b/new") + ": a template matches it, and did not then";
    assertThat(run("apply", "saved.json")).as(printed).isEqualTo(4);
    assertThat(printed).contains(added);
    assertThat(directory.resolve("new")).doesNotExist();
    assertThat(run("plan", "saved.json")).isEqualTo(4);
    assertThat(printed).contains(added);
    assertThat(run("show", "saved.json")).isZero();
    assertThat(printed).contains("STALE", added);

    Files.move(directory.resolve("chk/b/new"), directory.resolve("aside"));
    assertThat(run("apply", "saved.json")).as(printed).isZero();
    assertThat(run("apply", "saved.json")).as(printed).isZero();
    assertThat(printed).contains("3 of 3 streams are migrated");

    Files.move(directory.resolve("chk/b"), directory.resolve("b"));
    assertThat(run("apply", "saved.json")).as("done as it is: " + printed).isZero();
    assertThat(run("status", "saved.json")).isZero();
    assertThat(printed).contains("three");
  }

  @Test
  void csvRowsFillATemplateAndTheirMistakesAreNamed() throws IOException {
    plan("foreach: {csv: fleet.csv}", "{from: \"chk/${where}\", to: \"new/${id}\"}");
    Path csv = directory.resolve("fleet.csv");
    Files.writeString(csv, "id,where\r\nuno,a/one\r\ndue,\"a/two\"\r\n");
    assertThat(run("apply", "plan.yaml")).as(printed).isZero();
    assertThat(directory.resolve("new/due/metadata")).exists();

    Files.writeString(csv, "id,where\nuno,a/one\nuno,a/two\n");
    assertThat(run("plan", "plan.yaml")).as(printed).isEqualTo(2);
    assertThat(printed)
        .contains("plan.yaml:6:", "two streams would write this checkpoint")
        .contains("(of " + csv + " line 3)", "(of " + csv + " line 2)");
    Files.writeString(csv, "id,where\nuno\n");
    assertThat(run("apply", "plan.yaml")).isEqualTo(2);
    assertThat(printed).contains("plan.yaml:4:", csv + " line 2: the header has 2 columns");
    Files.delete(csv);
    assertThat(run("status", "plan.yaml")).isEqualTo(2);
    assertThat(printed).contains("there is no file");
  }

  @Test
  void noMatchIsRefused() throws IOException {
    plan("foreach: {glob: \"chk/nothing*\"}", "{from: \"${path}\", to: \"new/${below}\"}");
    for (String command : List.of("plan", "apply", "status", "rollback")) {
      assertThat(run(command, "plan.yaml")).as(printed).isEqualTo(2);
      assertThat(printed).contains("plan.yaml:4:").contains("no directory matches chk/nothing*");
    }
    assertThat(run("validate", "plan.yaml")).as("reads the file alone").isZero();
  }

  private void plan(String foreach, String checkpoint) throws IOException {
    Files.writeString(
        directory.resolve("plan.yaml"),
        "version: 1\nname: p\nstreams:\n  - "
            + foreach
            + "\n    strategy: relocate\n    checkpoint: "
            + checkpoint
            + "\n");
  }

  private int run(String... arguments) {
    Console console = new Console(directory);
    int exit = console.run(new ArrayList<>(List.of(arguments)).toArray(String[]::new));
    printed = console.printed();
    return exit;
  }
}
