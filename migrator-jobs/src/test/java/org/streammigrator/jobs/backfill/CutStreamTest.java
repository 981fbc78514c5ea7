package org.streammigrator.jobs.backfill;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.input_file_name;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.max;
import static org.apache.spark.sql.functions.not;
import static org.apache.spark.sql.functions.substring_index;
import static org.apache.spark.sql.functions.sum;
import static org.apache.spark.sql.functions.window;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.delta.tables.DeltaTable;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.streammigrator.job.BackfillResult;
import org.streammigrator.job.BackfillSpec;
import org.streammigrator.job.DeltaPosition;
import org.streammigrator.job.SourceSpec;
import org.streammigrator.job.WindowRange;
import org.streammigrator.jobs.demo.DemoLake;
import org.streammigrator.jobs.demo.DemoScene;
import org.streammigrator.jobs.session.LocalSpark;
import org.streammigrator.jobs.source.Sources;

/**
 * A windowed stream over out-of-order events is stopped somewhere, also inside a version; a new
 * query with another aggregate goes on from that very place with empty state and a guard; the
 * backfill job computes the windows between them, once at once and once when late events have come.
 * The table then equals the recomputation. {@code -Dcuts=20} tries that many places.
 */
@Tag("spark")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CutStreamTest {
  private static final int CUTS = Integer.getInteger("cuts", 1);
  private static final int COMMITS = 9;
  private static final long WINDOW = 300_000;
  private static final String DELAY = "4 minutes";
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String SQL =
      """
      select window(event_time, '5 minutes').start as ws, product, sum(amount_cents) as total,
        count(*) as n, max(amount_cents) as top
      from orders group by 1, 2
      """;

  @TempDir private static Path root;
  private SparkSession spark;
  private DemoLake lake;
  private final Map<Long, List<Row>> written = new TreeMap<>();
  private List<Long> batches;

  @BeforeAll
  void runOldQuery() throws Exception {
    spark = LocalSpark.open("tests", DemoScene.SESSION);
    lake = DemoLake.at(root.resolve("lake"));
    lake.write(spark, 0, COMMITS);
    windows(
            spark
                .readStream()
                .format("delta")
                .option("startingVersion", 0)
                .option("maxFilesPerTrigger", 3)
                .load(lake.rawOrders().toString()))
        .drop("top")
        .writeStream()
        .foreachBatch(
            (rows, number) -> {
              written.put(number, rows.collectAsList());
            })
        .option("checkpointLocation", checkpoint().toString())
        .trigger(Trigger.AvailableNow())
        .start()
        .awaitTermination();
    batches = new ArrayList<>(written.keySet());
  }

  private Path checkpoint() {
    return root.resolve("chk");
  }

  /** Places in the middle of the stream, spread over it. */
  List<Long> cuts() {
    int first = 5;
    int last = batches.size() - 6;
    return IntStream.range(0, CUTS)
        .mapToObj(
            i -> batches.get(first + (int) ((long) i * (last - first) / Math.max(1, CUTS - 1))))
        .distinct()
        .collect(Collectors.toList());
  }

  @ParameterizedTest
  @MethodSource("cuts")
  void tableEqualsTheRecomputation(long cut) throws Exception {
    DeltaPosition position = position(cut);
    long watermark = watermark(cut);
    Timestamp newest =
        Sources.open(spark, source(position)).rows().agg(max("event_time")).first().getTimestamp(0);
    Instant boundary = Instant.ofEpochMilli(newest.getTime() / WINDOW * WINDOW + WINDOW);
    Instant firstOpen = Instant.ofEpochMilli(watermark / WINDOW * WINDOW);
    String gold = gold(cut, "gold");
    BackfillResult provisional = backfill(gold, "provisional", position, firstOpen, boundary);
    assertThat(provisional.inserted()).isPositive();

    long end = goOn(gold, position, col("ws").geq(lit(Timestamp.from(boundary))), "exact-" + cut);

    backfill(gold, "final", new DeltaPosition(COMMITS, -1), firstOpen, boundary);
    assertThat(differences(gold, end)).as("cut after batch %d at %s", cut, position).isEmpty();

    // What the runbooks say: the version after the recorded one, and no backfill.
    String naive = gold(cut, "naive");
    goOn(naive, new DeltaPosition(position.version() + 1, -1), lit(true), "naive-" + cut);
    List<String> damage = differences(naive, end);
    System.err.printf(
        "cut after batch %d: the runbook's way leaves %d wrong windows%n", cut, damage.size());
    assertThat(damage).isNotEmpty();
  }

  /** The new query, from a place on; returns its watermark at the end. */
  private long goOn(String gold, DeltaPosition position, Column guard, String name)
      throws Exception {
    List<String> done = filesDone(position);
    Dataset<Row> rest =
        spark
            .readStream()
            .format("delta")
            .option("startingVersion", position.version())
            .option("maxFilesPerTrigger", 4)
            .load(lake.rawOrders().toString());
    if (!done.isEmpty()) {
      rest = rest.where(not(substring_index(input_file_name(), "/", -1).isin(done.toArray())));
    }
    Path checkpoint = root.resolve("chk-" + name);
    windows(rest)
        .where(guard)
        .writeStream()
        .format("delta")
        .option("mergeSchema", "true")
        .option("checkpointLocation", checkpoint.toString())
        .trigger(Trigger.AvailableNow())
        .start(gold)
        .awaitTermination();
    return watermark(checkpoint, last(checkpoint));
  }

  private List<String> filesDone(DeltaPosition position) throws IOException {
    List<String> names = new ArrayList<>();
    if (position.index() >= 0) {
      Path commit = lake.rawOrders().resolve("_delta_log/%020d.json".formatted(position.version()));
      try (BufferedReader lines = Files.newBufferedReader(commit)) {
        for (String line : lines.lines().toList()) {
          JsonNode add = MAPPER.readTree(line).path("add");
          if (add.isObject() && names.size() <= position.index()) {
            names.add(add.path("path").asText());
          }
        }
      }
    }
    return names;
  }

  /** The table as the old query left it. */
  private String gold(long cut, String name) {
    String gold = root.resolve(name + "-" + cut).toString();
    spark.sql(
        "create table delta.`"
            + gold
            + "` (ws timestamp, product string, total bigint, n bigint, top bigint) using delta");
    List<Row> rows = new ArrayList<>();
    written.forEach(
        (number, batch) -> {
          if (number <= cut) {
            rows.addAll(batch);
          }
        });
    if (!rows.isEmpty()) {
      spark
          .createDataFrame(rows, DeltaTable.forPath(spark, gold).toDF().drop("top").schema())
          .write()
          .format("delta")
          .mode("append")
          .save(gold);
    }
    return gold;
  }

  private BackfillResult backfill(
      String gold, String run, DeltaPosition to, Instant from, Instant boundary)
      throws IOException {
    return BackfillJob.run(
        spark,
        new BackfillSpec(
            List.of(source(to)),
            SQL,
            null,
            new WindowRange("ws", from, boundary),
            new BackfillSpec.Sink(
                gold, List.of("ws", "product"), null, null, null, null, null, null),
            null,
            "cut/" + run,
            null,
            null,
            null),
        (chunk, all) -> {});
  }

  private SourceSpec source(DeltaPosition to) {
    return SourceSpec.delta("orders", lake.rawOrders().toString(), new DeltaPosition(0, -1), to);
  }

  /** Rows of windows that ended before the end that are missing, too many or wrong. */
  private List<String> differences(String gold, long end) {
    spark
        .read()
        .format("delta")
        .load(lake.rawOrders().toString())
        .createOrReplaceTempView("orders");
    Dataset<Row> expected = spark.sql(SQL);
    Dataset<Row> actual = spark.read().format("delta").load(gold);
    Column ended = col("ws").leq(lit(Timestamp.from(Instant.ofEpochMilli(end - WINDOW))));
    Dataset<Row> there = actual.where(ended).select("ws", "product", "total", "n");
    Dataset<Row> wanted = expected.where(ended).select("ws", "product", "total", "n");
    assertThat(wanted.count()).isGreaterThan(30);
    return there
        .exceptAll(wanted)
        .unionAll(wanted.exceptAll(there))
        .select("ws", "product")
        .distinct()
        .collectAsList()
        .stream()
        .map(Row::toString)
        .sorted()
        .toList();
  }

  private static Dataset<Row> windows(Dataset<Row> orders) {
    return orders
        .withWatermark("event_time", DELAY)
        .groupBy(window(col("event_time"), "5 minutes"), col("product"))
        .agg(sum("amount_cents").as("total"), count(lit(1)).as("n"), max("amount_cents").as("top"))
        .select(col("window.start").as("ws"), col("product"), col("total"), col("n"), col("top"));
  }

  private DeltaPosition position(long batch) throws IOException {
    JsonNode offset =
        MAPPER.readTree(Files.readAllLines(checkpoint().resolve("offsets/" + batch)).get(2));
    return new DeltaPosition(
        offset.path("reservoirVersion").asLong(), offset.path("index").asLong());
  }

  private long watermark(long batch) throws IOException {
    return watermark(checkpoint(), batch);
  }

  private static long watermark(Path checkpoint, long batch) throws IOException {
    return MAPPER
        .readTree(Files.readAllLines(checkpoint.resolve("offsets/" + batch)).get(1))
        .path("batchWatermarkMs")
        .asLong();
  }

  private static long last(Path checkpoint) throws IOException {
    try (Stream<Path> files = Files.list(checkpoint.resolve("offsets"))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.matches("[0-9]+"))
          .mapToLong(Long::parseLong)
          .max()
          .orElseThrow();
    }
  }
}
