package org.streammigrator.jobs.versions;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.max;
import static org.apache.spark.sql.functions.sum;
import static org.apache.spark.sql.functions.window;

import io.delta.tables.DeltaTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.spark.api.java.function.VoidFunction2;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.DataStreamWriter;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.Trigger;
import org.streammigrator.jobs.session.LocalSpark;

/**
 * A process that runs streams, one after the other, on the version of Spark that is on its class
 * path. Compiled for each of them, so that it may name nothing but Spark, Delta, {@link LocalSpark}
 * and {@link VersionEvents}.
 *
 * <p>Its argument is a file of tasks, one a line, words parted by blanks:
 *
 * <pre>
 * append SOURCE FROM TO                        writes commits of events
 * run NAME KIND CODE SINK-MODE CHECKPOINT SOURCE SINK   drains a stream
 * stop NAME KIND CODE SINK-MODE CHECKPOINT SOURCE SINK  stops it within the source
 * rows SINK FILE                               writes a table's rows as text, sorted
 * </pre>
 *
 * <p>Beside that file it writes another one, {@code .results}: for each stream its name and {@code
 * ok}, or what it failed with.
 */
public final class VersionStreams {
  private static final String STATE = "org.apache.spark.sql.execution.streaming.state.";
  private static final long PATIENCE_MS = 120_000;

  private final SparkSession spark;
  private final Path results;

  private VersionStreams(SparkSession spark, Path results) {
    this.spark = spark;
    this.results = results;
  }

  /** Runs the tasks of a file. */
  public static void main(String[] arguments) throws Exception {
    Path tasks = Path.of(arguments[0]);
    SparkSession spark =
        LocalSpark.open(
            "versions",
            Map.of(
                "spark.sql.warehouse.dir", tasks.resolveSibling("warehouse").toString(),
                "spark.databricks.delta.snapshotPartitions", "1",
                "spark.sql.streaming.stateStore.maintenanceInterval", "100ms",
                "spark.sql.streaming.stateStore.minDeltasForSnapshot", "3"));
    VersionStreams streams =
        new VersionStreams(spark, tasks.resolveSibling(tasks.getFileName() + ".results"));
    for (String task : Files.readAllLines(tasks)) {
      streams.perform(task.split(" "));
    }
    spark.stop();
  }

  private void perform(String[] words) throws Exception {
    switch (words[0]) {
      case "append":
        for (int commit = Integer.parseInt(words[2]);
            commit < Integer.parseInt(words[3]);
            commit++) {
          append(words[1], commit);
        }
        break;
      case "rows":
        Files.write(Path.of(words[2]), rows(words[1]));
        break;
      default:
        String outcome;
        try {
          stream(words);
          outcome = "ok";
        } catch (Exception failed) {
          failed.printStackTrace();
          outcome = reason(failed);
        }
        note(words[1] + " " + outcome);
    }
  }

