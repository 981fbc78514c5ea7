package org.streammigrator.jobs.restart;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.sum;
import static org.apache.spark.sql.functions.window;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;

/**
 * A query whose checkpoint is damaged: {@link #BATCHES} batches ran, of one input file or one
 * commit each, and one more is there to be read.
 */
enum OldQuery {
  /** No state, from files; every third entry of the source's log is a compact one. */
  FILES(Map.of()),
  /** No state, from a Delta table. */
  DELTA(Map.of()),
  /** No state, from files, with the offset log of Spark 4.2. */
  FILES_NAMED(Map.of("spark.sql.streaming.offsetLog.formatVersion", "2")),
  /** A windowed aggregate, in deltas and snapshots. */
  HDFS(Map.of("spark.sql.streaming.stateStore.providerClass", State.HDFS)),
  /** A windowed aggregate, in a zip a version. */
  ROCKSDB(Map.of("spark.sql.streaming.stateStore.providerClass", State.ROCKSDB)),
  /** A windowed aggregate, in changelogs. */
  CHANGELOG(
      Map.of(
          "spark.sql.streaming.stateStore.providerClass",
          State.ROCKSDB,
          "spark.sql.streaming.stateStore.rocksdb.changelogCheckpointing.enabled",
          "true")),
  /** A windowed aggregate whose state files carry ids. */
  FORMAT_2(
      Map.of(
          "spark.sql.streaming.stateStore.providerClass",
          State.ROCKSDB,
          "spark.sql.streaming.stateStore.rocksdb.changelogCheckpointing.enabled",
          "true",
          "spark.sql.streaming.stateStore.checkpointFormatVersion",
          "2"));

  /** The batches of the old run: 0 to 4. */
  static final int BATCHES = 5;

  /** Partitions of the state, all of which hold keys. */
  static final int PARTITIONS = 2;

  private static final int KEYS = 8;
  private static final long FIRST_FILE_MS = 1_700_000_000_000L;

  private static final class State {
    private static final String HDFS =
        "org.apache.spark.sql.execution.streaming.state.HDFSBackedStateStoreProvider";
    private static final String ROCKSDB =
        "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider";
  }

  private final Map<String, String> own;

  OldQuery(Map<String, String> own) {
    this.own = own;
  }

  /** The session's settings, for the old run and for every restart. */
  Map<String, String> conf() {
    Map<String, String> conf = new TreeMap<>(own);
    conf.put("spark.sql.streaming.fileSource.log.compactInterval", "3");
    conf.put("spark.sql.shuffle.partitions", Integer.toString(PARTITIONS));
    conf.put("spark.sql.streaming.stateStore.minDeltasForSnapshot", "1");
    return conf;
  }

  boolean stateful() {
    return ordinal() >= HDFS.ordinal();
  }

  /** Adds an input file or a commit: ids that nobody else has, one for each key. */
  void addInput(SparkSession spark, Path input, int number) throws IOException {
    if (this == DELTA) {
      List<Row> rows =
          IntStream.range(0, KEYS)
              .mapToObj(key -> RowFactory.create((long) number * KEYS + key, "k" + key))
              .toList();
      spark
          .createDataFrame(rows, spark.sql("select 1L as id, '' as k").schema())
          .coalesce(1)
          .write()
          .format("delta")
          .mode("append")
          .save(input.toString());
      return;
    }
    Files.createDirectories(input);
    StringBuilder text = new StringBuilder();
    for (int key = 0; key < KEYS; key++) {
      text.append(
          "{\"id\":%d,\"k\":\"k%d\",\"at\":\"2026-01-01T12:00:0%d.000Z\"}\n"
              .formatted(number * KEYS + key, key, key));
    }
    Path file = input.resolve("in-" + number + ".json");
    Files.writeString(file, text, UTF_8);
    Files.setLastModifiedTime(file, FileTime.fromMillis(FIRST_FILE_MS + number * 1000L));
  }

  /** The query over an input. */
  Dataset<Row> rows(SparkSession spark, Path input) {
    if (this == DELTA) {
      return spark
          .readStream()
          .format("delta")
          .option("maxFilesPerTrigger", 1)
          .load(input.toString());
    }
    Dataset<Row> rows =
        spark
            .readStream()
            .schema("id long, k string, at timestamp")
            .option("maxFilesPerTrigger", 1)
            .json(input.toString());
    return stateful() ? windows(rows) : rows.select("id", "k");
  }

  private static Dataset<Row> windows(Dataset<Row> rows) {
    return rows.withWatermark("at", "10 seconds")
        .groupBy(window(col("at"), "1 hour"), col("k"))
        .agg(count(lit(1)).as("rows"), sum(col("id")).as("total"))
        .select("k", "rows", "total");
  }

  /**
   * What a sink holds that was given batches: every row of a query without state, and the newest
   * row of each key of one with state.
   */
  List<String> sink(Map<Long, List<String>> batches) {
    if (!stateful()) {
      return new TreeMap<>(batches).values().stream().flatMap(List::stream).sorted().toList();
    }
    Map<String, String> newest = new TreeMap<>();
    new TreeMap<>(batches)
        .values()
        .forEach(rows -> rows.forEach(row -> newest.put(row.split(",")[0], row)));
    return List.copyOf(newest.values());
  }

  /** What the sink has to hold once everything is read. */
  List<String> everything() {
    int files = BATCHES + 1;
    if (!stateful()) {
      return IntStream.range(0, files * KEYS)
          .mapToObj(id -> "[" + id + ",k" + id % KEYS + "]")
          .sorted()
          .toList();
    }
    return IntStream.range(0, KEYS)
        .mapToObj(
            key ->
                "[k%d,%d,%d]".formatted(key, files, files * key + KEYS * (files * (files - 1) / 2)))
        .toList();
  }
}
