package org.streammigrator.jobs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.expr;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.window;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.StreamingQueryException;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.streammigrator.cli.Cli;
import org.streammigrator.cli.CliContext;
import org.streammigrator.job.SparkJvm;
import org.streammigrator.jobs.demo.DemoLake;
import org.streammigrator.jobs.demo.DemoScene;
import org.streammigrator.jobs.session.LocalSpark;

/**
 * Real streams that go on after a rollback, and after a rollback forward: the sink holds each row
 * of the source once. And what Spark does with a checkpoint that is half there.
 */
@Tag("spark")
class RollbackRestartTest {
  private static SparkSession spark;

  @TempDir private Path directory;
  private DemoLake lake;

  @BeforeAll
  static void start() {
    spark = LocalSpark.open("tests", DemoScene.SESSION);
  }

  @BeforeEach
  void writeSource() {
    lake = DemoLake.at(directory.resolve("lake"));
    lake.write(spark, 0, 2);
  }

  @Test
  void theOldQueryGoesOnAfterARollback() throws Exception {
    run(rows(), "old");
    lake.write(spark, 2, 3);
    plan("relocate");
    migrator("apply");
    migrator("rollback");
    assertThat(directory.resolve("new")).doesNotExist();
    run(rows(), "old");
    assertThat(sink()).isEqualTo(expected());
  }

  @Test
  void theOldCodeGoesOnWhereTheNewOneStood() throws Exception {
    run(rows(), "old");
    plan("seed");
    migrator("apply");
    lake.write(spark, 2, 3);
    run(rows().withColumn("large", expr("amount_cents > 10000")), "new");
    lake.write(spark, 3, 4);
    migrator("rollback", "--forward");
    run(rows(), "old_forward");
    assertThat(sink()).isEqualTo(expected());
  }

  @Test
  void stateComesBackWithTheOldCode() throws Exception {
    run(windows(stream()), "old");
    plan("relocate");
    migrator("apply");
    lake.write(spark, 2, 3);
    run(windows(stream()), "new");
    lake.write(spark, 3, 4);
    migrator("rollback", "--forward");
    run(windows(stream()), "old_forward");
    Dataset<Row> source = spark.read().format("delta").load(lake.rawOrders().toString());
    String newest = source.selectExpr("max(event_time)").first().get(0).toString();
    assertThat(sink())
        .isEqualTo(
            texts(
                windows(source)
                    .where(
                        "window_end <= date_trunc('millisecond', timestamp'%s') - interval 10 minutes"
                            .formatted(newest))))
        .isNotEmpty();
  }

  /** A real query goes on from the scratch copy, and production has not noticed. */
  @Test
  void theNewQueryIsRehearsedFromAScratchCopy() throws Exception {
    run(rows(), "old");
    List<String> before = sink();
    lake.write(spark, 2, 3);
    plan("relocate");
    List<String> command =
        new SparkJvm(
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                List.of(
                    "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
                    "--add-opens=java.base/java.nio=ALL-UNNAMED",
                    "--add-opens=java.base/java.lang=ALL-UNNAMED",
                    "--add-opens=java.base/java.util=ALL-UNNAMED",
                    "--add-opens=java.base/java.lang.invoke=ALL-UNNAMED",
                    "--add-opens=java.base/sun.security.action=ALL-UNNAMED",
                    "-Xmx1g",
                    "-XX:TieredStopAtLevel=1",
                    "-XX:+UseSerialGC"))
            .command(
                directory.resolve("java.args"),
                RehearsedOrders.class.getName(),
                List.of(lake.rawOrders().toString()));
    Files.writeString(
        directory.resolve("plan.yaml"),
        "    rehearse: {command: ['" + String.join("', '", command) + "'], scratch: scratch}\n",
        StandardOpenOption.APPEND);
    migrator("rehearse", "--keep", "--timeout", "2m");
    assertThat(sink()).isEqualTo(before);
    assertThat(directory.resolve("new")).doesNotExist();
    Path scratch;
    try (Stream<Path> places = Files.list(directory.resolve("scratch"))) {
      scratch = places.findFirst().orElseThrow();
    }
    // Going on from where it was ended: old and scratch sink together hold each row once.
    run(rows(), scratch.resolve("checkpoint").toString(), scratch.resolve("sink").toString());
    List<String> all = new ArrayList<>(before);
    all.addAll(texts(spark.read().format("delta").load(scratch.resolve("sink").toString())));
    assertThat(all.stream().sorted().toList())
        .isEqualTo(expected())
        .hasSizeGreaterThan(before.size());
  }

