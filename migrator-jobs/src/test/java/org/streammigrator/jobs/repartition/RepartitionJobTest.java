package org.streammigrator.jobs.repartition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.commons.codec.digest.DigestUtils;
import org.apache.commons.io.FileUtils;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.streammigrator.checkpoint.CheckpointReader;
import org.streammigrator.copy.CopyProgress;
import org.streammigrator.job.InvalidJobSpecException;
import org.streammigrator.job.JobJson;
import org.streammigrator.job.RepartitionResult;
import org.streammigrator.job.RepartitionResult.StoreRows;
import org.streammigrator.job.RepartitionSpec;
import org.streammigrator.job.SparkJvm;
import org.streammigrator.job.StateSpec;
import org.streammigrator.jobs.demo.DemoScene;
import org.streammigrator.jobs.session.LocalSpark;
import org.streammigrator.storage.LocalStore;
import org.streammigrator.storage.Location;

/** A checkpoint that a real query wrote, with everything that can go wrong on the way. */
@Tag("spark")
class RepartitionJobTest {
  private static final Path REAL =
      Path.of("../src-test-fixtures/checkpoints/window-rocksdb/checkpoint");
  private static final long LAST = 14;

  @TempDir private Path directory;
  private SparkSession spark;
  private Path from;
  private Path to;

  @BeforeEach
  void open() throws IOException {
    spark = LocalSpark.open("tests", DemoScene.SESSION);
    from = directory.resolve("from");
    to = directory.resolve("to");
    FileUtils.copyDirectory(REAL.toFile(), from.toFile());
  }

  /** Does something whenever the job has copied or verified something. */
  private interface Event {
    void after(int phase) throws IOException;
  }

  private RepartitionResult run(Path target, boolean isDry, Event event) throws IOException {
    CopyProgress progress =
        new CopyProgress() {
          private int phase;

          @Override
          public void ended() {
            try {
              event.after(++phase);
            } catch (IOException failed) {
              throw new UncheckedIOException(failed);
            }
          }
        };
    return RepartitionJob.run(
        spark,
        new RepartitionSpec(from.toString(), target.toString(), 5, isDry, null),
        directory,
        Clock.systemUTC(),
        progress);
  }

  @Test
  void dryRunAndRefusalsWriteNothing() throws IOException {
    Map<String, String> before = content();
    RepartitionResult dry = run(to, true, phase -> {});
    assertThat(dry.status()).as(dry.toString()).isEqualTo("dry-run");
    assertThat(dry.partitionsBefore()).isEqualTo(2);
    assertThat(dry.batch()).isEqualTo(LAST + 1);
    assertThat(dry.files()).isPositive();
    assertThatThrownBy(() -> run(from.resolve("in"), false, phase -> {}))
        .isInstanceOf(InvalidJobSpecException.class)
        .hasMessageContaining("TARGET_INSIDE_SOURCE");
    assertThat(content()).isEqualTo(before);
    Files.createDirectories(to);
    Files.writeString(to.resolve("theirs"), "something");
    before = content();
    RepartitionResult refused = run(to, false, phase -> {});
    assertThat(refused.status()).isEqualTo("refused");
    assertThat(refused.findings().toString()).contains("TARGET_NOT_EMPTY");
    assertThat(content()).isEqualTo(before);
    FileUtils.deleteDirectory(from.toFile());
    assertThatThrownBy(() -> run(to, false, phase -> {}))
        .isInstanceOf(InvalidJobSpecException.class)
        .hasMessageContaining("checkpoint: there is nothing at");
  }

