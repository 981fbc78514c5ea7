package org.streammigrator.migration;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.streammigrator.checkpoint.HadoopCrc;
import org.streammigrator.storage.ForwardingStore;
import org.streammigrator.storage.LocalStore;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;

/** What applying a plan with {@code rewrite} and a file sink that moved leaves on disk. */
class RelocatedPathsApplyTest {
  private static final String COMMIT = "v1\n{\"nextBatchWatermarkMs\":0}";

  @TempDir private Path root;
  private Map<String, String> before;
  private Console console;

  @BeforeEach
  void makeTheOldPlace() throws IOException {
    console = new Console(root);
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
    assertThat(console.run("apply", "plan.yaml")).isZero();
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
    assertThat(console.run("apply", "plan.yaml")).isZero();
    assertThat(written()).isEqualTo(written);
  }

  @Test
  void aRollbackTakesTheSinkLogBack() throws IOException {
    assertThat(console.run("apply", "plan.yaml")).isZero();
    assertThat(console.run("rollback", "plan.yaml")).isZero();
    assertThat(written()).isEmpty();
  }

  @Test
  void aRollbackLeavesASinkLogToWhichAQueryWrote() throws IOException {
    assertThat(console.run("apply", "plan.yaml")).isZero();
    write("new out/_spark_metadata/4", "v1\n" + output(4));
    Map<String, String> log = written();
    log.keySet().removeIf(path -> !path.startsWith("new out/_spark_metadata/"));
    assertThat(console.run("rollback", "plan.yaml")).isZero();
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
    assertThat(console.run(growing, "apply", "plan.yaml")).isEqualTo(3);
    assertThat(root.resolve("new")).doesNotExist();
    assertThat(root.resolve("new out/_spark_metadata")).doesNotExist();
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
}