  private void note(String line) throws IOException {
    Files.writeString(results, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private static String reason(Throwable failed) {
    Throwable deepest = failed;
    while (deepest.getCause() != null) {
      deepest = deepest.getCause();
    }
    return (deepest.getClass().getSimpleName() + ": " + deepest.getMessage())
        .replaceAll("\\s+", " ");
  }

  private void append(String table, int commit) {
    List<Row> events = new ArrayList<>();
    for (VersionEvents.Event event : VersionEvents.of(commit, commit + 1)) {
      events.add(RowFactory.create(event.id, event.key, new Timestamp(event.at), event.amount));
    }
    spark
        .createDataFrame(
            events,
            spark.sql("select 1L as id, '' as k, current_timestamp() as at, 1L as amount").schema())
        .repartitionByRange(VersionEvents.FILES, col("id"))
        .write()
        .format("delta")
        .mode("append")
        .save(table);
  }

  private List<String> rows(String table) {
    Dataset<Row> rows = spark.read().format("delta").load(table);
    Dataset<Row> texts =
        List.of(rows.columns()).contains("ws")
            ? rows.selectExpr(
                "concat(unix_millis(ws), '|', k, '|', total, '|', coalesce(cast(top as string), 'none')) as text")
            : rows.selectExpr("concat(id, '|', k, '|', amount) as text");
    return texts.as(Encoders.STRING()).collectAsList().stream()
        .sorted()
        .collect(Collectors.toList());
  }

  private void stream(String[] words) throws Exception {
    String kind = words[2];
    boolean isNew = words[3].equals("new");
    boolean merges = words[4].equals("merge");
    configure(kind);
    Dataset<Row> source =
        spark
            .readStream()
            .format("delta")
            .option("startingVersion", 0)
            .option("maxFilesPerTrigger", kind.equals("stateless") ? 2 : 2 * VersionEvents.FILES)
            .load(words[6]);
    Dataset<Row> query =
        kind.equals("stateless") ? source.select("id", "k", "amount") : windows(source, isNew);
    String sink = words[7];
    DataStreamWriter<Row> writer =
        query.writeStream().outputMode("append").option("checkpointLocation", words[5]);
    if (merges) {
      String keys = kind.equals("stateless") ? "t.id = s.id" : "t.ws = s.ws and t.k = s.k";
      writer =
          writer.foreachBatch(
              (VoidFunction2<Dataset<Row>, Long>)
                  (rows, number) ->
                      DeltaTable.forPath(rows.sparkSession(), sink)
                          .as("t")
                          .merge(rows.as("s"), keys)
                          .whenMatched()
                          .updateAll()
                          .whenNotMatched()
                          .insertAll()
                          .execute());
    } else {
      writer = writer.format("delta").option("path", sink);
    }
    if (words[0].equals("stop")) {
      stopped(writer.start());
      return;
    }
    writer.trigger(Trigger.AvailableNow()).start().awaitTermination();
  }

  /** Stops a stream at some moment after its third batch. */
  private static void stopped(StreamingQuery query) throws Exception {
    long limit = System.currentTimeMillis() + PATIENCE_MS;
    while (query.isActive()
        && (query.lastProgress() == null || query.lastProgress().batchId() < 2)
        && System.currentTimeMillis() < limit) {
      Thread.sleep(1);
    }
    query.stop();
  }

  private void configure(String kind) {
    boolean isRocksDb = kind.startsWith("rocksdb");
    spark
        .conf()
        .set(
            "spark.sql.streaming.stateStore.providerClass",
            STATE + (isRocksDb ? "RocksDBStateStoreProvider" : "HDFSBackedStateStoreProvider"));
    spark
        .conf()
        .set(
            "spark.sql.streaming.stateStore.rocksdb.changelogCheckpointing.enabled",
            Boolean.toString(isRocksDb && !kind.equals("rocksdb")));
    if (kind.equals("rocksdb-format2")) {
      spark.conf().set("spark.sql.streaming.stateStore.checkpointFormatVersion", "2");
    } else {
      spark.conf().unset("spark.sql.streaming.stateStore.checkpointFormatVersion");
    }
  }

  /** The new query has one aggregate more, so that its state is another. */
  private static Dataset<Row> windows(Dataset<Row> source, boolean isNew) {
    var grouped =
        source
            .withWatermark("at", VersionEvents.DELAY_MS + " milliseconds")
            .groupBy(window(col("at"), VersionEvents.WINDOW_MS / 1000 + " seconds"), col("k"));
    return (isNew
            ? grouped.agg(sum("amount").as("total"), count(lit(1)).as("n"), max("amount").as("top"))
            : grouped
                .agg(sum("amount").as("total"), count(lit(1)).as("n"))
                .withColumn("top", lit(null).cast("long")))
        .select(col("window.start").as("ws"), col("k"), col("total"), col("n"), col("top"));
  }
}
