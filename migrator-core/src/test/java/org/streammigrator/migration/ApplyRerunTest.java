package org.streammigrator.migration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is called done, and what a plan may write to. */
class ApplyRerunTest {
  @TempDir private Path directory;

  private Map<String, String> old;
  private String printed;

  @BeforeEach
  void copyCheckpoint() throws IOException {
    Trees.copy(
        Path.of("../src-test-fixtures/checkpoints/rate/checkpoint"),
        directory.resolve("checkpoint"));
    old = Trees.bytesAndTimes(directory.resolve("checkpoint"));
  }

  @Test
  void whatAnotherPutAtTheTargetIsNotCalledDone() throws IOException {
    stream("s", "checkpoint: {from: checkpoint, to: new}");
    assertThat(run("apply")).isZero();
    Files.move(directory.resolve("new"), directory.resolve(".new.migrator-staging"));
    Files.createDirectories(directory.resolve("new/offsets"));

    assertThat(run("apply")).as(printed).isEqualTo(3);
    assertThat(printed).contains("TARGET_NOT_EMPTY");
    assertThat(run("status")).isZero();
    assertThat(printed).contains("part-way");
  }

  @Test
  void anotherQueryAtTheTargetIsNotCalledDone() throws IOException {
    stream("s", "checkpoint: {from: checkpoint, to: new}");
    assertThat(run("apply")).isZero();
    Files.writeString(
        directory.resolve("new/metadata"), "{\"id\":\"11111111-2222-4333-8444-555555555555\"}");

    assertThat(run("apply")).as(printed).isEqualTo(3);
  }

  @Test
  void aPlanThatSaysSomethingElseNowIsNotCalledDone() throws IOException {
    String places = "checkpoint: {from: checkpoint, to: new}";
    stream("s", places);
    assertThat(run("apply")).isZero();
    assertThat(run("apply")).isZero();
    stream("s", places + "\n    copy: all");

    assertThat(run("apply")).as(printed).isEqualTo(3);
    assertThat(printed).contains("TARGET_NOT_EMPTY");
  }

  @Test
  void archivesDoNotGoIntoTheNewCheckpoint() throws IOException {
    stream("s", "checkpoint: {from: checkpoint, to: new}\n    archive: {to: new/archive}");

    assertThat(run("validate")).as(printed).isEqualTo(2);
    assertThat(run("apply")).as(printed).isEqualTo(2);
    assertThat(directory.resolve("new")).doesNotExist();
  }

  @Test
  void archivesDoNotGoIntoTheOldCheckpointThroughLink() throws IOException {
    Files.createSymbolicLink(directory.resolve("link"), directory.resolve("checkpoint"));
    stream("s", "checkpoint: {from: checkpoint, to: new}\n    archive: {to: link/archive}");

    assertThat(run("plan")).as(printed).isEqualTo(3);
    assertThat(printed).contains("TARGET_INSIDE_SOURCE");
  }

  @Test
  void noStreamWritesIntoTheCheckpointOfAnother() throws IOException {
    plan(
        List.of(
            "{name: a, strategy: relocate, checkpoint: {from: checkpoint, to: a2}}",
            "{name: b, strategy: relocate, checkpoint: {from: other, to: checkpoint/b2}}",
            "{name: c, strategy: relocate, checkpoint: {from: third, to: a2/c2},"
                + " archive: {to: other}}"));

    assertThat(run("validate")).isEqualTo(2);
    assertThat(printed.lines().filter(line -> line.contains("TARGET_INSIDE_SOURCE"))).hasSize(3);
  }

  @Test
  void theJournalDoesNotGoIntoTheOldCheckpoint() throws IOException {
    stream("s", "checkpoint: {from: checkpoint, to: new}");
    String plan = Files.readString(directory.resolve("plan.yaml"));
    Files.writeString(
        directory.resolve("plan.yaml"),
        plan.replace("name: p\n", "name: p\njournal: checkpoint\n"));

    assertThat(run("apply")).as(printed).isEqualTo(2);
    assertThat(Trees.bytesAndTimes(directory.resolve("checkpoint"))).isEqualTo(old);
  }

  @Test
  void noPlanNameLeadsOutOfThePlansDirectory() throws IOException {
    stream("s", "checkpoint: {from: checkpoint, to: new}");
    String plan = Files.readString(directory.resolve("plan.yaml"));
    Files.createDirectories(directory.resolve("below"));
    Files.writeString(
        directory.resolve("plan.yaml"), plan.replace("name: p\n", "name: below/../../p\n"));

    assertThat(run("apply")).as(printed).isZero();
    assertThat(directory.resolve("below_.._.._p.journal")).isDirectory();
  }

  @Test
  void oneStreamAloneStillWaitsForThoseBeforeIt() throws IOException {
    plan(
        List.of(
            "{name: a, strategy: relocate, checkpoint: {from: checkpoint, to: a2}}",
            "{name: b, strategy: relocate, after: a, checkpoint: {from: checkpoint, to: b2}}"));

    assertThat(run("apply", "--stream", "b")).as(printed).isEqualTo(7);
    assertThat(printed).contains("waits for a");
    assertThat(directory.resolve("b2")).doesNotExist();
    assertThat(run("apply", "--stream", "a")).as(printed).isZero();
    assertThat(run("apply", "--stream", "b")).as(printed).isZero();
  }

  private void stream(String name, String lines) throws IOException {
    plan(List.of("name: " + name + "\n    strategy: relocate\n    " + lines));
  }

  private void plan(List<String> streams) throws IOException {
    StringBuilder text = new StringBuilder("version: 1\nname: p\nstreams:\n");
    streams.forEach(stream -> text.append("  - ").append(stream).append('\n'));
    Files.writeString(directory.resolve("plan.yaml"), text);
  }

  private int run(String command, String... more) {
    List<String> arguments = new ArrayList<>(List.of(command, "plan.yaml"));
    arguments.addAll(List.of(more));
    Console console = new Console(directory);
    int exit = console.run(arguments.toArray(String[]::new));
    printed = console.printed();
    return exit;
  }
}
