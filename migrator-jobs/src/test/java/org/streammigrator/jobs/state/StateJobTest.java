package org.streammigrator.jobs.state;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.expr;
import static org.apache.spark.sql.functions.session_window;
import static org.apache.spark.sql.functions.window;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.streammigrator.job.InvalidJobSpecException;
import org.streammigrator.job.JobFailedException;
import org.streammigrator.job.StateResult;
import org.streammigrator.job.StateSpec;
import org.streammigrator.jobs.demo.DemoScene;
import org.streammigrator.jobs.session.LocalSpark;

/** State that real streams have left, read and compared. */
@Tag("spark")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StateJobTest {
  private static final String PROVIDER =
      "org.apache.spark.sql.execution.streaming.state.%sStateStoreProvider";

  @TempDir private Path directory;
  private SparkSession spark;

  @BeforeAll
  void open() {
    spark = LocalSpark.open("tests", DemoScene.SESSION);
  }

  /** A query over two batches: the second has one more user and an older event. */
  private Path run(String name, Map<String, String> conf, Query query) throws Exception {
    Path input = Files.createDirectories(directory.resolve("in of " + name));
    Path checkpoint = directory.resolve("ördérs 5%20min of " + name);
    conf.forEach(spark.conf()::set);
    try {
      Files.writeString(
          input.resolve("a.json"),
          """
          {"t":"2026-01-01T00:02:00.000250Z","user":"a","token":"x1"}
          {"t":"2026-01-01T00:04:00Z","user":"a","token":"x2"}
          {"t":"2026-01-01T00:30:00Z","user":"a","token":"x2"}
          """);
      start(input, checkpoint, query);
      Files.writeString(
          input.resolve("b.json"),
          """
          {"t":"2026-01-01T00:01:00.000750Z","user":"b","token":"y1"}
          {"t":"2026-01-01T00:30:00Z","user":"a","token":"x3"}
          """);
      start(input, checkpoint, query);
    } finally {
      conf.keySet().forEach(spark.conf()::unset);
    }
    return checkpoint;
  }

  private void start(Path input, Path checkpoint, Query query) throws Exception {
    query
        .over(
            spark
                .readStream()
                .schema("t timestamp, user string, token string")
                .json(input.toString())
                .withWatermark("t", "2 hours"))
        .writeStream()
        .format("noop")
        .option("checkpointLocation", checkpoint.toString())
        .trigger(Trigger.AvailableNow())
        .start()
        .awaitTermination();
  }

  private interface Query {
    Dataset<Row> over(Dataset<Row> events);
  }

  private StateResult compare(Path checkpoint, long batch, Path other, Long otherBatch) {
    return StateJob.run(
        spark,
        new StateSpec(
            new StateSpec.State(checkpoint.toString(), batch),
            otherBatch == null ? null : new StateSpec.State(other.toString(), otherBatch),
            null));
  }

  /** The last batch; batches without data come between. */
  private static long last(Path checkpoint) throws IOException {
    try (Stream<Path> commits = Files.list(checkpoint.resolve("commits"))) {
      return commits
          .map(commit -> commit.getFileName().toString())
          .filter(name -> !name.startsWith("."))
          .mapToLong(Long::parseLong)
          .max()
          .orElseThrow();
    }
  }

  private static Map<String, Long> files(Path directory) throws IOException {
    Map<String, Long> files = new TreeMap<>();
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path file : all.toList()) {
        files.put(file.toString(), Files.getLastModifiedTime(file).toMillis());
      }
    }
    return files;
  }

  @ParameterizedTest
  @CsvSource({"HDFSBacked, 1", "RocksDB, 1", "RocksDB, 2"})
  void sessionsAreComparedByKeyAndBounds(String provider, String format) throws Exception {
    Path checkpoint =
        run(
            "sessions " + provider + format,
            Map.of(
                "spark.sql.streaming.stateStore.providerClass",
                PROVIDER.formatted(provider),
                "spark.sql.streaming.stateStore.checkpointFormatVersion",
                format),
            events -> events.groupBy(session_window(col("t"), "5 minutes"), col("user")).count());
    Map<String, Long> before = files(checkpoint);
    StateResult first = compare(checkpoint, 0, null, null);
    assertThat(first.ok()).isTrue();
    assertThat(first.operators()).hasSize(1);
    StateResult.Operator operator = first.operators().get(0);
    assertThat(operator.entries()).isEqualTo(2);
    assertThat(operator.earliestSession()).isEqualTo(Instant.parse("2026-01-01T00:02:00Z"));
    assertThat(operator.comparison()).isNull();
    assertThat(
            compare(checkpoint, last(checkpoint), null, null).operators().get(0).earliestSession())
        .isEqualTo(Instant.parse("2026-01-01T00:01:00Z"));

    StateResult same = compare(checkpoint, 0, checkpoint, 0L);
    assertThat(same.ok()).isTrue();
    assertThat(same.operators().get(0).comparison().isSame()).isTrue();
    StateResult grown = compare(checkpoint, 0, checkpoint, last(checkpoint));
    assertThat(grown.ok()).isFalse();
    StateResult.Comparison comparison = grown.operators().get(0).comparison();
    assertThat(comparison.missing()).isZero();
    assertThat(comparison.extra()).isEqualTo(1);
    assertThat(comparison.examples().extra())
        .singleElement()
        .asString()
        .contains("\"user\":\"b\"", "00:01:00", "00:06:00");
    assertThat(files(checkpoint)).as("nothing is written").isEqualTo(before);
  }

  /** The two sides are told apart, and a key is there as often as it has rows. */
  @Test
  void joinsAreComparedBySideAndNumber() throws Exception {
    Path checkpoint =
        run(
            "join",
            Map.of(),
            events ->
                events.join(
                    events
                        .withColumnsRenamed(Map.of("t", "u", "user", "v", "token", "w"))
                        .where("w <> 'x2'"),
                    expr("user = v and u >= t and u <= t + interval 3 minutes"),
                    "leftOuter"));
    StateResult.Operator first = compare(checkpoint, 0, null, null).operators().get(0);
    assertThat(first.entries()).as("three rows on the left, one on the right").isEqualTo(4);
    StateResult.Comparison comparison =
        compare(checkpoint, last(checkpoint), checkpoint, 0L).operators().get(0).comparison();
    assertThat(comparison.missing()).isEqualTo(4);
    assertThat(comparison.extra()).isZero();
  }

  /** Columns are compared by their places; secrets are not shown. */
  @Test
  void keysThatWereRenamedAreTheSame() throws Exception {
    Path old =
        run("old keys", Map.of(), events -> events.dropDuplicates("user", "token").select("user"));
    Path renamed =
        run(
            "new keys",
            Map.of(),
            events ->
                events
                    .withColumnRenamed("token", "pass")
                    .dropDuplicates("user", "pass")
                    .select("user"));
    assertThat(compare(old, last(old), renamed, last(renamed)).ok()).isTrue();
    StateResult.Comparison comparison =
        compare(old, last(old), renamed, 0L).operators().get(0).comparison();
    assertThat(comparison.missing()).isEqualTo(2);
    assertThat(comparison.examples().missing().toString()).contains("***").doesNotContain("y1");
  }

  @Test
  void otherKeysAndOtherOperatorsAreNotCompared() throws Exception {
    Path one = run("one key", Map.of(), events -> events.dropDuplicates("user").select("user"));
    Path two =
        run("two keys", Map.of(), events -> events.dropDuplicates("user", "t").select("user"));
    Path other =
        run(
            "other",
            Map.of(),
            events -> events.groupBy(window(col("t"), "5 minutes")).count().select("count"));
    StateResult keys = compare(one, last(one), two, last(two));
    assertThat(keys.ok()).isFalse();
    assertThat(keys.notCompared()).isNull();
    assertThat(keys.operators().get(0).comparison().notCompared())
        .contains("(string)", "(string, timestamp)");
    StateResult operators = compare(one, last(one), other, last(other));
    assertThat(operators.ok()).isFalse();
    assertThat(operators.notCompared()).contains("dedupe", "stateStoreSave");
    assertThat(operators.operators().get(0).comparison()).isNull();
  }

  @Test
  void whatIsNotThereIsSaid() throws Exception {
    Path one = run("a key", Map.of(), events -> events.dropDuplicates("user").select("user"));
    assertThatThrownBy(() -> compare(one, 50, null, null))
        .isInstanceOf(JobFailedException.class)
        .hasMessageContaining("after batch 50 cannot be read");
    Path stateless = run("no state", Map.of(), events -> events.select("user"));
    assertThatThrownBy(() -> compare(stateless, 0, null, null))
        .isInstanceOf(InvalidJobSpecException.class)
        .hasMessageContaining("which stateful operators");
    assertThatThrownBy(() -> compare(directory.resolve("gone"), 0, null, null))
        .isInstanceOf(InvalidJobSpecException.class)
        .hasMessageContaining("gone");
    assertThat(directory.resolve("gone")).doesNotExist();
  }
}
