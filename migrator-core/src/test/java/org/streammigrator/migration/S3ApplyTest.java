package org.streammigrator.migration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.streammigrator.storage.Content;
import org.streammigrator.storage.FaultStore;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.S3Server;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;

/** Checkpoints on a real S3 server: inspected, archived, relocated from and to it, rolled back. */
class S3ApplyTest {
  private static final Path FIXTURE =
      Path.of("../src-test-fixtures/checkpoints/window-hdfs/checkpoint");

  @TempDir private Path directory;
  private Location bucket;
  private Store store;
  private String output;

  @BeforeEach
  void upload() throws IOException {
    S3Server server = S3Server.get();
    bucket = server.newBucket();
    store = server.stores(bucket);
    try (var files = Files.walk(FIXTURE)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        store.write(
            bucket.child("chk/old/" + FIXTURE.relativize(file)),
            Content.of(Files.readAllBytes(file)),
            Optional.empty());
      }
    }
    List<String> plan = new ArrayList<>();
    plan.addAll(List.of("version: 1", "name: to-s3", "journal: " + bucket + "/ops", "storage:"));
    plan.add("  \"" + bucket + "\":");
    plan.addAll(server.planLines(bucket));
    plan.addAll(
        List.of(
            "streams:",
            "  - name: window",
            "    strategy: relocate",
            "    archive: {to: " + bucket + "/archive}",
            "    checkpoint: {from: " + bucket + "/chk/old, to: " + bucket + "/chk/new}"));
    Files.write(directory.resolve("plan.yaml"), plan);
  }

  private int run(Store over, String... arguments) {
    Console console = new Console(directory);
    int code = console.run(over, arguments);
    output = console.printed();
    assertThat(output).doesNotContain("SECRETTEST");
    return code;
  }

  private Map<String, String> files(String place) throws IOException {
    Map<String, String> files = new HashMap<>();
    for (StoreEntry entry : store.walk(bucket.child(place))) {
      if (entry.isFile()) {
        files.put(
            entry.location().relativeTo(bucket.child(place)),
            new String(
                store.readAll(entry.location()), java.nio.charset.StandardCharsets.ISO_8859_1));
      }
    }
    return files;
  }

  @Test
  void movesAQueryWithinABucketAndBack() throws IOException {
    Map<String, String> old = files("chk/old");
    assertThat(run(store, "inspect", bucket + "/chk/old")).as(output).isZero();
    assertThat(output).contains("restart");

    assertThat(run(store, "plan", "plan.yaml")).as(output).isZero();
    assertThat(store.stat(bucket.child("chk/new"))).isEmpty();
    assertThat(store.stat(bucket.child("ops"))).isEmpty();

    assertThat(run(store, "apply", "plan.yaml")).as(output).isZero();
    Map<String, String> written = files("chk/new");
    assertThat(written).isNotEmpty();
    written.forEach((path, bytes) -> assertThat(bytes).as(path).isEqualTo(old.get(path)));
    assertThat(run(store, "inspect", bucket + "/chk/new")).as(output).isZero();
    assertThat(run(store, "verify", bucket + "/chk/new")).as(output).isZero();
    assertThat(run(store, "apply", "plan.yaml")).as(output).isZero();
    assertThat(run(store, "status", "plan.yaml")).as(output).isZero();
    for (StoreEntry archive : store.list(bucket.child("archive"))) {
      assertThat(run(store, "verify", archive.location().toString())).as(output).isZero();
      String to = directory.resolve("restored").toString();
      assertThat(run(store, "restore", archive.location().toString(), "--to", to)).isZero();
      assertThat(run(store, "restore", archive.location().toString(), "--to", bucket + "/r"))
          .as(output)
          .isEqualTo(3);
      assertThat(output).contains("NOT_AVAILABLE");
      assertThat(store.stat(bucket.child("r"))).isEmpty();
    }
    assertThat(store.walk(bucket.child("ops")))
        .noneMatch(e -> e.location().path().contains("/lock/"));

    assertThat(run(store, "rollback", "plan.yaml")).as(output).isZero();
    assertThat(store.list(bucket.child("chk"))).hasSize(1);
    assertThat(files("chk/old")).isEqualTo(old);
  }

  /** Crashes all over the run; the rerun ends in the same bytes. */
  @Test
  void endsInTheSameBytesAfterACrash() throws IOException {
    Map<String, String> old = files("chk/old");
    FaultStore counting = FaultStore.counting(store);
    assertThat(run(counting, "apply", "plan.yaml")).as(output).isZero();
    Map<String, String> reference = files("chk/new");
    assertThat(run(store, "rollback", "plan.yaml")).as(output).isZero();
    int last = counting.calls();
    int step = "all".equals(System.getProperty("faults")) ? 1 : 3;
    for (int part = 2; part <= 6; part += step) {
      FaultStore.Fault fault = part % 2 == 0 ? FaultStore.Fault.BEFORE : FaultStore.Fault.AFTER;
      FaultStore crashing = FaultStore.crashingAt(last * part / 7, fault, store);
      assertThat(run(crashing, "apply", "plan.yaml")).isNotZero();
      assertThat(run(store, "apply", "plan.yaml")).as("part %s: %s", part, output).isZero();
      assertThat(files("chk/new")).as("part %s", part).isEqualTo(reference);
      assertThat(files("chk/old")).isEqualTo(old);
      assertThat(run(store, "rollback", "plan.yaml")).as(output).isZero();
      assertThat(store.list(bucket.child("chk"))).hasSize(1);
    }
  }
}
