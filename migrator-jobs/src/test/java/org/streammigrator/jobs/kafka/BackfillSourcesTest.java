package org.streammigrator.jobs.kafka;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.expr;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.sum;
import static org.apache.spark.sql.functions.window;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.StreamingQueryProgress;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.streammigrator.jobs.MigratorRun;
import org.streammigrator.jobs.demo.DemoScene;
import org.streammigrator.jobs.session.LocalSpark;

/**
 * The strategy backfill from end to end where the query reads a topic, or files. Six batches of
 * three events, written by hand: after the third the query is moved to one with one aggregate more.
 * Amounts are powers of two, so that a total tells of which events it is.
 */
@Tag("spark")
class BackfillSourcesTest {
  /** Windows of five minutes, and a delay of four. */
  private static final List<List<String>> BATCHES =
      List.of(
          List.of("a,1,00:30", "b,2,01:00", "a,4,03:00"),
          List.of("a,8,06:00", "b,16,04:30", "a,32,07:00"),
          // The watermark is at 7 minutes when the old query stops.
          List.of("b,64,09:00", "a,128,04:00", "a,256,11:00"),
          List.of("a,512,13:00", "b,1024,08:00", "a,2048,16:00"),
          // The watermark that batch 5 goes by is 12 minutes, so that the last batch drops 09:30.
          List.of("b,4096,10:30", "a,8192,12:30", "a,16384,21:00"),
          List.of("b,32768,14:00", "b,65536,09:30", "a,131072,26:00"));

  private static final int OLD = 3;

  @TempDir private Path directory;
  private static SparkSession spark;

  @BeforeAll
  static void open() {
    spark = LocalSpark.open("tests", DemoScene.SESSION);
  }

  /** How events get to the query, and how a plan speaks of that. */
  private interface Feed {
    void deliver(int batch) throws IOException;

    Dataset<Row> stream();

    /** The source in the plan. */
    String source();

    /** What the plan's SQL reads: columns product, amount and at. */
    String from();
  }

