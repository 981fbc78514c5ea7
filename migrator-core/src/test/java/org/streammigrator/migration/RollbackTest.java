package org.streammigrator.migration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.streammigrator.databricks.Volumes;
import org.streammigrator.storage.LocalStore;
import org.streammigrator.storage.StorageSettings;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.Stores;

/** Rolling back ends in what was before, from wherever the apply stands; and reset. */
class RollbackTest {
  @TempDir private Path directory;

  private Map<String, String> before;
  private String printed;
  private Console console;

  @BeforeEach
  void copyCheckpoint() throws IOException {
    Trees.copy(Path.of("../src-test-fixtures/checkpoints/delta-version-boundary"), directory);
    plan("relocate", "sink: {delta: sink}");
    console = new Console(directory);
    before = world();
  }

  @Test
  void aFinishedApplyIsUndoneAndCanBeDoneAgain() throws IOException {
    assertThat(run("apply")).as(printed).isZero();
    Map<String, String> after = world();
    assertThat(run("rollback")).as(printed).isZero();
    assertThat(printed).contains("as it was");
    assertThat(world()).isEqualTo(before);
    assertThat(run("rollback")).isZero();
    assertThat(printed).contains("nothing");
    assertThat(run("status")).isZero();
    assertThat(printed).contains("rolled-back");
    assertThat(run("apply")).as(printed).isZero();
    assertThat(world().keySet()).isEqualTo(after.keySet());
  }

  @Test
  void whatAnotherPlanWroteMeanwhileStaysWithItsManifest() throws IOException {
    assertThat(run("apply")).as(printed).isZero();
    Trees.copy(directory.resolve("new"), directory.resolve("theirs"));
    Files.move(directory.resolve("new"), directory.resolve("mine"));
    Files.move(directory.resolve("theirs"), directory.resolve("new"));
    Path manifest = directory.resolve(".new.migrator-manifest.json");
    Files.writeString(
        manifest,
        Files.readString(manifest).replaceAll("\"path\": ?\"metadata\"", "\"path\":\"m\""));
    String theirs = Files.readString(manifest);
    assertThat(run("rollback")).as(printed).isZero();
    assertThat(printed).contains("TARGET_NOT_AS_WRITTEN");
    assertThat(directory.resolve("new/metadata")).exists();
    assertThat(manifest).hasContent(theirs);
  }

  @Test
  void aPlaceThatNoStoreServesIsRefused() throws IOException {
    Files.writeString(
        directory.resolve("plan.yaml"),
        "version: 1\nname: p\nstreams:\n  - name: s\n    strategy: relocate\n"
            + "    checkpoint: {from: checkpoint, to: \"dbfs:/mnt/new\"}\n");
    Store stores =
        new Stores(StorageSettings.NONE, Map.of("dbfs", new Volumes(name -> Optional.empty())));
    for (String command : List.of("plan", "apply")) {
      assertThat(run(stores, command, "plan.yaml")).as(printed).isEqualTo(3);
      assertThat(printed).contains("NOT_AVAILABLE", "abfss://");
    }
    assertThat(run(stores, "inspect", "dbfs:/mnt/a")).as(printed).isEqualTo(2);
    assertThat(run(stores, "discover", "nosuch://a/b")).as(printed).isEqualTo(2);
    assertThat(run(stores, "archive", "checkpoint", "--to", "dbfs:/mnt/a")).isEqualTo(2);
  }

  @Test
  void whatTheNewQueryDidIsNotThrownAwaySilently() throws IOException {
    assertThat(run("apply")).isZero();
    long last = runOneBatch("new");

    assertThat(run("rollback")).as(printed).isEqualTo(3);
    assertThat(printed)
        .contains("NEW_BATCHES_LOST")
        .containsPattern("batches(\\s+s)?\\s+" + last + "(\\s+s)?\\s+to(\\s+s)?\\s+" + last);
    assertThat(directory.resolve("new/offsets/" + last)).exists();
    assertThat(run("rollback", "--accept", "NEW_BATCHES_LOST")).as(printed).isZero();
    assertThat(world()).isEqualTo(before);
  }

