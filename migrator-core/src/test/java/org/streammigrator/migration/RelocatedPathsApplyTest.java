package org.streammigrator.migration;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.streammigrator.checkpoint.HadoopCrc;
import org.streammigrator.cli.Cli;
import org.streammigrator.cli.CliContext;
import org.streammigrator.storage.FaultStore;
import org.streammigrator.storage.ForwardingStore;
import org.streammigrator.storage.LocalStore;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;

/** What applying a plan with {@code rewrite} and a file sink that moved leaves on disk. */
class RelocatedPathsApplyTest {
  private static final String COMMIT = "v1\n{\"nextBatchWatermarkMs\":0}";

  @TempDir private Path root;
  private Map<String, String> before;

  @BeforeEach
  void makeTheOldPlace() throws IOException {
    for (int batch = 0; batch < 4; batch++) {
      write(
          "old/offsets/" + batch,
          "v1\n{\"batchWatermarkMs\":0,\"batchTimestampMs\":1,\"conf\":{}}\n{\"logOffset\":"
              + batch
              + "}");
      write("old/commits/" + batch, COMMIT);
      write("old/sources/0/" + batch, "v1\n" + input(batch));
      write("out/dt=" + batch + "/part 0.parquet", "rows");
      write("new out/dt=" + batch + "/part 0.parquet", "rows");
      write("out/_spark_metadata/" + batch, "v1\n" + output(batch));
    }
    write("old/sources/0/2.compact", "v1\n" + input(0) + "\n" + input(1) + "\n" + input(2));
    write(
        "out/_spark_metadata/2.compact", "v1\n" + output(0) + "\n" + output(1) + "\n" + output(2));
    write("old/metadata", "{\"id\":\"11111111-2222-4333-8444-555555555555\"}");
    for (String file : List.of("old/sources/0/3", "old/offsets/3", "out/_spark_metadata/3")) {
      Path path = root.resolve(file);
      Files.write(
          path.resolveSibling("." + path.getFileName() + ".crc"),
          HadoopCrc.of(Files.readAllBytes(path)));
    }
    write(
        "plan.yaml",
        """
        version: 1
        name: p
        streams:
          - strategy: relocate
            copy: all
            checkpoint: {from: old, to: new}
            sink: {files: "new out"}
            rewrite:
              - {from: "hdfs://nn/my in", to: "s3a://b/in"}
              - {from: out, to: "new out"}
        """);
    before = files();
  }

  @Test
  void onlyThePrefixesChange() throws IOException {
    assertThat(apply(new LocalStore())).isZero();
    Map<String, String> written = written();
    assertThat(written)
        .containsEntry(
            "new/sources/0/3", "v1\n" + input(3).replace("hdfs://nn/my%20in", "s3a://b/in"))
        .containsEntry(
            "new/sources/0/2.compact",
            ("v1\n" + input(0) + "\n" + input(1) + "\n" + input(2))
                .replace("hdfs://nn/my%20in", "s3a://b/in"))
        .containsEntry(
            "new out/_spark_metadata/3", "v1\n" + output(3).replace("/out/", "/new%20out/"))
        .containsEntry("new/offsets/3", before.get("old/offsets/3"))
        .containsEntry("new/offsets/.3.crc", before.get("old/offsets/.3.crc"))
        .doesNotContainKeys("new/sources/0/.3.crc", "new out/_spark_metadata/.3.crc");
    assertThat(written.keySet().stream().filter(path -> path.startsWith("new out/_spark")))
        .hasSize(5);
    assertThat(Files.getLastModifiedTime(root.resolve("new/sources/0/3")))
        .isEqualTo(Files.getLastModifiedTime(root.resolve("old/sources/0/3")));
    assertThat(apply(new LocalStore())).isZero();
    assertThat(written()).isEqualTo(written);
  }

  @Test
  void everyCrashPointEndsInTheSameBytes() throws IOException {
    FaultStore counting = FaultStore.counting(new LocalStore());
    assertThat(apply(counting)).isZero();
    Map<String, String> reference = written();
    removeWritten();
    for (int call = 1; call <= counting.calls(); call++) {
      boolean torn = counting.writes().contains(call);
      for (FaultStore.Fault fault :
          torn
              ? List.of(FaultStore.Fault.BEFORE, FaultStore.Fault.TORN)
              : List.of(FaultStore.Fault.BEFORE)) {
        apply(FaultStore.crashingAt(call, fault, new LocalStore()));
        if (Files.exists(root.resolve("new"))) {
          assertThat(root.resolve("new out/_spark_metadata"))
              .as("the sink's log is there before the checkpoint is, %s %s", fault, call)
              .isDirectory();
        }
        assertThat(apply(new LocalStore())).as("%s %s", fault, call).isZero();
        assertThat(written()).as("%s %s", fault, call).isEqualTo(reference);
        removeWritten();
      }
    }
  }

