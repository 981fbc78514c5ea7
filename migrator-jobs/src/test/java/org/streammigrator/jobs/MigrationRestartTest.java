package org.streammigrator.jobs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.expr;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.sum;
import static org.apache.spark.sql.functions.udf;
import static org.apache.spark.sql.functions.window;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.StreamingQueryException;
import org.apache.spark.sql.streaming.Trigger;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.streammigrator.cli.Cli;
import org.streammigrator.cli.CliContext;
import org.streammigrator.jobs.demo.DemoLake;
import org.streammigrator.jobs.demo.DemoScene;
import org.streammigrator.jobs.demo.StopPoint;
import org.streammigrator.jobs.demo.StoppingCheckpointFileManager;
import org.streammigrator.jobs.session.LocalSpark;

/**
 * Real streams are stopped, migrated and started again from their new checkpoints; afterwards the
 * sink must hold what the source holds, each row as often.
 */
@Tag("spark")
class MigrationRestartTest {
  private static final int COMMITS = 4;

  /** The first two batches end inside a commit, and a third one reads the rest. */
  private static final int FILES_PER_BATCH = 7;

  private static final int OTHER_COMMITS = 2;
  private static final int OTHER_FILES_PER_BATCH = 3;

  private static final String PLANNED_STOP = "planned stop in a batch";

  /** Every second entry of a file source's log is a compact one. */
  private static final Map<String, String> FILE_LOG =
      Map.of("spark.sql.streaming.fileSource.log.compactInterval", "2");

  @TempDir static Path shared;
  private static SparkSession spark;
  private static DemoLake lake;
  private static DemoLake otherLake;

  /** The stateless query, which died in a task of batch 1: the sink does not have that batch. */
  private static Old stateless;

  private static final Map<Provider, Old> windowed = new EnumMap<>(Provider.class);

  @TempDir Path directory;

  /** A stopped query: its checkpoint and its sink, which no test changes. */
  private record Old(Path checkpoint, Path sink) {}

  /** Where the windowed query keeps its state. */
  private enum Provider {
    HDFS("HDFSBackedStateStoreProvider", false, "delta"),
    ROCKSDB("RocksDBStateStoreProvider", false, "zip"),
    ROCKSDB_CHANGELOG("RocksDBStateStoreProvider", true, "changelog");

    private final Map<String, String> conf;
    private final String file;

    Provider(String providerClass, boolean changelog, String file) {
      this.file = file;
      conf =
          Map.of(
              "spark.sql.streaming.stateStore.providerClass",
              "org.apache.spark.sql.execution.streaming.state." + providerClass,
              "spark.sql.streaming.stateStore.rocksdb.changelogCheckpointing.enabled",
              Boolean.toString(changelog));
    }
  }

  @BeforeAll
  static void startAndStopTheOldQuery() {
    spark = LocalSpark.open("tests", DemoScene.SESSION);
    lake = DemoLake.at(shared.resolve("lake"));
    lake.write(spark, 0, COMMITS);
    otherLake = new DemoLake(shared.resolve("other-lake"), DemoLake.SEED + 1);
    otherLake.write(spark, 0, OTHER_COMMITS);
    stateless = new Old(shared.resolve("stateless"), shared.resolve("stateless-sink"));
    run(narrow(orders()), stateless, new StopPoint.InBatch(1));
  }