  @Test
  void topic() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start(directory)) {
      kafka.create("clicks", 2);
      String columns =
          "split(cast(value as string), ',')[0] as product,"
              + " cast(split(cast(value as string), ',')[1] as bigint) as amount,"
              + " cast(split(cast(value as string), ',')[2] as timestamp) as at";
      migrate(
          new Feed() {
            @Override
            public void deliver(int batch) {
              kafka.send(
                  "clicks",
                  0,
                  BATCHES.get(batch).stream()
                      .map(event -> String.join(",", parts(event)))
                      .toList());
            }

            @Override
            public Dataset<Row> stream() {
              return spark
                  .readStream()
                  .format("kafka")
                  .option("kafka.bootstrap.servers", kafka.bootstrapServers())
                  .option("subscribe", "clicks")
                  .option("startingOffsets", "earliest")
                  .option("maxOffsetsPerTrigger", 3)
                  .load()
                  .selectExpr("explode(array(struct(" + columns + "))) as event")
                  .select("event.*");
            }

            @Override
            public String source() {
              return "kafka: \"%s\", topic: clicks, eventTime: \"%s\""
                  .formatted(
                      kafka.bootstrapServers(),
                      "cast(split(cast(value as string), ',')[2] as timestamp)");
            }

            @Override
            public String from() {
              return "(select " + columns + " from clicks)";
            }
          });
    }
  }

  @Test
  void files() throws Exception {
    Path input = Files.createDirectories(directory.resolve("in"));
    String schema = "product string, amount bigint, at timestamp";
    Feed feed =
        new Feed() {
          @Override
          public void deliver(int batch) throws IOException {
            List<String> lines =
                BATCHES.get(batch).stream()
                    .map(BackfillSourcesTest::parts)
                    .map(
                        parts ->
                            "{\"product\":\"%s\",\"amount\":%s,\"at\":\"%s\"}"
                                .formatted((Object[]) parts))
                    .toList();
            Path file = Files.write(input.resolve("batch [" + batch + "].json"), lines);
            // A file source takes files in the order of their times.
            Files.setLastModifiedTime(
                file, FileTime.from(Instant.parse("2026-03-27T12:00:00Z").plusSeconds(batch)));
          }

          @Override
          public Dataset<Row> stream() {
            return spark
                .readStream()
                .schema(schema)
                .option("maxFilesPerTrigger", 1)
                .json(input.toString());
          }

          @Override
          public String source() {
            return "files: in, name: events, eventTime: at, options: {format: json, schema: \""
                + schema
                + "\"}";
          }

          @Override
          public String from() {
            return "events";
          }
        };
    assertThat(dropped(migrate(feed)))
        .as("what one uninterrupted stream drops is what the job has counted")
        .isEqualTo(1);
  }

  /** How many events a stream drops that reads all batches. */
  private long dropped(Feed feed) throws Exception {
    StreamingQuery query =
        start(feed, lit(true), directory.resolve("whole-chk"), directory.resolve("whole"));
    return Arrays.stream(query.recentProgress())
        .map(StreamingQueryProgress::stateOperators)
        .flatMap(Arrays::stream)
        .mapToLong(state -> state.numRowsDroppedByWatermark())
        .sum();
  }

  private Feed migrate(Feed feed) throws Exception {
    String gold = directory.resolve("gold").toString();
    spark.sql(
        "create table delta.`%s` (ws timestamp, product string, total bigint, n bigint) using delta"
            .formatted(gold));
    for (int batch = 0; batch < OLD; batch++) {
      feed.deliver(batch);
    }
    windows(feed)
        .drop("n")
        .writeStream()
        .format("delta")
        .option("checkpointLocation", directory.resolve("v1").toString())
        .trigger(Trigger.AvailableNow())
        .start(gold)
        .awaitTermination();
    String closed = "00:00 a 133 null, 00:00 b 18 null";
    assertThat(rows(gold)).isEqualTo(closed);
    String plan =
        Files.writeString(
                directory.resolve("plan.yaml"),
                """
                version: 1
                name: windows
                streams:
                  - name: windows
                    strategy: backfill
                    checkpoint: {from: v1, to: v2}
                    sources: [{%s}]
                    sink: {delta: gold, keys: [ws, product]}
                    backfill:
                      window: {column: ws, size: 5m}
                      sql: "select window(at, '5 minutes').start as ws, product,
                        sum(amount) as total, count(*) as n from %s group by 1, 2"
                """
                    .formatted(feed.source(), feed.from()))
            .toString();

    String guard = "window.start >= timestamp '2026-03-27T10:15:00Z'";
    assertThat(MigratorRun.of(spark, 7, "apply", plan))
        .contains("3 rows of windows from 4 records: 3 inserted", "run it with the guard " + guard);
    assertThat(rows(gold)).isEqualTo(closed + ", 05:00 a 40 2, 05:00 b 64 1, 10:00 a 256 1");

    for (int batch = OLD; batch < BATCHES.size(); batch++) {
      feed.deliver(batch);
    }
    start(feed, expr(guard), directory.resolve("v2"), Path.of(gold));
    assertThat(MigratorRun.of(spark, 0, "apply", plan))
        .contains("they hold 1 event that came later than the delay");
    assertThat(rows(gold))
        .isEqualTo(
            closed
                + ", 05:00 a 40 2, 05:00 b 66624 3, 10:00 a 8960 3, 10:00 b 36864 2"
                + ", 15:00 a 2048 1");
    MigratorRun.of(spark, 0, "prove", plan);
    return feed;
  }

  /** Runs the new query until it has read everything. */
  private StreamingQuery start(Feed feed, Column guard, Path checkpoint, Path table)
      throws Exception {
    StreamingQuery query =
        windows(feed)
            .withColumn("window", expr("struct(ws as start)"))
            .where(guard)
            .drop("window")
            .writeStream()
            .format("delta")
            .option("checkpointLocation", checkpoint.toString())
            .trigger(Trigger.AvailableNow())
            .start(table.toString());
    query.awaitTermination();
    return query;
  }

  private static Dataset<Row> windows(Feed feed) {
    return feed.stream()
        .withWatermark("at", "4 minutes")
        .groupBy(window(col("at"), "5 minutes"), col("product"))
        .agg(sum("amount").as("total"), count(lit(1)).as("n"))
        .select(col("window.start").as("ws"), col("product"), col("total"), col("n"));
  }

  /** Product, amount and event time of an event. */
  private static String[] parts(String event) {
    String[] parts = event.split(",");
    parts[2] = "2026-03-27T10:" + parts[2] + "Z";
    return parts;
  }

  private static String rows(String table) {
    return String.join(
        ", ",
        spark
            .read()
            .format("delta")
            .load(table)
            .orderBy("ws", "product")
            .selectExpr(
                "concat_ws(' ', date_format(ws, 'mm:ss'), product, total, ifnull(string(n), 'null'))")
            .collectAsList()
            .stream()
            .map(row -> row.getString(0))
            .toList());
  }
}
