package org.streammigrator.jobs.kafka;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.max;
import static org.apache.spark.sql.functions.sum;
import static org.apache.spark.sql.functions.window;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.streammigrator.jobs.MigratorRun;
import org.streammigrator.jobs.demo.DemoScene;
import org.streammigrator.jobs.session.LocalSpark;

/**
 * The strategy replay from end to end where the query reads a topic, or files: batches of three
 * events, written by hand. After the fifth the query gets one aggregate more. Every record is
 * stamped, and every file written, half a minute after its newest event.
 */
@Tag("spark")
class ReplaySourcesTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** Windows of five minutes, and a delay of four: the old query stops at a watermark of 17:00. */
  private static final List<List<String>> BATCHES =
      List.of(
          List.of("a,1,00:30", "b,2,01:00", "a,4,03:00"),
          List.of("a,8,06:00", "b,16,04:30", "a,32,07:00"),
          List.of("b,64,09:00", "a,128,08:00", "a,256,11:00"),
          List.of("a,512,13:00", "b,1024,12:30", "a,2048,16:00"),
          List.of("b,4096,18:00", "a,8192,17:30", "a,16384,21:00"),
          List.of("b,32768,19:00", "b,65536,16:30", "a,131072,31:00"));

  private static final int OLD = 5;

  @TempDir private Path directory;
  private static SparkSession spark;

  @BeforeAll
  static void open() {
    spark = LocalSpark.open("tests", DemoScene.SESSION);
  }

  /** How events get to the query, and how a plan speaks of that. */
  private interface Feed {
    void deliver(int batch) throws IOException;

    /** Columns product, amount and at. */
    Dataset<Row> stream();

    String source();
  }

  @Test
  void topic() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start(directory)) {
      kafka.create("clicks", 2);
      JsonNode start =
          migrate(
              new Feed() {
                @Override
                public void deliver(int batch) {
                  for (String event : BATCHES.get(batch)) {
                    long time = time(event).toEpochMilli();
                    kafka.sendAt("clicks", 0, time + 30_000, event);
                  }
                }

                @Override
                public Dataset<Row> stream() {
                  return events(
                      spark
                          .readStream()
                          .format("kafka")
                          .option("kafka.bootstrap.servers", kafka.bootstrapServers())
                          .option("subscribe", "clicks")
                          .option("startingOffsets", "earliest")
                          .option("maxOffsetsPerTrigger", 3)
                          .load()
                          .selectExpr("cast(value as string) as value"));
                }

                @Override
                public String source() {
                  return "kafka: \"%s\", topic: clicks".formatted(kafka.bootstrapServers());
                }
              });
      assertThat(start.path("from"))
          .as("the first record that is stamped at 12:00 or later")
          .isEqualTo(MAPPER.readTree("{\"clicks\":{\"0\":9,\"1\":0}}"));
      assertThat(start.path("records").asLong()).isEqualTo(6);
    }
  }

  @Test
  void files() throws Exception {
    Path input = Files.createDirectories(directory.resolve("in"));
    JsonNode start =
        migrate(
            new Feed() {
              @Override
              public void deliver(int batch) throws IOException {
                Path file =
                    Files.write(input.resolve("bätch " + batch + " %41.txt"), BATCHES.get(batch));
                Instant newest =
                    BATCHES.get(batch).stream()
                        .map(ReplaySourcesTest::time)
                        .max(Instant::compareTo)
                        .orElseThrow();
                Files.setLastModifiedTime(file, FileTime.from(newest.plusSeconds(30)));
              }

              @Override
              public Dataset<Row> stream() {
                return events(
                    spark.readStream().option("maxFilesPerTrigger", 1).text(input.toString()));
              }

              @Override
              public String source() {
                return "files: in";
              }
            });
    assertThat(start.path("from"))
        .as("the first file that was written at 12:00 or later is the fourth")
        .isEqualTo(MAPPER.readTree("{\"logOffset\":2}"));
    assertThat(start.path("files").asLong()).isEqualTo(2);
    assertThat(start.path("bytes").asLong()).isPositive();
  }

  /** Moves a query, and returns where the plan said that its source begins. */
  private JsonNode migrate(Feed feed) throws Exception {
    for (int batch = 0; batch < OLD; batch++) {
      feed.deliver(batch);
    }
    List<String> written = run(windows(feed).drop("top"), directory.resolve("v1"));
    String plan =
        Files.writeString(
                directory.resolve("plan.yaml"),
                """
                version: 1
                name: windows
                streams:
                  - name: windows
                    strategy: replay
                    checkpoint: {from: v1, to: v2}
                    sources: [{%s}]
                    sink: {custom: list}
                    query: {outputMode: append, operators: [{kind: window, size: 5m}]}
                    replay: {skew: 0s}
                """
                    .formatted(feed.source()))
            .toString();
    JsonNode planned =
        MAPPER.readTree(MigratorRun.of(spark, 0, "plan", plan, "-o", "json")).at("/streams/0");
    assertThat(planned.path("exactness").asText()).isEqualTo("EXACT");
    assertThat(planned.at("/replay/range/times/earliest").asText())
        .isEqualTo("2026-03-27T10:12:00Z");
    MigratorRun.of(spark, 0, "apply", plan);
    for (int batch = OLD; batch < BATCHES.size(); batch++) {
      feed.deliver(batch);
    }
    written.addAll(run(windows(feed).drop("top"), directory.resolve("v2"), windows(feed)));
    assertThat(written)
        .containsExactlyInAnyOrderElementsOf(
            run(windows(feed).drop("top"), directory.resolve("whole")));
    MigratorRun.of(spark, 0, "prove", plan);
    return planned.at("/replay/range/sources/0");
  }

  private static List<String> run(Dataset<Row> query, Path checkpoint) throws Exception {
    return run(query, checkpoint, query);
  }

  /** Runs a query until it has read all; returns what it wrote, in the columns of another. */
  private static List<String> run(Dataset<Row> columns, Path checkpoint, Dataset<Row> query)
      throws Exception {
    List<String> written = new ArrayList<>();
    query
        .writeStream()
        .foreachBatch(
            (rows, number) -> {
              rows.selectExpr(columns.columns())
                  .collectAsList()
                  .forEach(row -> written.add(row.toString()));
            })
        .option("checkpointLocation", checkpoint.toString())
        .trigger(Trigger.AvailableNow())
        .start()
        .awaitTermination();
    return written;
  }

  private static Dataset<Row> events(Dataset<Row> lines) {
    return lines.selectExpr(
        "split(value, ',')[0] as product",
        "cast(split(value, ',')[1] as bigint) as amount",
        "cast(concat('2026-03-27T10:', split(value, ',')[2], 'Z') as timestamp) as at");
  }

  private static Dataset<Row> windows(Feed feed) {
    return feed.stream()
        .withWatermark("at", "4 minutes")
        .groupBy(window(col("at"), "5 minutes"), col("product"))
        .agg(sum("amount").as("total"), max("amount").as("top"))
        .select(col("window.start").as("ws"), col("product"), col("total"), col("top"));
  }

  private static Instant time(String event) {
    return Instant.parse("2026-03-27T10:" + event.split(",")[2] + "Z");
  }
}
