package org.streammigrator.migration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.streammigrator.storage.Content;
import org.streammigrator.storage.FaultSample;
import org.streammigrator.storage.FaultStore;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.MemoryObjectStore;

/** Two plans with one target in a store where nothing can be staged. */
class TwoPlansTest {
  private static final Path FIXTURE = Path.of("../src-test-fixtures/checkpoints/rate/checkpoint");
  private static final Location BUCKET = Location.parse("s3a://bucket/chk", Path.of("/"));

  @TempDir private Path directory;

  private final MemoryObjectStore store = new MemoryObjectStore();
  private Console console;

  @BeforeEach
  void writeBoth() throws IOException {
    console = new Console(directory);
    try (Stream<Path> files = Files.walk(FIXTURE)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        store.write(
            BUCKET.child("old/" + FIXTURE.relativize(file)),
            Content.of(Files.readAllBytes(file)),
            Optional.empty());
      }
    }
    for (String plan : new String[] {"first", "second"}) {
      Files.writeString(
          directory.resolve(plan + ".yaml"),
          "version: 1\nname: "
              + plan
              + "\nstreams:\n  - name: s\n    strategy: relocate\n"
              + "    checkpoint: {from: \"s3a://bucket/chk/old\", to: \"s3a://bucket/chk/new\"}\n");
    }
  }

  private int run(String command, String plan) {
    return console.run(store, command, plan + ".yaml");
  }

  @Test
  void whatOneHasBegunTheOtherLeavesAlone() throws IOException {
    FaultStore counting = FaultStore.counting(store);
    MemoryObjectStore.Snapshot before = store.snapshot();
    assertThat(console.run(counting, "apply", "first.yaml")).as(console.printed()).isZero();
    int begun = 0;
    for (int call : FaultSample.between(1, counting.calls(), 8)) {
      store.restore(before);
      console.run(
          FaultStore.crashingAt(call, FaultStore.Fault.BEFORE, store), "apply", "first.yaml");
      if (store.stat(BUCKET.child(".new.migrator-intent")).isEmpty()) {
        continue;
      }
      begun++;
      var left = store.files();
      left.keySet().removeIf(path -> !path.startsWith(BUCKET.toString()) || path.contains("lock/"));
      for (String command : new String[] {"plan", "apply"}) {
        assertThat(run(command, "second")).as(console.printed()).isEqualTo(3);
        assertThat(console.printed()).contains("TARGET_NOT_EMPTY", "first.journal", "roll it back");
      }
      assertThat(run("rollback", "second")).as(console.printed()).isZero();
      assertThat(store.files()).as("after call %s", call).containsAllEntriesOf(left);
      assertThat(run("apply", "first")).as(console.printed()).isZero();
      assertThat(store.stat(BUCKET.child(".new.migrator-intent"))).isEmpty();
    }
    assertThat(begun).isGreaterThan(FaultSample.ALL ? 40 : 1);
  }

  @Test
  void afterTheFirstIsRolledBackTheSecondGoesOn() throws IOException {
    console.run(FaultStore.crashingAt(60, FaultStore.Fault.BEFORE, store), "apply", "first.yaml");
    assertThat(store.stat(BUCKET.child("new"))).isPresent();
    assertThat(run("rollback", "first")).as(console.printed()).isZero();
    assertThat(store.stat(BUCKET.child("new"))).isEmpty();
    assertThat(run("apply", "second")).as(console.printed()).isZero();
    assertThat(run("rollback", "first")).as(console.printed()).isZero();
    assertThat(store.stat(BUCKET.child("new/metadata"))).isPresent();
  }
}
