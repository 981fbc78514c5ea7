package org.streammigrator.jobs.replay;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.max;
import static org.apache.spark.sql.functions.session_window;
import static org.apache.spark.sql.functions.sum;
import static org.apache.spark.sql.functions.window;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;
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
import org.streammigrator.jobs.MigratorRun;
import org.streammigrator.jobs.demo.DemoLake;
import org.streammigrator.jobs.demo.DemoScene;
import org.streammigrator.jobs.session.LocalSpark;

/**
 * A stateful stream over out-of-order events is stopped somewhere, also inside a version, and goes
 * on as another query whose state the old checkpoint does not fit. A plan with the strategy replay
 * is applied, and the new query is started by Spark from what it wrote: what both queries have
 * written together is then what one that was never stopped would have written.
 */
@Tag("spark")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReplayStrategyTest {
  private static final int COMMITS = 9;
  private static final long WINDOW = 300_000;
  private static final String DELAY = "4 minutes";
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** In format 2, which one case has, commits name the stores by ids. */
  private static final String STATE_FORMAT =
      "spark.sql.streaming.stateStore.checkpointFormatVersion";

  @TempDir private static Path root;
  private SparkSession spark;
  private DemoLake lake;

  /** Queries before and after, and how the plan describes the new one. */
  enum Case {
    WINDOW(
        "HDFSBackedStateStoreProvider",
        false,
        "append",
        "[{kind: window, size: 5m, delay: 4m}]",
        orders -> windows(orders).drop("top"),
        ReplayStrategyTest::windows),
    WINDOW_UPDATED(
        "RocksDBStateStoreProvider",
        true,
        "update",
        "[{kind: window, size: 5m, delay: 4m}]",
        orders -> windows(orders).drop("top"),
        ReplayStrategyTest::windows),
    DEDUPE(
        "RocksDBStateStoreProvider",
        true,
        "append",
        "[{kind: dedupe, keys: [order_id, event_time, product], eventTime: event_time}]",
        orders ->
            orders.withWatermark("event_time", DELAY).dropDuplicates("order_id", "event_time"),
        orders ->
            orders
                .withWatermark("event_time", DELAY)
                .dropDuplicates("order_id", "event_time", "product")),
    DEDUPE_THEN_WINDOW(
        "HDFSBackedStateStoreProvider",
        false,
        "append",
        "[{kind: dedupe, keys: [order_id, event_time], eventTime: event_time},"
            + " {kind: window, size: 5m, delay: 4m}]",
        orders ->
            aggregated(
                    orders
                        .withWatermark("event_time", DELAY)
                        .dropDuplicates("order_id", "event_time"))
                .drop("top"),
        orders ->
            aggregated(
                orders
                    .withWatermark("event_time", DELAY)
                    .dropDuplicates("order_id", "event_time", "product"))),
    SESSION(
        "RocksDBStateStoreProvider",
        false,
        "append",
        "[{kind: session, gap: 1m, delay: 4m}]",
        orders -> sessions(orders).drop("top"),
        ReplayStrategyTest::sessions),
    JOIN(
        "RocksDBStateStoreProvider",
        true,
        "append",
        "[{kind: join, eventTime: event_time}]",
        orders -> joined(orders, false),
        orders -> joined(orders, true));

    private final Map<String, String> conf;
    private final String outputMode;
    private final String operators;
    private final Function<Dataset<Row>, Dataset<Row>> before;
    private final Function<Dataset<Row>, Dataset<Row>> after;

    Case(
        String provider,
        boolean changelog,
        String outputMode,
        String operators,
        Function<Dataset<Row>, Dataset<Row>> before,
        Function<Dataset<Row>, Dataset<Row>> after) {
      conf =
          Map.of(
              "spark.sql.streaming.stateStore.providerClass",
              "org.apache.spark.sql.execution.streaming.state." + provider,
              "spark.sql.streaming.stateStore.rocksdb.changelogCheckpointing.enabled",
              Boolean.toString(changelog));
      this.outputMode = outputMode;
      this.operators = operators;
      this.before = before;
      this.after = after;
    }

    private boolean isScratch() {
      return this != WINDOW && this != WINDOW_UPDATED;
    }
  }

  @BeforeAll
  void writeLake() {
    spark = LocalSpark.open("tests", DemoScene.SESSION);
    lake = DemoLake.at(root.resolve("lake"));
    lake.write(spark, 0, COMMITS);
  }

  /** Without {@code -Psoak} those that {@code StreamMatrixTest} does not try as well. */
  static Stream<Case> cases() {
    return System.getProperty("soak") == null
        ? Stream.of(Case.DEDUPE_THEN_WINDOW, Case.SESSION)
        : Stream.of(Case.values());
  }

  @ParameterizedTest
  @MethodSource("cases")
  void bothQueriesTogetherWriteWhatOneWouldHave(Case migration) throws Exception {
    migration.conf.forEach(spark.conf()::set);
    if (migration == Case.DEDUPE) {
      spark.conf().set(STATE_FORMAT, "2");
    }
    try {
      migrate(migration);
    } finally {
      migration.conf.keySet().forEach(spark.conf()::unset);
      spark.conf().unset(STATE_FORMAT);
    }
  }

  private void migrate(Case migration) throws Exception {
    Path home = Files.createDirectories(root.resolve(migration.name()));
    TreeMap<Long, List<Row>> uninterrupted = new TreeMap<>();
    run(
        migration,
        migration.before.apply(orders()),
        home.resolve("whole"),
        Trigger.AvailableNow(),
        uninterrupted);
    List<Long> batches = new ArrayList<>(uninterrupted.keySet());
    long cut = batches.get(batches.size() / 2 + migration.ordinal() % 3);
    Path from = truncated(home.resolve("whole"), home.resolve("v1"), cut);
    Path plan =
        Files.writeString(
            home.resolve("plan.yaml"),
            """
            version: 1
            name: replay
            streams:
              - name: orders
                strategy: replay
                checkpoint: {from: v1, to: v2}
                sources: [%s]
                sink: {custom: list, keys: [ws, product]}
                query: {outputMode: %s, operators: %s}
            """
                .formatted(
                    String.join(", ", sources(from, cut)),
                    migration.outputMode,
                    migration.operators));
    JsonNode planned =
        MAPPER.readTree(migrator(0, "plan", plan.toString(), "-o", "json")).at("/streams/0");
    long batch = planned.at("/replay/batch").asLong();
    JsonNode source = planned.at("/replay/range/sources/0");
    assertThat(source.path("records").asLong()).isGreaterThan(0);
    assertThat(source.at("/from/reservoirVersion").asLong())
        .as("not everything is read again")
        .isPositive();

    if (migration == Case.SESSION) {
      sessionsThatAreNotWholeAreNoticed(home, plan);
    }
    TreeMap<Long, List<Row>> written = new TreeMap<>();
    if (migration.isScratch()) {
      String applied = migrator(7, "apply", plan.toString(), "-o", "json");
      assertThat(applied).contains("Trigger.Once");
      TreeMap<Long, List<Row>> elsewhere = new TreeMap<>();
      run(
          migration,
          migration.after.apply(orders()),
          home.resolve("v2"),
          Trigger.Once(),
          elsewhere);
      assertThat(elsewhere.keySet()).containsExactly(batch);
      assertThat(elsewhere.get(batch)).as("what would have come twice").isNotEmpty();
    }
    migrator(0, "apply", plan.toString());
    run(
        migration,
        migration.after.apply(orders()),
        home.resolve("v2"),
        Trigger.AvailableNow(),
        written);
    if (migration == Case.WINDOW) {
      assertThat(written.get(batch)).as("nothing is given out again").isEmpty();
    }
    String[] columns = migration.before.apply(orders()).columns();
    Map<String, Integer> together = new HashMap<>();
    List<Row> rows = new ArrayList<>();
    uninterrupted.headMap(cut, true).values().forEach(rows::addAll);
    written.values().forEach(rows::addAll);
    Map<String, Integer> whole = new HashMap<>();
    if (migration == Case.WINDOW_UPDATED) {
      rows.forEach(
          row -> together.put(text(row, "ws", "product"), row.<Long>getAs("total").intValue()));
      uninterrupted
          .values()
          .forEach(
              all ->
                  all.forEach(
                      row ->
                          whole.put(
                              text(row, "ws", "product"), row.<Long>getAs("total").intValue())));
    } else {
      rows.forEach(row -> together.merge(text(row, columns), 1, Integer::sum));
      uninterrupted
          .values()
          .forEach(all -> all.forEach(row -> whole.merge(text(row, columns), 1, Integer::sum)));
    }
    assertThat(whole.size()).isGreaterThan(20);
    assertThat(together).isEqualTo(whole);
    migrator(0, "prove", plan.toString());
  }

  /** With too long a gap the beginnings of open sessions are late, and the sessions start later. */
  private void sessionsThatAreNotWholeAreNoticed(Path home, Path plan) throws Exception {
    Path wrong =
        Files.writeString(
            home.resolve("wrong.yaml"),
            Files.readString(plan)
                .replace("name: replay", "name: wrong")
                .replace("to: v2", "to: v3")
                .replace("gap: 1m", "gap: 1h"));
    migrator(7, "apply", wrong.toString());
    run(
        Case.SESSION,
        Case.SESSION.after.apply(orders()),
        home.resolve("v3"),
        Trigger.Once(),
        new TreeMap<>());
    assertThat(migrator(6, "apply", wrong.toString(), "-o", "json"))
        .contains("REPLAY_NOT_VERIFIED", "sessionStartTime");
  }

  private void run(
      Case migration,
      Dataset<Row> query,
      Path checkpoint,
      Trigger trigger,
      Map<Long, List<Row>> written)
      throws Exception {
    query
        .writeStream()
        .outputMode(migration.outputMode)
        .foreachBatch(
            (rows, number) -> {
              written.put(number, rows.collectAsList());
            })
        .option("checkpointLocation", checkpoint.toString())
        .trigger(trigger)
        .start()
        .awaitTermination();
  }

  private List<String> sources(Path checkpoint, long batch) throws Exception {
    List<String> lines = Files.readAllLines(checkpoint.resolve("offsets/" + batch));
    String source =
        "{delta: \"%s\", eventTime: event_time, options: {startingVersion: 0}}"
            .formatted(lake.rawOrders());
    return lines.stream().skip(2).map(line -> source).toList();
  }

  private static String text(Row row, String... columns) {
    List<String> values = new ArrayList<>();
    for (String column : columns) {
      values.add(String.valueOf(row.<Object>getAs(column)));
    }
    return values.toString();
  }

  private String migrator(int exit, String... arguments) {
    return MigratorRun.of(spark, exit, arguments);
  }

  private Dataset<Row> orders() {
    return spark
        .readStream()
        .format("delta")
        .option("startingVersion", 0)
        .option("maxFilesPerTrigger", 3)
        .load(lake.rawOrders().toString());
  }

  private static Dataset<Row> windows(Dataset<Row> orders) {
    return aggregated(orders.withWatermark("event_time", DELAY));
  }

  private static Dataset<Row> sessions(Dataset<Row> orders) {
    return orders
        .withWatermark("event_time", DELAY)
        .groupBy(session_window(col("event_time"), "1 minute"), col("product"))
        .agg(sum("amount_cents").as("total"), count(lit(1)).as("n"), max("amount_cents").as("top"))
        .select(
            col("session_window.start").as("ws"),
            col("session_window.end").as("we"),
            col("product"),
            col("total"),
            col("n"),
            col("top"));
  }

  private static Dataset<Row> aggregated(Dataset<Row> watermarked) {
    return watermarked
        .groupBy(window(col("event_time"), "5 minutes"), col("product"))
        .agg(sum("amount_cents").as("total"), count(lit(1)).as("n"), max("amount_cents").as("top"))
        .select(col("window.start").as("ws"), col("product"), col("total"), col("n"), col("top"));
  }

  /** Orders of two products at the same place in their hour; the new query has a wider key. */
  private static Dataset<Row> joined(Dataset<Row> orders, boolean isNew) {
    Dataset<Row> left = orders.withWatermark("event_time", DELAY).as("l").where("product = 'tea'");
    Dataset<Row> right =
        orders
            .withWatermark("event_time", DELAY)
            .select(
                col("order_id").as("r_id"),
                col("product").as("r_product"),
                col("event_time").as("r_time"))
            .where("r_product = 'tea'");
    var condition =
        col("order_id").equalTo(col("r_id")).and(col("event_time").equalTo(col("r_time")));
    return left.join(
            right, isNew ? condition.and(col("product").equalTo(col("r_product"))) : condition)
        .select("order_id", "product", "event_time");
  }

  /** The checkpoint as it was after a batch. */
  private static Path truncated(Path checkpoint, Path copy, long cut) throws Exception {
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
}
