package org.streammigrator.jobs.relocation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.sum;
import static org.apache.spark.sql.functions.window;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delta.tables.DeltaTable;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.streaming.state.StateStore$;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.streammigrator.cli.Cli;
import org.streammigrator.cli.CliContext;
import org.streammigrator.jobs.demo.DemoLake;
import org.streammigrator.jobs.demo.DemoScene;
import org.streammigrator.jobs.session.LocalSpark;

/**
 * A windowed stream that has snapshots of its state goes back to a batch before one of them, cuts
 * its batches anew, stops in the middle and starts again. Rewound, every total is that of a
 * recomputation; with the later state files left in place, Spark loads one of them and the totals
 * are wrong without an error.
 */
@Tag("spark")
class RewoundWindowsTest {
  private static final int COMMITS = 3;
  private static final String INTERVAL = "spark.sql.streaming.stateStore.maintenanceInterval";
  private static final String DELTAS = "spark.sql.streaming.stateStore.minDeltasForSnapshot";

  @TempDir static Path shared;
  private static SparkSession spark;
  private static DemoLake lake;
  @TempDir private Path directory;

  @BeforeAll
  static void writeLake() {
    spark = LocalSpark.open("tests", DemoScene.SESSION);
    lake = DemoLake.at(shared.resolve("lake"));
    lake.write(spark, 0, COMMITS);
    // Another test's maintenance goes on at its own pace.
    StateStore$.MODULE$.stop();
    spark.conf().set(INTERVAL, "20ms");
  }

  @AfterAll
  static void slowDown() {
    spark.conf().unset(INTERVAL);
    StateStore$.MODULE$.stop();
  }

  /** RocksDB only with {@code -Psoak}: it is a minute of two processors. */
  static Stream<Arguments> stores() {
    Arguments hdfs = Arguments.of("HDFSBackedStateStoreProvider", ".snapshot");
    return System.getProperty("soak") == null
        ? Stream.of(hdfs)
        : Stream.of(hdfs, Arguments.of("RocksDBStateStoreProvider", ".zip"));
  }

  @ParameterizedTest
  @MethodSource("stores")
  void totalsAreThoseOfTheRecomputation(String provider, String snapshot) throws Exception {
    Map<String, String> conf =
        Map.of(
            "spark.sql.streaming.stateStore.providerClass",
            "org.apache.spark.sql.execution.streaming.state." + provider,
            "spark.sql.streaming.stateStore.rocksdb.changelogCheckpointing.enabled",
            "true");
    conf.forEach(spark.conf()::set);
    try {
      goBack(snapshot);
    } finally {
      conf.keySet().forEach(spark.conf()::unset);
    }
  }

  private void goBack(String snapshot) throws Exception {
    Path old = directory.resolve("old");
    Path sink = directory.resolve("sink");
    spark.conf().set(DELTAS, "1");
    windows(orders(1))
        .writeStream()
        .format("delta")
        .option("checkpointLocation", old.toString())
        .trigger(Trigger.AvailableNow())
        .start(sink.toString())
        .awaitTermination();
    // The new run makes none so soon that it would take the place of an abandoned one.
    spark.conf().unset(DELTAS);
    // The version after that of the batch gone back to has a snapshot of the abandoned run.
    long stale = versions(old, snapshot).tailSet(4L).first();
    long batch = stale - 2;
    assertThat(stale).as("files are left for two batches").isLessThanOrEqualTo(9);

    String keys = "sink: {delta: sink, keys: [window_start, product]}\nbatch: " + batch;
    assertThat(migrator(3, "plan", keys)).contains("SINK_BATCHES_SKIPPED");
    migrator(0, "apply", keys + "\nidentity: new");
    Path rewound = directory.resolve("new");
    assertThat(versions(rewound, "")).last().isEqualTo(batch + 1);
    List<Row> before = read(sink).collectAsList();

    goOn(rewound, batch, rows -> merge(rows, sink));

    List<String> all = rows(windows(read(lake.rawOrders())).collectAsList());
    assertThat(withOpen(read(sink).collectAsList(), rewound)).isEqualTo(all);
    // It is as with RocksDB's; one of them is enough for a default build.
    if (snapshot.equals(".snapshot")) {
      Path naive = naive(old, batch);
      assertThat(versions(naive, snapshot)).contains(stale);
      TreeMap<String, Row> naively = new TreeMap<>();
      Sink upserting = rows -> rows.forEach(row -> naively.put(row.get(0) + " " + row.get(2), row));
      upserting.take(before);
      goOn(naive, batch, upserting);
      assertThat(withOpen(naively.values(), naive)).as("without an error").isNotEqualTo(all);
    }
    migrator(0, "prove", keys + "\nidentity: new");
  }

