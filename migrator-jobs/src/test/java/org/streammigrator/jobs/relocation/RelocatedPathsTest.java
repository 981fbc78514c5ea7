package org.streammigrator.jobs.relocation;

import static org.apache.spark.sql.functions.col;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.api.java.function.MapFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.streaming.OutputMode;
import org.apache.spark.sql.streaming.TimeMode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Real streams whose input, output or checkpoint moved, and whose old place is gone when they start
 * again: every row is read once, and nothing in the new place names the old one.
 */
@Tag("spark")
class RelocatedPathsTest extends RelocatedQueries {

  /** Every third entry of the logs of file sources and sinks is a compact one. */
  private static final Map<String, String> SHORT_LOGS =
      Map.of(
          "spark.sql.streaming.fileSource.log.compactInterval", "3",
          "spark.sql.streaming.fileSink.log.compactInterval", "3");

  private static final Map<String, String> ROCKSDB =
      Map.of(
          "spark.sql.streaming.stateStore.providerClass",
          "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider");

  @ParameterizedTest
  @ValueSource(strings = {"relocate", "seed"})
  void aMovedInputIsReadOnce(String strategy) throws Exception {
    Path before = directory.resolve("in put/100% ü=1");
    Path now = directory.resolve("new%20place/é+#ñ");
    Path sink = directory.resolve("sink");
    Path old = directory.resolve("old");
    writeRows(before, 0, 9);
    run(json(before), "delta", old, sink, SHORT_LOGS);
    assertThat(ids(spark.read().format("delta").load(sink.toString()))).isEqualTo(upTo(18));
    assertThat(old.resolve("sources/0"))
        .isDirectoryContaining(file -> file.endsWith("2.compact"))
        .isDirectoryContaining(file -> file.endsWith("3"));

    Files.createDirectories(now.getParent());
    Files.move(before, now);
    Path moved =
        apply(
            """
            strategy: %s
            checkpoint: {from: "%s", to: "%s"}
            sources: [{files: "%s"}]
            sink: {delta: "%s"}
            rewrite: [{from: "%s", to: "%s"}]
            """
                .formatted(strategy, old, directory.resolve("new"), now, sink, before, now));
    rename(old);
    assertNothingNames(moved, "in%20put");

    writeRows(now, 9, 14);
    run(json(now), "delta", moved, sink, SHORT_LOGS);
    assertThat(ids(spark.read().format("delta").load(sink.toString()))).isEqualTo(upTo(28));
    migrator("prove");
    assertThat(spellings(moved.resolve("sources/0")))
        .as("what Spark writes at the new place is spelled as what was rewritten")
        .hasSize(1);
  }

  @Test
  void withoutARuleTheMovedInputIsNotFound() throws Exception {
    Path before = directory.resolve("in");
    Path now = directory.resolve("moved");
    Path old = directory.resolve("old");
    Path sink = directory.resolve("sink");
    writeRows(before, 0, 5);
    run(json(before), "delta", old, sink, SHORT_LOGS);
    Files.move(before, now);
    Path moved =
        apply(
            """
            strategy: relocate
            checkpoint: {from: "%s", to: "%s"}
            sink: {delta: "%s"}
            """
                .formatted(old, directory.resolve("new"), sink));
    assertThatThrownBy(() -> run(json(now), "delta", moved, sink, SHORT_LOGS))
        .hasStackTraceContaining("Wrong basePath");
  }

  @Test
  void aMovedOutputIsReadAndWrittenOn() throws Exception {
    Path input = directory.resolve("in");
    Path before = directory.resolve("out put 50%");
    Path now = directory.resolve("new/ö t");
    Path old = directory.resolve("old");
    writeRows(input, 0, 9);
    Dataset<Row> rows = json(input);
    run(rows, "parquet", old, before, SHORT_LOGS);
    assertThat(before.resolve("_spark_metadata"))
        .isDirectoryContaining(file -> file.endsWith("2.compact"))
        .isDirectoryContaining(file -> file.endsWith("4"));

    copyData(before, now);
    Path partition;
    try (Stream<Path> partitions = Files.list(now)) {
      partition = partitions.filter(Files::isDirectory).sorted().findFirst().orElseThrow();
    }
    try (Stream<Path> files = Files.list(partition)) {
      Path some = files.filter(file -> file.toString().endsWith(".parquet")).findFirst().get();
      Files.copy(some, partition.resolve("part-uncommitted.parquet"));
    }
    Path moved =
        apply(
            """
            strategy: relocate
            checkpoint: {from: "%s", to: "%s"}
            sink: {files: "%s"}
            rewrite: [{from: "%s", to: "%s"}]
            """
                .formatted(old, directory.resolve("new/checkpoint"), now, before, now));
    rename(old);
    rename(before);
    assertNothingNames(now.resolve("_spark_metadata"), "out%20put");
    assertThat(ids(spark.read().parquet(now.toString()))).isEqualTo(upTo(18));

    writeRows(input, 9, 16);
    run(json(input), "parquet", moved, now, SHORT_LOGS);
    assertThat(ids(spark.read().parquet(now.toString()))).isEqualTo(upTo(32));
    migrator("prove");
    assertThat(now.resolve("_spark_metadata"))
        .isDirectoryContaining(file -> file.endsWith("8.compact"));
  }