  @Test
  void failureAtAnyPhaseLeavesNothingAndARerunFinishes() throws IOException {
    Map<String, String> before = content();
    int failures = 0;
    for (boolean isDone = false; !isDone; ) {
      int failing = failures + 1;
      try {
        RepartitionResult result =
            run(
                to,
                false,
                phase -> {
                  if (phase == failing) {
                    throw new IOException("killed");
                  }
                });
        assertThat(result.status()).as(result.message() + result.findings()).isEqualTo("done");
        assertThat(result.stores()).singleElement().matches(StoreRows::isSame);
        assertThat(
                JobJson.readResult(
                    JobJson.write(result), RepartitionSpec.JOB, RepartitionResult.class))
            .isEqualTo(result);
        isDone = true;
      } catch (UncheckedIOException killed) {
        failures++;
        assertThat(to).doesNotExist();
      }
    }
    assertThat(failures).as("copied and verified, there and here").isEqualTo(4);
    assertThat(content()).containsAllEntriesOf(before);
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder("from", "to", ".to.migrator-manifest.json");
    }
  }

  @Test
  void stateThatIsNotTheSameIsNotPublished() throws IOException {
    RepartitionResult result =
        run(
            to,
            false,
            phase -> {
              if (phase == 1) {
                // Two batches back: other windows are open.
                Files.copy(
                    from.resolve("state/0/1/13.zip"),
                    from.resolve("state/0/1/15.zip"),
                    StandardCopyOption.REPLACE_EXISTING);
                Files.deleteIfExists(from.resolve("state/0/1/.15.zip.crc"));
              }
            });
    assertThat(result.status()).as(result.toString()).isEqualTo("different");
    assertThat(result.ok()).isFalse();
    assertThat(result.stores().get(0).missing() + result.stores().get(0).extra()).isPositive();
    assertThat(to).doesNotExist();
  }

  @Test
  void queryThatRunsMeanwhileIsNoticed() throws IOException {
    RepartitionResult result =
        run(
            to,
            false,
            phase -> {
              if (phase == 1) {
                Files.copy(from.resolve("offsets/14"), from.resolve("offsets/15"));
              }
            });
    assertThat(result.status()).isEqualTo("refused");
    assertThat(result.findings().toString()).contains("OLD_CHECKPOINT_GROWS");
    assertThat(to).doesNotExist();
  }

  @Test
  void rowsInAnotherPartitionThanSparkLooksInAreFound() throws IOException {
    StateSpec.State last = new StateSpec.State(from.toString(), LAST);
    assertThat(compare(last, last, 2)).singleElement().matches(StoreRows::isSame);
    assertThat(compare(last, last, 7).get(0).misplaced()).isPositive();
    StoreRows other = compare(new StateSpec.State(from.toString(), LAST - 2), last, 2).get(0);
    assertThat(other.missing()).isPositive();
    assertThat(other.extra()).isPositive();
  }

  /** Both have one partition, whatever is pinned, and Spark would deal out their rows. */
  @ParameterizedTest
  @ValueSource(strings = {"aggregate", "limit"})
  void operatorsOfOnePartitionAreRefused(String operator) throws Exception {
    String provider = "spark.sql.streaming.stateStore.providerClass";
    FileUtils.deleteDirectory(from.toFile());
    spark
        .conf()
        .set(provider, "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider");
    try {
      Files.writeString(directory.resolve("in.json"), "{\"id\":1}\n{\"id\":2}\n");
      Dataset<Row> rows =
          spark.readStream().schema("id long").json(directory.resolve("in*").toString());
      (operator.equals("limit") ? rows.limit(5) : rows.groupBy().count())
          .writeStream()
          .outputMode(operator.equals("limit") ? "append" : "complete")
          .format("noop")
          .option("checkpointLocation", from.toString())
          .trigger(Trigger.AvailableNow())
          .start()
          .awaitTermination();
    } finally {
      spark.conf().unset(provider);
    }
    Map<String, String> before = content();
    RepartitionResult result = run(to, false, phase -> {});
    assertThat(result.status()).as(result.toString()).isEqualTo("refused");
    assertThat(result.findings().toString()).contains("NOT_AVAILABLE", "partition 0");
    assertThat(content()).isEqualTo(before);
  }

  private List<StoreRows> compare(StateSpec.State before, StateSpec.State after, int partitions)
      throws IOException {
    return StateRows.compare(
        spark,
        new CheckpointReader(new LocalStore())
            .read(Location.parse(from.toString(), directory))
            .operators(),
        before,
        after,
        partitions);
  }

  /**
   * The real process is killed when Spark has written its plan, and again when it has committed.
   */
  @Test
  @EnabledIfSystemProperty(
      named = "soak",
      matches = "[0-9]+",
      disabledReason = "starts JVMs to kill them; run by -Psoak")
  void jobThatIsKilledIsRunAgain() throws Exception {
    Map<String, String> before = content();
    Path work = directory.resolve(".to.migrator-repartition");
    killWhenThere(work.resolve("offsets/15"));
    assertThat(to).doesNotExist();
    killWhenThere(work.resolve("commits/15"));
    assertThat(to).doesNotExist();
    RepartitionResult result = run(to, false, phase -> {});
    assertThat(result.status()).as(result.message() + result.findings()).isEqualTo("done");
    assertThat(work).doesNotExist();
    assertThat(content()).containsAllEntriesOf(before);
  }

  private void killWhenThere(Path file) throws Exception {
    FileUtils.deleteQuietly(file.toFile());
    Path spec =
        Files.writeString(
            directory.resolve("spec.json"),
            JobJson.write(RepartitionSpec.of(from.toString(), to.toString(), 5)));
    Process process =
        new ProcessBuilder(
                new SparkJvm(
                        System.getProperty(
                            "surefire.test.class.path", System.getProperty("java.class.path")),
                        List.of("-Xmx1g", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"))
                    .command(
                        directory.resolve("java.args"),
                        "org.streammigrator.jobs.JobMain",
                        List.of(spec.toString())))
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("log").toFile())
            .start();
    while (!Files.exists(file) && process.isAlive()) {
      Thread.onSpinWait();
    }
    process.destroyForcibly();
    assertThat(process.waitFor()).as("killed").isEqualTo(137);
    Files.delete(spec);
    Files.delete(directory.resolve("log"));
    Files.deleteIfExists(directory.resolve("java.args"));
  }

  private Map<String, String> content() throws IOException {
    Map<String, String> content = new TreeMap<>();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.toList()) {
        content.put(
            directory.relativize(file).toString(),
            Files.isDirectory(file)
                ? "directory"
                : DigestUtils.sha256Hex(Files.readAllBytes(file)));
      }
    }
    return content;
  }
}