  @Test
  void forwardStartsTheOldCodeWhereTheNewOneStands() throws IOException {
    plan("relocate", "");
    assertThat(run("apply")).isZero();
    long last = runOneBatch("new");

    assertThat(run("rollback", "--forward")).as(printed).isZero();
    Path back = directory.resolve("checkpoint_forward");
    assertThat(back.resolve("commits/" + last)).exists();
    assertThat(Files.readAllBytes(back.resolve("metadata")))
        .isEqualTo(Files.readAllBytes(directory.resolve("checkpoint/metadata")));
    assertThat(run("rollback", "--forward")).as(printed).isZero();
    assertThat(printed).contains("unchanged");
  }

  @Test
  void aTargetThatSomebodyChangedIsNotRemoved() throws IOException {
    assertThat(run("apply")).isZero();
    Files.writeString(directory.resolve("new/notes.txt"), "mine");

    assertThat(run("rollback")).as(printed).isEqualTo(3);
    assertThat(printed).contains("TARGET_NOT_AS_WRITTEN").contains("notes.txt");
    assertThat(directory.resolve("new/metadata")).exists();
  }

  @Test
  void anOldCheckpointThatWentOnIsSaid() throws IOException {
    assertThat(run("apply")).isZero();
    runOneBatch("checkpoint");

    assertThat(run("rollback")).as(printed).isZero();
    assertThat(printed).contains("OLD_CHECKPOINT_GROWS");
    assertThat(directory.resolve("new")).doesNotExist();
  }

  @Test
  void resetIsAPlanOfOneStream() throws IOException {
    List<String> reset =
        List.of(
            "reset", "checkpoint", "--to", "new", "--delta", "0=source", "--sink-delta", "sink");
    java.util.ArrayList<String> dry = new java.util.ArrayList<>(reset);
    dry.add("--dry-run");
    assertThat(run(new LocalStore(), dry.toArray(String[]::new))).as(printed).isZero();
    assertThat(world()).isEqualTo(before);
    String[] real = reset.toArray(String[]::new);
    assertThat(run(new LocalStore(), real)).as(printed).isZero();
    assertThat(directory.resolve("new/metadata")).exists();
    assertThat(run(new LocalStore(), real)).as(printed).isZero();
    assertThat(printed).contains("unchanged");
  }

  @Test
  void resetRefusesAsAPlanDoes() throws IOException {
    assertThat(run(new LocalStore(), "reset", "checkpoint", "--to", "checkpoint/in"))
        .as(printed)
        .isIn(2, 3);
    assertThat(run(new LocalStore(), "reset", "checkpoint", "--to", "sink")).isEqualTo(3);
    assertThat(printed).contains("TARGET_NOT_EMPTY");
    assertThat(run(new LocalStore(), "reset", "checkpoint", "--to", "n", "--source", "0"))
        .isEqualTo(2);
    assertThat(
            run(
                new LocalStore(),
                "reset",
                "checkpoint",
                "--to",
                "n",
                "--accept",
                "TARGET_NOT_EMPTY"))
        .isEqualTo(2);
    assertThat(printed).contains("cannot be accepted");
    assertThat(world()).isEqualTo(before);
  }

  /** One more committed batch, as a query would leave it. */
  private long runOneBatch(String checkpoint) throws IOException {
    long last = 0;
    while (Files.exists(directory.resolve(checkpoint + "/offsets/" + (last + 1)))) {
      last++;
    }
    for (String log : List.of("offsets", "commits")) {
      Path logs = directory.resolve(checkpoint).resolve(log);
      Files.copy(logs.resolve("" + last), logs.resolve("" + (last + 1)));
    }
    return last + 1;
  }

  /** Everything but the journal. */
  private Map<String, String> world() throws IOException {
    Map<String, String> world = Trees.bytesAndTimes(directory);
    world.keySet().removeIf(path -> path.startsWith("p.journal/0"));
    return world;
  }

  private void plan(String strategy, String more) throws IOException {
    Files.writeString(
        directory.resolve("plan.yaml"),
        "version: 1\nname: p\nstreams:\n  - name: s\n    strategy: "
            + strategy
            + "\n    checkpoint: {from: checkpoint, to: new}\n"
            + more.indent(4));
  }

  private int run(String command, String... more) {
    java.util.ArrayList<String> args = new java.util.ArrayList<>(List.of(command, "plan.yaml"));
    args.addAll(List.of(more));
    return run(new LocalStore(), args.toArray(String[]::new));
  }

  private int run(Store store, String... args) {
    int exit = console.run(store, args);
    printed = console.printed();
    return exit;
  }
}
