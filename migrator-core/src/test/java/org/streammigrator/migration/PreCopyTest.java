package org.streammigrator.migration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.streammigrator.storage.Content;
import org.streammigrator.storage.FaultStore;
import org.streammigrator.storage.ForwardingStore;
import org.streammigrator.storage.LocalStore;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.MemoryObjectStore;
import org.streammigrator.storage.Store;

/** Copying ahead while the query still runs. */
class PreCopyTest {
  @TempDir private Path directory;
  private Console console;

  @BeforeEach
  void lay() throws IOException {
    Trees.copy(Path.of("../src-test-fixtures/checkpoints/window-hdfs/checkpoint"), old());
    Files.writeString(
        directory.resolve("plan.yaml"),
        "version: 1\nname: p\nstreams:\n  - name: s\n    strategy: relocate\n"
            + "    checkpoint: {from: old, to: new}\n");
    console = new Console(directory);
  }

  private Path old() {
    return directory.resolve("old");
  }

  private Map<String, String> target() throws IOException {
    return Trees.bytesAndTimes(directory.resolve("new"));
  }

  @Test
  void thenApplyReadsOnlyWhatCameSince() throws IOException {
    Map<String, String> before = Trees.bytesAndTimes(old());
    assertThat(console.run("apply", "--pre-copy", "plan.yaml")).as(console.printed()).isZero();
    assertThat(console.printed()).contains("copied ahead", "stop the query");
    assertThat(Trees.bytesAndTimes(old())).isEqualTo(before);
    assertThat(directory.resolve("new")).doesNotExist();
    assertThat(Trees.bytesAndTimes(directory.resolve(".new.migrator-staging")).keySet())
        .isNotEmpty()
        .allMatch(path -> path.startsWith("state/") || path.startsWith("sources/"));
    assertThat(console.run("status", "plan.yaml")).isZero();
    assertThat(console.printed()).contains("part-way");

    // One batch more, as a query that still runs would add it.
    for (String partition : List.of("0", "1")) {
      Path store = old().resolve("state/0/" + partition);
      Files.copy(store.resolve("15.delta"), store.resolve("16.delta"));
    }
    Files.copy(old().resolve("offsets/14"), old().resolve("offsets/15"));
    Files.copy(old().resolve("commits/14"), old().resolve("commits/15"));
    List<String> read = new ArrayList<>();
    Store reading =
        new ForwardingStore(new LocalStore()) {
          @Override
          public byte[] readAll(Location file) throws IOException {
            synchronized (read) {
              read.add(file.path());
            }
            return super.readAll(file);
          }
        };
    assertThat(console.run(reading, "apply", "plan.yaml")).as(console.printed()).isZero();
    assertThat(
            read.stream().filter(path -> path.contains("/old/state/") && path.endsWith(".delta")))
        .hasSize(2)
        .allMatch(path -> path.endsWith("/16.delta"));
    Map<String, String> once = target();

    assertThat(console.run("rollback", "plan.yaml")).as(console.printed()).isZero();
    assertThat(console.run("apply", "plan.yaml")).as(console.printed()).isZero();
    assertThat(target()).isEqualTo(once);
    assertThat(console.run("apply", "--pre-copy", "plan.yaml")).isZero();
    assertThat(console.printed()).contains("unchanged");
  }

  @Test
  void isTakenBackByRollback() throws IOException {
    Map<String, String> before = Trees.bytesAndTimes(old());
    assertThat(console.run("apply", "--pre-copy", "plan.yaml")).isZero();
    assertThat(console.run("rollback", "plan.yaml")).as(console.printed()).isZero();
    assertThat(Trees.bytesAndTimes(old())).isEqualTo(before);
    try (var left = Files.list(directory)) {
      assertThat(left.map(path -> path.getFileName().toString()))
          .containsExactlyInAnyOrder("old", "plan.yaml", "p.journal");
    }
  }