  @Test
  void aRollbackTakesTheSinkLogBack() throws IOException {
    assertThat(apply(new LocalStore())).isZero();
    assertThat(run(new LocalStore(), "rollback")).isZero();
    assertThat(written()).isEmpty();

    FaultStore counting = FaultStore.counting(new LocalStore());
    assertThat(apply(new LocalStore())).isZero();
    assertThat(run(counting, "rollback")).isZero();
    for (int call = 1; call <= counting.calls(); call += 3) {
      assertThat(apply(new LocalStore())).as("apply before %s", call).isZero();
      run(FaultStore.crashingAt(call, FaultStore.Fault.BEFORE, new LocalStore()), "rollback");
      assertThat(run(new LocalStore(), "rollback")).as("rollback after %s", call).isZero();
      assertThat(written()).as("after a crash at %s", call).isEmpty();
    }
  }

  @Test
  void aRollbackLeavesASinkLogToWhichAQueryWrote() throws IOException {
    assertThat(apply(new LocalStore())).isZero();
    write("new out/_spark_metadata/4", "v1\n" + output(4));
    Map<String, String> log = written();
    log.keySet().removeIf(path -> !path.startsWith("new out/_spark_metadata/"));
    assertThat(run(new LocalStore(), "rollback")).isZero();
    assertThat(root.resolve("new")).doesNotExist();
    assertThat(written()).containsAllEntriesOf(log);
  }

  @Test
  void aSinkLogThatGrewIsNotPublished() throws IOException {
    Store growing =
        new ForwardingStore(new LocalStore()) {
          @Override
          public void createDirectory(Location directory) throws IOException {
            super.createDirectory(directory);
            if (directory.name().equals("._spark_metadata.migrator-staging")) {
              RelocatedPathsApplyTest.this.write("out/_spark_metadata/4", "v1\n" + output(4));
            }
          }
        };
    assertThat(apply(growing)).isEqualTo(3);
    assertThat(root.resolve("new")).doesNotExist();
    assertThat(root.resolve("new out/_spark_metadata")).doesNotExist();
  }

  private int apply(Store store) {
    return run(store, "apply");
  }

  private int run(Store store, String command) {
    PrintStream nowhere = new PrintStream(new ByteArrayOutputStream(), true, UTF_8);
    return Cli.run(
        List.of(command, "plan.yaml"),
        nowhere,
        nowhere,
        CliContext.ofProcess()
            .withDirectory(root)
            .withStore(store)
            .withClock(Clock.fixed(Instant.parse("2026-03-27T10:00:00Z"), ZoneOffset.UTC)));
  }

  private static String input(int number) {
    return "{\"path\":\"hdfs://nn/my%20in/é %25/"
        + number
        + ".json\",\"timestamp\":1,\"batchId\":"
        + number
        + "}";
  }

  private String output(int number) {
    return "{\"path\":\"file://"
        + root
        + "/out/dt="
        + number
        + "/part%200.parquet\",\"size\":4,\"action\":\"add\"}";
  }

  private void write(String path, String text) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private Map<String, String> files() throws IOException {
    Map<String, String> files = new TreeMap<>();
    try (Stream<Path> paths = Files.walk(root)) {
      for (Path path : paths.filter(Files::isRegularFile).toList()) {
        files.put(root.relativize(path).toString(), new String(Files.readAllBytes(path), UTF_8));
      }
    }
    return files;
  }

  private Map<String, String> written() throws IOException {
    Map<String, String> now = files();
    before.forEach((path, bytes) -> assertThat(now.remove(path)).as(path).isEqualTo(bytes));
    now.keySet().removeIf(path -> path.startsWith("p.journal"));
    return now;
  }

  private void removeWritten() throws IOException {
    try (Stream<Path> paths = Files.walk(root)) {
      for (Path path : paths.sorted((a, b) -> b.compareTo(a)).toList()) {
        String name = root.relativize(path).toString();
        boolean old =
            before.containsKey(name)
                || before.keySet().stream().anyMatch(p -> p.startsWith(name + "/"));
        if (!old && !name.isEmpty()) {
          Files.deleteIfExists(path);
        }
      }
    }
  }
}