  /** Why {@code metadata} and {@code offsets/L} are written first and {@code offsets/L-1} last. */
  @Test
  void aCheckpointWithoutItsLastFileDoesNotStart() throws Exception {
    run(rows(), "old");
    lake.write(spark, 2, 3);
    run(rows(), "old");
    Path whole = directory.resolve("old");
    assertThat(whole.resolve("offsets/1")).exists();
    long newest = 1;
    while (Files.exists(whole.resolve("offsets/" + (newest + 1)))) {
      newest++;
    }

    Files.createDirectories(directory.resolve("begun"));
    Files.copy(whole.resolve("metadata"), directory.resolve("begun/metadata"));
    run(rows(), "begun", "other-sink");
    assertThat(texts(spark.read().format("delta").load(directory.resolve("other-sink").toString())))
        .as("with metadata alone a query begins at its beginning")
        .isEqualTo(expected());

    Path half = copy(whole, "half");
    Path last = half.resolve("offsets/" + (newest - 1));
    Files.delete(last);
    Files.deleteIfExists(last.resolveSibling("." + (newest - 1) + ".crc"));
    lake.write(spark, 3, 4);
    assertThatThrownBy(() -> run(rows(), "half")).isInstanceOf(StreamingQueryException.class);
    Files.copy(whole.resolve("offsets/" + (newest - 1)), last);
    run(rows(), "half");
    assertThat(sink()).isEqualTo(expected());
  }

  private Dataset<Row> stream() {
    return spark
        .readStream()
        .format("delta")
        .option("startingVersion", "0")
        .option("maxFilesPerTrigger", "7")
        .load(lake.rawOrders().toString());
  }

  private Dataset<Row> rows() {
    return narrow(stream());
  }

  private static Dataset<Row> narrow(Dataset<Row> orders) {
    return orders.select(col("order_id").as("id"), col("product"), col("amount_cents"));
  }

  private static Dataset<Row> windows(Dataset<Row> orders) {
    Dataset<Row> timed =
        orders.isStreaming() ? orders.withWatermark("event_time", "10 minutes") : orders;
    return timed
        .groupBy(window(col("event_time"), "5 minutes"), col("product"))
        .agg(count(lit(1)).as("orders"))
        .select(
            col("window.start").as("window_start"),
            col("window.end").as("window_end"),
            col("product"),
            col("orders"));
  }

  private void run(Dataset<Row> rows, String checkpoint) throws Exception {
    run(rows, checkpoint, "sink");
  }

  /** Runs a query until it has read everything. */
  private void run(Dataset<Row> rows, String checkpoint, String sink) throws Exception {
    rows.writeStream()
        .format("delta")
        .outputMode("append")
        .option("checkpointLocation", directory.resolve(checkpoint).toString())
        .option("mergeSchema", "true")
        .trigger(Trigger.AvailableNow())
        .start(directory.resolve(sink).toString())
        .awaitTermination();
  }

  private void plan(String strategy) throws IOException {
    Files.writeString(
        directory.resolve("plan.yaml"),
        """
        version: 1
        name: p
        streams:
          - name: s
            strategy: %s
            checkpoint: {from: old, to: new}
            sources: [{delta: lake/raw/orders}]
            sink: {delta: sink}
        """
            .formatted(strategy));
  }

  private void migrator(String command, String... more) {
    List<String> line = new ArrayList<>(List.of(command, "plan.yaml"));
    line.addAll(List.of(more));
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(text, true, UTF_8);
    int exit = Cli.run(line, out, out, CliContext.ofProcess().withDirectory(directory));
    assertThat(exit).as(text.toString(UTF_8)).isZero();
  }

  /** The rows of the sink, as often as they are there; a column of the new code is left out. */
  private List<String> sink() {
    Dataset<Row> sink = spark.read().format("delta").load(directory.resolve("sink").toString());
    return texts(sink.drop("large"));
  }

  private List<String> expected() {
    return texts(narrow(spark.read().format("delta").load(lake.rawOrders().toString())));
  }

  private static List<String> texts(Dataset<Row> rows) {
    return rows.collectAsList().stream().map(Row::toString).sorted().toList();
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
}
