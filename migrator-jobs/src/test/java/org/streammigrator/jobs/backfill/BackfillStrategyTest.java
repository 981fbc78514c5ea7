package org.streammigrator.jobs.backfill;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.expr;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.max;
import static org.apache.spark.sql.functions.sum;
import static org.apache.spark.sql.functions.window;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.delta.tables.DeltaTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;
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
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.streammigrator.jobs.MigratorRun;
import org.streammigrator.jobs.demo.DemoLake;
import org.streammigrator.jobs.demo.DemoScene;
import org.streammigrator.jobs.session.LocalSpark;

/**
 * A windowed stream over out-of-order events is stopped somewhere, also inside a version; a plan
 * with the strategy backfill moves it to another query with more aggregates: {@code apply}, the new
 * query with the guard that was printed, {@code apply} again. The table then equals the
 * recomputation, whichever store keeps the state. {@code -Dcuts=20} tries that many places, and
 * RocksDB with and without changelog as well. No event comes later than the delay, so that the
 * recomputation is an oracle also where each batch is of one file.
 */
@Tag("spark")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BackfillStrategyTest {
  private static final int CUTS = Integer.getInteger("cuts", 1);
  private static final long SEED = 20260327;
  private static final boolean IS_LONG = CUTS > 3;
  private static final int COMMITS = IS_LONG ? 15 : 9;

  /** Small batches where many of them are to be cut at. */
  private static final int FILES_A_BATCH = IS_LONG ? 1 : 3;

  private static final long WINDOW = 300_000;

  /**
   * Events are out of order by less than nine minutes, those of a larger batch among themselves.
   */
  private static final String DELAY = IS_LONG ? "10 minutes" : "4 minutes";

  /** After the last place, so much has to come that the watermark passes the job's windows. */
  private static final int LAST_BATCHES = IS_LONG ? 20 : 3;

  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String SQL =
      "select window(event_time, '5 minutes').start as ws, product, sum(amount_cents) as total,"
          + " count(*) as n, max(amount_cents) as top from orders group by 1, 2";

  @TempDir private static Path root;
  private SparkSession spark;
  private DemoLake lake;
  private final Map<Provider, Old> old = new EnumMap<>(Provider.class);

  /** Where the queries keep their state. */
  enum Provider {
    HDFS("HDFSBackedStateStoreProvider", false),
    ROCKSDB("RocksDBStateStoreProvider", false),
    ROCKSDB_CHANGELOG("RocksDBStateStoreProvider", true);

    private final Map<String, String> conf;

    Provider(String provider, boolean changelog) {
      conf =
          Map.of(
              "spark.sql.streaming.stateStore.providerClass",
              "org.apache.spark.sql.execution.streaming.state." + provider,
              "spark.sql.streaming.stateStore.rocksdb.changelogCheckpointing.enabled",
              Boolean.toString(changelog));
    }
  }

  /** A query that has read everything, and what each of its batches wrote. */
  private record Old(Path checkpoint, TreeMap<Long, List<Row>> written) {}

  @BeforeAll
  void writeLake() {
    spark = LocalSpark.open("tests", DemoScene.SESSION);
    lake = DemoLake.at(root.resolve("lake"));
    lake.write(spark, 0, COMMITS);
  }

  Stream<Arguments> cuts() {
    return Stream.of(Provider.values())
        .filter(provider -> CUTS > 1 || provider == Provider.HDFS)
        .flatMap(
            provider ->
                IntStream.range(0, provider == Provider.HDFS ? CUTS : 1)
                    .mapToObj(i -> Arguments.of(provider, provider.ordinal() + i)));
  }

  /**
   * Moves the query at one of its batches.
   *
   * @param place which one, of all but the first and the last in a shuffled order
   */
  @ParameterizedTest
  @MethodSource("cuts")
  void tableEqualsTheRecomputation(Provider provider, int place) throws Exception {
    provider.conf.forEach(spark.conf()::set);
    try {
      Old query = old.computeIfAbsent(provider, this::runOldQuery);
      List<Long> batches = new ArrayList<>(query.written().keySet());
      List<Long> places = batches.subList(3, batches.size() - LAST_BATCHES);
      Collections.shuffle(places, new Random(SEED));
      assertThat(places).hasSizeGreaterThan(place);
      migrate(provider, query, places.get(place));
    } finally {
      provider.conf.keySet().forEach(spark.conf()::unset);
    }
  }

  private void migrate(Provider provider, Old query, long cut) throws Exception {
    String name = provider.name().toLowerCase(java.util.Locale.ROOT) + "-" + cut;
    Path home = Files.createDirectories(root.resolve(name));
    Path from = truncated(query.checkpoint(), home.resolve("v1"), cut);
    String gold = gold(query, cut, home.resolve("gold"));
    Path plan =
        Files.writeString(
            home.resolve("plan.yaml"),
            """
            version: 1
            name: %s
            streams:
              - name: windows
                strategy: backfill
                checkpoint: {from: v1, to: v2}
                sources: [{delta: %s, eventTime: event_time, name: orders}]
                sink: {delta: gold, keys: [ws, product]}
                backfill:
                  sql: "%s"
                  window: {column: ws, size: 5m}
            """
                .formatted(name, lake.rawOrders(), SQL));

    List<Path> before = files(home);
    JsonNode planned = MAPPER.readTree(migrator(0, "plan", plan.toString(), "-o", "json"));
    assertThat(files(home)).as("a dry run writes nothing").isEqualTo(before);
    JsonNode backfill = planned.at("/streams/0/backfill");
    Instant boundary = Instant.parse(backfill.at("/boundary/cut").asText());
    assertThat(boundary).isEqualTo(boundary(from, cut));
    assertThat(backfill.at("/sources/0/files").asLong()).isPositive();
    assertThat(backfill.at("/sources/0/records").asLong()).isPositive();
    assertThat(planned.at("/streams/0/exactness").asText()).isEqualTo("EXACT");

    String applied = migrator(7, "apply", plan.toString(), "-o", "json");
    JsonNode result = MAPPER.readTree(applied.lines().reduce((a, b) -> b).orElseThrow());
    assertThat(result.path("waitingFor").asText()).contains("watermark");

    Dataset<Row> provisional = spark.read().format("delta").load(gold);
    assertThat(provisional.where("top is not null and ws >= timestamp '" + boundary + "'").count())
        .as("the job writes none of the stream's windows")
        .isZero();
    assertThat(provisional.where("top is not null").count()).isPositive();

    String guard = backfill.at("/guard/sql").asText();
    long end = goOn(gold, home.resolve("v2"), expr(guard), provider + "-" + cut);
    migrator(0, "apply", plan.toString());
    assertThat(differences(gold, end)).as("cut after batch %d", cut).isEmpty();
    Instant firstOpen = Instant.parse(backfill.at("/boundary/firstWindow").asText());
    assertThat(newAggregates(spark.read().format("delta").load(gold), firstOpen, end))
        .as("the column that only the job and the new query fill")
        .isNotEmpty()
        .isEqualTo(newAggregates(spark.sql(SQL), firstOpen, end));
    assertThat(migrator(0, "plan", plan.toString(), "--detailed-exitcode")).contains("nothing");
    migrator(0, "prove", plan.toString());

    // What the runbooks say: the version after the recorded one, and no backfill.
    long version = position(from, cut).path("reservoirVersion").asLong();
    String naive = gold(query, cut, home.resolve("naive"));
    windows(orders(version + 1))
        .writeStream()
        .format("delta")
        .option("mergeSchema", "true")
        .option("checkpointLocation", home.resolve("naive-chk").toString())
        .trigger(Trigger.AvailableNow())
        .start(naive)
        .awaitTermination();
    List<String> damage = differences(naive, end);
    System.err.printf(
        "%s: the runbook's way leaves %d wrong or missing totals%n", name, damage.size());
    assertThat(damage).isNotEmpty();
  }

  private String migrator(int exit, String... arguments) {
    return MigratorRun.of(spark, exit, arguments);
  }

  private static List<Path> files(Path tree) throws IOException {
    try (Stream<Path> files = Files.walk(tree)) {
      return files.sorted().toList();
    }
  }

  private Old runOldQuery(Provider provider) {
    Path checkpoint = root.resolve("old-" + provider);
    TreeMap<Long, List<Row>> written = new TreeMap<>();
    try {
      windows(orders(0))
          .drop("top")
          .writeStream()
          .foreachBatch(
              (rows, number) -> {
                written.put(number, rows.collectAsList());
              })
          .option("checkpointLocation", checkpoint.toString())
          .trigger(Trigger.AvailableNow())
          .start()
          .awaitTermination();
    } catch (Exception failure) {
      throw new IllegalStateException(failure);
    }
    return new Old(checkpoint, written);
  }

  /** The checkpoint as it was after a batch. */
  private static Path truncated(Path checkpoint, Path copy, long cut) throws IOException {
    FileUtils.copyDirectory(checkpoint.toFile(), copy.toFile());
    for (String log : List.of("offsets", "commits")) {
      try (Stream<Path> files = Files.list(copy.resolve(log))) {
        for (Path file : files.toList()) {
          String number = file.getFileName().toString().replaceAll("^\\.|\\.crc$", "");
          if (Long.parseLong(number) > cut) {
            Files.delete(file);
          }
        }
      }
    }
    return copy;
  }

  /** The table as the old query left it. */
  private String gold(Old query, long cut, Path place) {
    String gold = place.toString();
    spark.sql(
        "create table delta.`"
            + gold
            + "` (ws timestamp, product string, total bigint, n bigint, top bigint) using delta");
    List<Row> rows =
        query.written().headMap(cut, true).values().stream().flatMap(List::stream).toList();
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

  /** The cut as the rule says it, from the rows themselves. */
  private Instant boundary(Path checkpoint, long batch) throws IOException {
    JsonNode position = position(checkpoint, batch);
    long rows =
        position.path("reservoirVersion").asLong() * DemoLake.FILES_PER_COMMIT
            + Math.max(position.path("index").asLong() + 1, 0);
    long newest = 0;
    for (int file = 0; file < rows; file++) {
      for (int row = 0; row < DemoLake.ROWS_PER_FILE; row++) {
        newest =
            Math.max(
                newest,
                lake.commit(file / DemoLake.FILES_PER_COMMIT)
                    .get(file % DemoLake.FILES_PER_COMMIT * DemoLake.ROWS_PER_FILE + row)
                    .eventTime()
                    .toEpochMilli());
      }
    }
    return Instant.ofEpochMilli(newest / WINDOW * WINDOW + WINDOW);
  }

  /** The new query; returns its watermark at the end. */
  private long goOn(String gold, Path checkpoint, Column guard, String name) throws Exception {
    windowed(orders(0))
        .where(guard)
        .select(col("window.start").as("ws"), col("product"), col("total"), col("n"), col("top"))
        .writeStream()
        .format("delta")
        .option("mergeSchema", "true")
        .option("checkpointLocation", checkpoint.toString())
        .trigger(Trigger.AvailableNow())
        .start(gold)
        .awaitTermination();
    return watermark(checkpoint);
  }

  private Dataset<Row> orders(long version) {
    return spark
        .readStream()
        .format("delta")
        .option("startingVersion", version)
        .option("maxFilesPerTrigger", FILES_A_BATCH)
        .load(lake.rawOrders().toString());
  }

  private static Dataset<Row> windowed(Dataset<Row> orders) {
    return orders
        .withWatermark("event_time", DELAY)
        .groupBy(window(col("event_time"), "5 minutes"), col("product"))
        .agg(sum("amount_cents").as("total"), count(lit(1)).as("n"), max("amount_cents").as("top"));
  }

  private static Dataset<Row> windows(Dataset<Row> orders) {
    return windowed(orders)
        .select(col("window.start").as("ws"), col("product"), col("total"), col("n"), col("top"));
  }

  private static List<String> newAggregates(Dataset<Row> rows, Instant from, long end) {
    return rows
        .where(
            col("ws")
                .geq(lit(Timestamp.from(from)))
                .and(col("ws").leq(lit(Timestamp.from(Instant.ofEpochMilli(end - WINDOW))))))
        .select("ws", "product", "top")
        .collectAsList()
        .stream()
        .map(Row::toString)
        .sorted()
        .toList();
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

  private static JsonNode position(Path checkpoint, long batch) throws IOException {
    return MAPPER.readTree(Files.readAllLines(checkpoint.resolve("offsets/" + batch)).get(2));
  }

  private static long watermark(Path checkpoint) throws IOException {
    try (Stream<Path> files = Files.list(checkpoint.resolve("offsets"))) {
      long last =
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> name.matches("[0-9]+"))
              .mapToLong(Long::parseLong)
              .max()
              .orElseThrow();
      return MAPPER
          .readTree(Files.readAllLines(checkpoint.resolve("offsets/" + last)).get(1))
          .path("batchWatermarkMs")
          .asLong();
    }
  }
}