  @ParameterizedTest
  @EnumSource(Provider.class)
  void relocatedWindowsGoOnAfterABatchThatTheSinkHas(Provider provider) throws IOException {
    Old old = windowed(provider);
    Path sink = copy(old.sink(), "sink");
    Path moved =
        apply(
            """
            strategy: relocate
            copy: live
            checkpoint: {from: %s, to: %s}
            sources: [{delta: %s}]
            sink: {delta: %s}
            """,
            old.checkpoint(), lake.rawOrders(), sink);
    assertThat(stateVersions(moved)).containsExactly(1L, 2L);
    assertThat(moved.resolve("state/0/0/2." + provider.file)).isRegularFile();

    Path withoutNext = copy(moved, "without-next");
    for (Path file : stateFiles(withoutNext, 2)) {
      Files.delete(file);
    }
    assertThatThrownBy(
            () -> run(windows(orders()), new Old(withoutNext, sink), new StopPoint.Drained()))
        .as("the sink skips the rerun of batch 1, so nothing makes state version 2 again")
        .hasStackTraceContaining("CANNOT_LOAD_STATE_STORE")
        .hasStackTraceContaining("/2.");

    run(windows(orders()), new Old(moved, sink), new StopPoint.Drained());
    assertClosedWindows(sink);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void relocatedQueryRunsThePendingBatchOnce(boolean sinkDeclared) throws IOException {
    Path sink = copy(stateless.sink(), "sink");
    Path moved =
        apply(
            """
            strategy: relocate
            checkpoint: {from: %s, to: %s}
            """
                + (sinkDeclared ? "sink: {delta: " + sink + "}\n" : ""),
            stateless.checkpoint());
    assertThat(batches(moved, "offsets")).containsExactly(0L, 1L);
    run(narrow(orders()), new Old(moved, sink), new StopPoint.Drained());
    assertSame(read(sink), narrow(read(lake.rawOrders())));
  }

  @Test
  void seededQueryWritesThePendingRangeOnce() throws IOException {
    Path sink = copy(stateless.sink(), "sink");
    Path seeded =
        apply(
            """
            strategy: seed
            checkpoint: {from: %s, to: %s}
            sources: [{delta: %s}]
            sink: {delta: %s}
            """,
            stateless.checkpoint(), lake.rawOrders(), sink);
    assertThat(batches(seeded, "offsets")).containsExactly(0L);
    assertWidened(seeded, sink);
  }

  @Test
  void seededQueryRunsTheCarriedBatchOfASinkWithoutRecord() throws IOException {
    Path sink = copy(stateless.sink(), "sink");
    forgetTransactions(sink);
    Path seeded =
        apply(
            """
            strategy: seed
            checkpoint: {from: %s, to: %s}
            sources: [{delta: %s}]
            sink: {delta: %s}
            """,
            stateless.checkpoint(), lake.rawOrders(), sink);
    assertThat(batches(seeded, "offsets")).containsExactly(0L, 1L);
    assertThat(batches(seeded, "commits")).containsExactly(0L);
    assertWidened(seeded, sink);
  }

  @ParameterizedTest
  @CsvSource({"true, true", "true, false", "false, true"})
  void seededQueryReadsASecondSource(boolean newOneFirst, boolean recorded) throws IOException {
    Path sink = copy(stateless.sink(), "sink");
    if (!recorded) {
      forgetTransactions(sink);
    }
    String known = "{delta: " + lake.rawOrders() + ", was: 0}";
    String added = "{delta: " + otherLake.rawOrders() + ", was: none}";
    Path seeded =
        apply(
            """
            strategy: seed
            checkpoint: {from: %s, to: %s}
            sources: [%s, %s]
            sink: {delta: %s}
            """,
            stateless.checkpoint(), newOneFirst ? added : known, newOneFirst ? known : added, sink);
    Dataset<Row> first = narrow(newOneFirst ? otherOrders() : orders());
    Dataset<Row> second = narrow(newOneFirst ? orders() : otherOrders());
    run(first.unionByName(second), new Old(seeded, sink), new StopPoint.Drained());
    assertSame(read(sink), narrow(read(lake.rawOrders()).union(read(otherLake.rawOrders()))));
  }

  @Test
  void seededSourcesChangePlaces() throws IOException {
    Old old = new Old(directory.resolve("old"), directory.resolve("sink"));
    run(narrow(orders()).union(narrow(otherOrders())), old, new StopPoint.InBatch(1));
    Path seeded =
        apply(
            """
            strategy: seed
            checkpoint: {from: %s, to: %s}
            sources: [{delta: %s, was: 1}, {delta: %s, was: 0}]
            sink: {delta: %s}
            """,
            old.checkpoint(), otherLake.rawOrders(), lake.rawOrders(), old.sink());
    run(
        narrow(otherOrders()).union(narrow(orders())),
        new Old(seeded, old.sink()),
        new StopPoint.Drained());
    assertSame(read(old.sink()), narrow(read(lake.rawOrders()).union(read(otherLake.rawOrders()))));
  }

  @Test
  void compactedFileSourceLogsMove() throws IOException {
    Path input = Files.createDirectories(directory.resolve("in put"));
    writeFiles(input, 0, 9);
    Old old = new Old(directory.resolve("old"), directory.resolve("old-sink"));
    run(files(input), old, new StopPoint.InBatch(3), FILE_LOG);
    assertThat(directory.resolve("old/sources/0"))
        .isDirectoryContaining(file -> file.endsWith("1.compact"))
        .isDirectoryContaining(file -> file.endsWith("3.compact"));

    for (String strategy : List.of("relocate", "seed")) {
      Path sink = copy(old.sink(), strategy + "-sink");
      Path moved =
          apply(
              """
              strategy: %3$s
              checkpoint: {from: %1$s, to: %2$s}
              sources: [{files: "%4$s"}]
              sink: {delta: %5$s}
              """,
              old.checkpoint(), strategy, input, sink);
      writeFiles(input, 0, strategy.equals("relocate") ? 10 : 11);
      run(files(input), new Old(moved, sink), new StopPoint.Drained(), FILE_LOG);
      assertSame(read(sink), spark.read().schema("id long").json(input.toString()));
    }
  }

  private static Old windowed(Provider provider) {
    return windowed.computeIfAbsent(
        provider,
        key -> {
          Old old = new Old(shared.resolve("old-" + key), shared.resolve("sink-" + key));
          run(windows(orders()), old, new StopPoint.BeforeCommit(1), key.conf);
          return old;
        });
  }

  /** The query's next version: it has one more column. */
  private void assertWidened(Path seeded, Path sink) {
    run(
        narrow(orders()).withColumn("large", expr("amount_cents > 10000")),
        new Old(seeded, sink),
        new StopPoint.Drained());
    assertSame(read(sink).drop("large"), narrow(read(lake.rawOrders())));
    assertThat(read(sink).where("large is null").count())
        .as("rows of the old version")
        .isEqualTo(FILES_PER_BATCH * DemoLake.ROWS_PER_FILE);
  }

  private static void assertSame(Dataset<Row> actual, Dataset<Row> expected) {
    assertThat(rows(actual)).isEqualTo(rows(expected)).isNotEmpty();
  }

  /** Every window that the watermark has passed, and no other. */
  private static void assertClosedWindows(Path sink) {
    Dataset<Row> source = read(lake.rawOrders());
    String newest = source.selectExpr("max(event_time)").first().get(0).toString();
    assertSame(
        read(sink),
        windows(source)
            .where(
                "window_end <= date_trunc('millisecond', timestamp'%s') - interval 10 minutes"
                    .formatted(newest)));
  }

  private static List<String> rows(Dataset<Row> rows) {
    return rows.collectAsList().stream().map(Row::toString).sorted().toList();
  }

  private static Dataset<Row> read(Path table) {
    return spark.read().format("delta").load(table.toString());
  }

  private static Dataset<Row> orders() {
    return stream(lake.rawOrders(), FILES_PER_BATCH);
  }

  private static Dataset<Row> otherOrders() {
    return stream(otherLake.rawOrders(), OTHER_FILES_PER_BATCH);
  }

  private static Dataset<Row> stream(Path table, int filesPerBatch) {
    return spark
        .readStream()
        .format("delta")
        .option("startingVersion", "0")
        .option("maxFilesPerTrigger", Integer.toString(filesPerBatch))
        .load(table.toString());
  }

  private static Dataset<Row> files(Path input) {
    return spark
        .readStream()
        .schema("id long")
        .option("maxFilesPerTrigger", "2")
        .json(input.toString());
  }

  private static Dataset<Row> narrow(Dataset<Row> orders) {
    return orders.select(col("order_id").as("id"), col("product"), col("amount_cents"));
  }

  private static Dataset<Row> windows(Dataset<Row> orders) {
    Dataset<Row> timed =
        orders.isStreaming() ? orders.withWatermark("event_time", "10 minutes") : orders;
    return timed
        .groupBy(window(col("event_time"), "5 minutes"), col("product"))
        .agg(count(lit(1)).as("orders"), sum(col("amount_cents")).as("total_cents"))
        .select(
            col("window.start").as("window_start"),
            col("window.end").as("window_end"),
            col("product"),
            col("orders"),
            col("total_cents"));
  }

  private static void run(Dataset<Row> rows, Old query, StopPoint stop) {
    run(rows, query, stop, Map.of());
  }

  /** Runs a query until it has read everything, or dies where it is to stop. */
  private static void run(
      Dataset<Row> rows, Old query, StopPoint stop, Map<String, String> settings) {
    Map<String, String> conf = new HashMap<>(settings);
    if (stop instanceof StopPoint.BeforeCommit before) {
      conf.put(
          "spark.sql.streaming.checkpointFileManagerClass",
          StoppingCheckpointFileManager.class.getName());
      conf.put(
          StoppingCheckpointFileManager.STOP_AT, query.checkpoint() + "/commits/" + before.batch());
    }
    Dataset<Row> written = rows;
    if (stop instanceof StopPoint.InBatch in) {
      String first = rows.columns()[0];
      written = rows.where(udf(dyingIn(in.batch()), DataTypes.BooleanType).apply(col(first)));
    }
    conf.forEach(spark.conf()::set);
    try {
      StreamingQuery started =
          written
              .writeStream()
              .format("delta")
              .outputMode("append")
              .option("checkpointLocation", query.checkpoint().toString())
              .option("mergeSchema", "true")
              .trigger(Trigger.AvailableNow())
              .start(query.sink().toString());
      started.awaitTermination();
      assertThat(stop).isInstanceOf(StopPoint.Drained.class);
    } catch (StreamingQueryException e) {
      if (stop instanceof StopPoint.Drained) {
        throw new IllegalStateException(e);
      }
      assertThat(e).hasStackTraceContaining("planned stop");
    } finally {
      conf.keySet().forEach(spark.conf()::unset);
    }
  }

  private static UDF1<Object, Boolean> dyingIn(long batch) {
    return value -> {
      String current = TaskContext.get().getLocalProperty("streaming.sql.batchId");
      if (Long.toString(batch).equals(current)) {
        throw new IllegalStateException(PLANNED_STOP);
      }
      return true;
    };
  }

  /**
   * Applies a plan of one stream.
   *
   * @param stream the stream's keys; the first two arguments are its checkpoint's places
   * @return the new checkpoint
   */
  private Path apply(String stream, Path checkpoint, Object... more) throws IOException {
    Path plan = Files.createTempDirectory(directory, "plan").resolve("plan.yaml");
    Path target = plan.resolveSibling("new");
    Object[] arguments =
        Stream.concat(Stream.of(checkpoint, target), Stream.of(more)).toArray(Object[]::new);
    Files.writeString(
        plan,
        "version: 1\nname: restart\nstreams:\n  -\n" + stream.formatted(arguments).indent(4),
        UTF_8);
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(text, true, UTF_8);
    int exit = Cli.run(List.of("apply", plan.toString()), out, out, CliContext.ofProcess());
    assertThat(exit).as(text.toString(UTF_8)).isZero();
    return target;
  }

  private Path copy(Path from, String name) throws IOException {
    Path to = directory.resolve(name);
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(from.relativize(file).toString()));
      }
    }
    return to;
  }

  /** Makes a table one that never heard of a query's batches, as a clone is. */
  private static void forgetTransactions(Path table) throws IOException {
    try (Stream<Path> files = Files.list(table.resolve("_delta_log"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        if (file.toString().endsWith(".crc")) {
          Files.delete(file);
        } else {
          List<String> kept =
              Files.readAllLines(file).stream()
                  .filter(line -> !line.startsWith("{\"txn\":"))
                  .toList();
          Files.write(file, kept);
        }
      }
    }
  }

  private static void writeFiles(Path input, int from, int to) throws IOException {
    for (int i = from; i < to; i++) {
      Path file = input.resolve("rows %20 " + i + ".json");
      if (!Files.exists(file)) {
        Files.writeString(file, "{\"id\":%d}\n{\"id\":%d}\n".formatted(2 * i, 2 * i + 1));
      }
    }
  }

  private static TreeSet<Long> batches(Path checkpoint, String log) throws IOException {
    return numbers(checkpoint.resolve(log), "[0-9]+");
  }

  private static TreeSet<Long> stateVersions(Path checkpoint) throws IOException {
    return numbers(checkpoint.resolve("state/0/0"), "[0-9]+\\.(delta|snapshot|zip|changelog)");
  }

  private static TreeSet<Long> numbers(Path in, String pattern) throws IOException {
    TreeSet<Long> numbers = new TreeSet<>();
    try (Stream<Path> files = Files.list(in)) {
      files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.matches(pattern))
          .forEach(name -> numbers.add(Long.valueOf(name.replaceFirst("\\..*", ""))));
    }
    return numbers;
  }

  private static List<Path> stateFiles(Path checkpoint, long version) throws IOException {
    try (Stream<Path> files = Files.walk(checkpoint.resolve("state"))) {
      return files.filter(file -> file.getFileName().toString().startsWith(version + ".")).toList();
    }
  }
}