  @Test
  void worksWhereNothingIsMoved() throws IOException {
    Store store = new MemoryObjectStore();
    Location root = Location.parse("s3a://bucket/q é%20", Path.of("/"));
    for (String path : Trees.bytesAndTimes(old()).keySet()) {
      store.write(
          root.child("old/" + path),
          Content.of(Files.readAllBytes(old().resolve(path))),
          Optional.empty());
    }
    Files.writeString(
        directory.resolve("plan.yaml"),
        "version: 1\nname: p\njournal: \"%1$s/ops\"\nstreams:\n  - name: s\n    strategy: relocate\n    checkpoint: {from: \"%1$s/old\", to: \"%1$s/new\"}\n"
            .formatted(root));
    for (int round = 0; round < 2; round++) {
      assertThat(console.run(store, "apply", "--pre-copy", "plan.yaml"))
          .as(console.printed())
          .isZero();
    }
    assertThat(store.walk(root.child("new")))
        .isNotEmpty()
        .allMatch(entry -> entry.location().path().matches(".*/new/(state|sources)(/.*)?"));
    assertThat(console.run(store, "rollback", "plan.yaml")).as(console.printed()).isZero();
    assertThat(store.stat(root.child("new"))).isEmpty();
    assertThat(console.run(store, "apply", "--pre-copy", "plan.yaml")).isZero();
    assertThat(console.run(store, "apply", "plan.yaml")).as(console.printed()).isZero();
    assertThat(console.run(store, "verify", root.child("new").toString()))
        .as(console.printed())
        .isZero();
    assertThat(store.list(root).stream().map(entry -> entry.location().name()))
        .containsExactlyInAnyOrder("old", "new", "ops", ".new.migrator-manifest.json");
  }

  @Test
  void endsInTheSameBytesWhereverItCrashed() throws IOException {
    assertThat(console.run("apply", "plan.yaml")).isZero();
    Map<String, String> expected = target();
    assertThat(console.run("rollback", "plan.yaml")).isZero();
    FaultStore counting = FaultStore.counting(new LocalStore());
    assertThat(console.run(counting, "apply", "--pre-copy", "plan.yaml")).isZero();
    assertThat(console.run("rollback", "plan.yaml")).isZero();
    for (int part = 1; part <= 5; part++) {
      int call = counting.calls() * part / 6;
      FaultStore crashing = FaultStore.crashingAt(call, FaultStore.Fault.TORN, new LocalStore());
      assertThat(console.run(crashing, "apply", "--pre-copy", "plan.yaml")).isNotZero();
      if (part % 2 == 0) {
        assertThat(console.run("apply", "--pre-copy", "plan.yaml")).as(console.printed()).isZero();
      }
      assertThat(console.run("apply", "plan.yaml")).as(console.printed()).isZero();
      assertThat(target()).as("call %s", call).isEqualTo(expected);
      assertThat(console.run("rollback", "plan.yaml")).as(console.printed()).isZero();
    }
  }

  @Test
  void optionsAreCheckedBeforeAnythingIsWritten() {
    for (List<String> wrong :
        List.of(
            List.of("--bandwidth", "fast"),
            List.of("--threads", "0"),
            List.of("--requests-per-second", "0"),
            List.of("--verify", "maybe"))) {
      assertThat(console.run("apply", "plan.yaml", wrong.get(0), wrong.get(1))).isEqualTo(2);
      assertThat(console.printed()).contains(wrong.get(0) + " " + wrong.get(1));
      assertThat(directory.resolve("new")).doesNotExist();
      assertThat(directory.resolve("p.journal")).doesNotExist();
    }
    String[] hard = {"--bandwidth", "100MiB", "--threads", "3", "--requests-per-second", "5000"};
    assertThat(
            console.run(
                "apply",
                "plan.yaml",
                hard[0],
                hard[1],
                hard[2],
                hard[3],
                hard[4],
                hard[5],
                "--verify",
                "read"))
        .as(console.printed())
        .isZero();
  }
}