  /** Takes the rows of a batch. */
  private interface Sink {
    void take(List<Row> rows);
  }

  /** Runs the query with other batches, lets it die in the second one, and runs it on. */
  private static void goOn(Path checkpoint, long batch, Sink sink) throws Exception {
    assertThatThrownBy(() -> run(checkpoint, batch + 2, sink))
        .hasStackTraceContaining("planned stop");
    run(checkpoint, Long.MAX_VALUE, sink);
  }

  private static void run(Path checkpoint, long dyingIn, Sink sink) throws Exception {
    windows(orders(3))
        .writeStream()
        .foreachBatch(
            (rows, number) -> {
              List<Row> own = rows.collectAsList();
              if (number == dyingIn) {
                throw new IllegalStateException("planned stop");
              }
              sink.take(own);
            })
        .option("checkpointLocation", checkpoint.toString())
        .trigger(Trigger.AvailableNow())
        .start()
        .awaitTermination();
  }

  private static void merge(List<Row> rows, Path sink) {
    if (rows.isEmpty()) {
      return;
    }
    DeltaTable.forPath(spark, sink.toString())
        .as("t")
        .merge(
            spark.createDataFrame(rows, read(sink).schema()).as("s"),
            "t.window_start = s.window_start and t.product = s.product")
        .whenMatched()
        .updateAll()
        .whenNotMatched()
        .insertAll()
        .execute();
  }

  /** The windows that were written, and those that are still open. */
  private static List<String> withOpen(Collection<Row> written, Path checkpoint) {
    List<Row> all = new ArrayList<>(written);
    all.addAll(
        spark
            .read()
            .format("statestore")
            .load(checkpoint.toString())
            .select("key.window.start", "key.window.end", "key.product", "value.*")
            .collectAsList());
    return rows(all);
  }

  /** What deleting the later plans and commits alone comes to, with another id. */
  private Path naive(Path old, long batch) throws IOException {
    Path naive = directory.resolve("naive");
    FileUtils.copyDirectory(old.toFile(), naive.toFile());
    for (String log : List.of("offsets", "commits")) {
      try (Stream<Path> files = Files.list(naive.resolve(log))) {
        for (Path file : files.toList()) {
          String number = file.getFileName().toString().replaceAll("^\\.|\\.crc$", "");
          if (Long.parseLong(number) > batch) {
            Files.delete(file);
          }
        }
      }
    }
    Files.deleteIfExists(naive.resolve(".metadata.crc"));
    Files.copy(
        directory.resolve("new/metadata"),
        naive.resolve("metadata"),
        StandardCopyOption.REPLACE_EXISTING);
    return naive;
  }

  private String migrator(int exit, String command, String lines) throws IOException {
    Path plan =
        Files.writeString(
            directory.resolve("plan.yaml"),
            """
            version: 1
            name: back
            streams:
              - name: windows
                strategy: rewind
                checkpoint: {from: old, to: new}
                sources: [{delta: %s}]
            """
                    .formatted(lake.rawOrders())
                + lines.indent(4));
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(text, true, UTF_8);
    int code = Cli.run(List.of(command, plan.toString()), out, out, CliContext.ofProcess());
    assertThat(code).as(text.toString(UTF_8)).isEqualTo(exit);
    return text.toString(UTF_8);
  }

  private static Dataset<Row> orders(int filesPerBatch) {
    return spark
        .readStream()
        .format("delta")
        .option("startingVersion", "0")
        .option("maxFilesPerTrigger", Integer.toString(filesPerBatch))
        .load(lake.rawOrders().toString());
  }

  private static Dataset<Row> read(Path table) {
    return spark.read().format("delta").load(table.toString());
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

  private static List<String> rows(Collection<Row> rows) {
    return rows.stream().map(Row::toString).sorted().toList();
  }

  /** The versions of the state of which every partition has a file of that ending. */
  private static TreeSet<Long> versions(Path checkpoint, String ending) throws IOException {
    TreeSet<Long> versions = new TreeSet<>();
    for (int partition = 0; partition < 2; partition++) {
      TreeSet<Long> own = new TreeSet<>();
      try (Stream<Path> files = Files.list(checkpoint.resolve("state/0/" + partition))) {
        files
            .map(file -> file.getFileName().toString())
            .filter(name -> name.matches("[0-9]+\\.[a-z]+") && name.endsWith(ending))
            .forEach(name -> own.add(Long.parseLong(name.replaceAll("\\..*", ""))));
      }
      if (partition == 0) {
        versions.addAll(own);
      } else {
        versions.retainAll(own);
      }
    }
    return versions;
  }
}