  @Test
  void aDeltaSourceFindsItsSchemaLog() throws Exception {
    Path table = directory.resolve("table");
    Path old = directory.resolve("old check");
    Path sink = directory.resolve("sink");
    spark.sql(
        "create table delta.`%s` (id long, k string) using delta tblproperties ('delta.columnMapping.mode'='name')"
            .formatted(table));
    insert(table, 0, 4);
    run(tracked(table, old), "delta", old, sink, Map.of());

    Path copied = directory.resolve("copied");
    copyAll(old, copied);
    assertThatThrownBy(() -> run(tracked(table, copied), "delta", copied, sink, Map.of()))
        .as("a plain copy")
        .hasStackTraceContaining("source metadata path");

    Path moved =
        apply(
            """
            strategy: relocate
            checkpoint: {from: "%s", to: "%s"}
            sources: [{delta: "%s"}]
            sink: {delta: "%s"}
            """
                .formatted(old, directory.resolve("new check"), table, sink));
    rename(old);
    assertNothingNames(moved, "old check");
    insert(table, 4, 9);
    run(tracked(table, moved), "delta", moved, sink, Map.of());
    assertThat(ids(spark.read().format("delta").load(sink.toString()))).isEqualTo(upTo(9));
    migrator("prove");
  }

  @Test
  void transformWithStateDependsOnNothingOld() throws Exception {
    Path input = directory.resolve("in");
    Path old = directory.resolve("old");
    Path sink = directory.resolve("sink");
    writeRows(input, 0, 6);
    run(counted(json(input), false), "delta", old, sink, ROCKSDB);
    Path moved =
        apply(
            """
            strategy: relocate
            checkpoint: {from: "%s", to: "%s"}
            sink: {delta: "%s"}
            """
                .formatted(old, directory.resolve("new"), sink));
    rename(old);
    assertNothingNames(moved, old + "/");
    List<Path> schemas = schemaFiles(moved);
    assertThat(schemas).isNotEmpty();

    writeRows(input, 6, 9);
    run(counted(json(input), false), "delta", moved, sink, ROCKSDB);
    assertCounts(sink, 18);
    assertThat(schemaFiles(moved)).as("the schema was found again").isEqualTo(schemas);

    writeRows(input, 9, 12);
    run(counted(json(input), true), "delta", moved, sink, ROCKSDB);
    assertCounts(sink, 24);
    assertThat(schemaFiles(moved)).as("one variable more").hasSize(schemas.size() + 1);
  }

  /** The last count of each key is the number of its rows. */
  private static void assertCounts(Path sink, long rows) {
    Row sum =
        spark
            .read()
            .format("delta")
            .load(sink.toString())
            .groupBy("_1")
            .max("_2")
            .groupBy()
            .sum("max(_2)")
            .first();
    assertThat(sum.getLong(0)).isEqualTo(rows);
  }

  private static Dataset<Row> counted(Dataset<Row> rows, boolean oneMore) {
    return rows.groupByKey((MapFunction<Row, String>) row -> row.getString(1), Encoders.STRING())
        .transformWithState(
            new CountingProcessor(oneMore),
            TimeMode.None(),
            OutputMode.Append(),
            Encoders.tuple(Encoders.STRING(), Encoders.LONG()))
        .toDF();
  }

  private static Dataset<Row> tracked(Path table, Path checkpoint) {
    return spark
        .readStream()
        .format("delta")
        .option("schemaTrackingLocation", checkpoint.toString())
        .load(table.toString());
  }

  private static void insert(Path table, long from, long to) {
    spark
        .range(from, to)
        .select(col("id"), col("id").cast("string").as("k"))
        .write()
        .format("delta")
        .mode("append")
        .save(table.toString());
  }

  /** The directories of the files in a log, as they are spelled. */
  private static List<String> spellings(Path log) throws IOException {
    try (Stream<Path> files = Files.list(log)) {
      return files
          .filter(file -> file.getFileName().toString().matches("[0-9]+(\\.compact)?"))
          .flatMap(file -> read(file).lines().skip(1))
          .map(line -> line.replaceAll(".*\"path\":\"([^\"]*)/[^/\"]*\".*", "$1"))
          .distinct()
          .toList();
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static List<Path> schemaFiles(Path checkpoint) throws IOException {
    try (Stream<Path> files = Files.walk(checkpoint.resolve("state/0/_stateSchema"))) {
      return files
          .filter(file -> file.getFileName().toString().matches("[0-9].*"))
          .sorted()
          .toList();
    }
  }
}
