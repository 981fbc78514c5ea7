package org.streammigrator.jobs.backfill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.job.BackfillResult;
import org.streammigrator.job.BackfillSpec;
import org.streammigrator.job.DeltaPosition;
import org.streammigrator.job.InvalidJobSpecException;
import org.streammigrator.job.JobRefusedException;
import org.streammigrator.job.OrderColumn;
import org.streammigrator.job.SourceSpec;
import org.streammigrator.job.WindowRange;
import org.streammigrator.jobs.demo.DemoLake;
import org.streammigrator.jobs.demo.DemoScene;
import org.streammigrator.jobs.session.LocalSpark;

@Tag("spark")
class BackfillJobTest {
  private static final String SQL =
      """
      select window(event_time, '5 minutes').start as ws, product, sum(amount_cents) as total,
        count(*) as n
      from orders group by 1, 2
      """;
  private static final Instant NINE = Instant.parse("2026-03-27T09:00:00Z");

  @TempDir private static Path root;
  private static SparkSession spark;
  private static DemoLake lake;
  private static int tables;

  private String gold;

  @BeforeAll
  static void makeLake() {
    spark = LocalSpark.open("tests", DemoScene.SESSION);
    lake = DemoLake.at(root.resolve("lake"));
    lake.write(spark, 0, 6);
  }

  @BeforeEach
  void makeTable() {
    gold = root.resolve("gold-" + tables++).toString();
    spark.sql(
        "create table delta.`"
            + gold
            + "` (ws timestamp, product string, total bigint, n bigint) using delta");
  }

  @Test
  void windowsOfTheJobAreRecomputedAndNoOthers() {
    spark.sql(
        "insert into delta.`"
            + gold
            + "` values (timestamp'2026-03-27T09:00:00Z', 'tea', 1, 1),"
            + " (timestamp'2026-03-27T09:05:00Z', 'tea', 2, 2),"
            + " (timestamp'2026-03-27T09:05:00Z', 'gone', 3, 3),"
            + " (timestamp'2026-03-27T09:15:00Z', 'tea', 4, 4)");
    BackfillResult result = run(spec(NINE.plusSeconds(300), NINE.plusSeconds(900), null));
    assertThat(result.ok()).isTrue();
    assertThat(result.rowsRead()).isEqualTo(600);
    assertThat(result.rows()).isEqualTo(8);
    assertThat(result.inserted()).isEqualTo(7);
    assertThat(result.updated()).isEqualTo(1);
    assertThat(result.ignored()).isZero();
    assertThat(result.versionBefore()).isEqualTo(1);
    assertThat(result.versionAfter()).isEqualTo(2);
    assertThat(text(table()))
        .isEqualTo(
            text(
                expected("ws >= '2026-03-27T09:05:00Z' and ws < '2026-03-27T09:15:00Z'")
                    .union(
                        spark.sql(
                            "select timestamp'2026-03-27T09:00:00Z', 'tea', 1L, 1L union all"
                                + " select timestamp'2026-03-27T09:05:00Z', 'gone', 3L, 3L union all"
                                + " select timestamp'2026-03-27T09:15:00Z', 'tea', 4L, 4L"))));
  }

  @Test
  void chunksAreCommitsAndAreNeverRepeated() {
    BackfillSpec spec = spec(NINE, NINE.plusSeconds(1800), new BackfillSpec.Chunks("window", "7m"));
    List<Integer> seen = new ArrayList<>();
    assertThatThrownBy(
            () ->
                BackfillJob.run(
                    spark,
                    spec,
                    chunk -> {
                      seen.add(chunk.number());
                      if (chunk.number() == 1) {
                        throw new IllegalStateException("stopped");
                      }
                    }))
        .hasMessage("stopped");
    assertThat(seen).containsExactly(0, 1);
    BackfillResult result = run(spec);
    assertThat(result.chunks())
        .extracting(BackfillResult.Chunk::status)
        .containsExactly("done-before", "done-before", "done", "done", "done");
    assertThat(result.chunks())
        .extracting(BackfillResult.Chunk::version)
        .containsExactly(1L, 2L, 3L, 4L, 5L);
    assertThat(result.chunks().get(4).to()).isEqualTo(NINE.plusSeconds(1800));
    assertThat(text(table()))
        .isEqualTo(
            text(expected("ws >= '2026-03-27T09:00:00Z'").where("ws < '2026-03-27T09:30:00Z'")));
    BackfillResult again = run(spec);
    assertThat(again.versionAfter()).isEqualTo(5);
    assertThat(again.inserted()).isEqualTo(result.inserted());
    assertThat(again.chunks()).allMatch(chunk -> chunk.status().equals("done-before"));
  }

  @Test
  void openEndStaysWhereTheFirstRunPutIt() {
    DemoLake growing = DemoLake.at(root.resolve("growing"));
    growing.write(spark, 0, 2);
    BackfillSpec spec =
        new BackfillSpec(
            List.of(
                SourceSpec.delta(
                    "orders", growing.rawOrders().toString(), new DeltaPosition(0, -1), null)),
            SQL,
            null,
            new WindowRange("ws", NINE, NINE.plusSeconds(1200)),
            sink(null),
            new BackfillSpec.Chunks("window", "5m"),
            "growing",
            null,
            null,
            null);
    assertThatThrownBy(
            () ->
                BackfillJob.run(
                    spark,
                    spec,
                    chunk -> {
                      throw new IllegalStateException("stopped");
                    }))
        .hasMessage("stopped");
    growing.write(spark, 2, 4);
    BackfillResult result = run(spec);
    assertThat(result.sources().get(0).to()).hasToString("{\"version\":2,\"index\":-1}");
    assertThat(result.rowsRead()).isEqualTo(200);
    Dataset<Row> first =
        spark.read().format("delta").option("versionAsOf", 1).load(growing.rawOrders().toString());
    first.createOrReplaceTempView("orders");
    assertThat(text(table()))
        .isEqualTo(
            text(
                spark
                    .sql(SQL)
                    .where("ws >= '2026-03-27T09:00:00Z' and ws < '2026-03-27T09:20:00Z'")));
  }

  @Test
  void dryRunTellsAndWritesNothing() {
    run(spec(NINE, NINE.plusSeconds(300), null));
    BackfillSpec spec = spec(NINE, NINE.plusSeconds(900), null);
    BackfillResult result =
        run(
            new BackfillSpec(
                spec.sources(),
                spec.sql(),
                null,
                spec.windows(),
                spec.sink(),
                null,
                null,
                null,
                true,
                null));
    assertThat(result.dryRun()).isTrue();
    assertThat(result.rowsRead()).isEqualTo(600);
    assertThat(result.sources().get(0).files()).isEqualTo(24);
    assertThat(result.targetFiles()).isPositive();
    assertThat(result.targetBytes()).isPositive();
    assertThat(result.versionAfter()).isEqualTo(result.versionBefore());
    assertThat(result.chunks()).extracting(BackfillResult.Chunk::status).containsExactly("planned");
    assertThat(result.id()).as("a dry run is the same job").isEqualTo(run(spec).id());
  }

  @Test
  void overlapIsMergedByAnOrder() {
    String table = root.resolve("bronze").toString();
    spark
        .sql(
            "select * from values (1L, 5, 'there'), (2L, 5, 'there'), (3L, null, 'there')"
                + " as t(id, at, text)")
        .write()
        .format("delta")
        .save(table);
    String rows = root.resolve("overlap").toString();
    spark
        .sql(
            "select * from values (1L, 4, 'older'), (2L, 6, 'newer'), (2L, 7, 'newest'),"
                + " (3L, 1, 'not null'), (4L, 1, 'added'), (4L, 1, 'also added'), (null, 1, 'x')"
                + " as t(id, at, text)")
        .write()
        .format("delta")
        .save(rows);
    BackfillResult result =
        run(
            overlap(
                rows, table, "upsert", List.of(new OrderColumn("at", "desc", "last")), "value"));
    assertThat(result.rows()).isEqualTo(7);
    assertThat(result.inserted()).isEqualTo(2);
    assertThat(result.updated()).isEqualTo(2);
    assertThat(result.ignored()).isEqualTo(3);
    assertThat(text(spark.read().format("delta").load(table)))
        .containsExactly(
            "{\"at\":1,\"text\":\"x\"}",
            "{\"id\":1,\"at\":5,\"text\":\"there\"}",
            "{\"id\":2,\"at\":7,\"text\":\"newest\"}",
            "{\"id\":3,\"at\":1,\"text\":\"not null\"}",
            "{\"id\":4,\"at\":1,\"text\":\"added\"}");
    assertRefused(
        overlap(rows, table, "upsert", null, "value"), FindingCode.KEYS_NOT_UNIQUE, "2 keys");
    assertRefused(overlap(rows, table, "upsert", null, null), FindingCode.NULL_KEYS, "1 rows");
    BackfillResult inserted =
        run(
            overlap(
                rows, table, "insert-only", List.of(new OrderColumn("at", null, null)), "value"));
    assertThat(inserted.inserted()).isZero();
    assertThat(inserted.updated()).isZero();
  }

  @Test
  void rowsOutsideTheWindowsStayWhereTheKeyDoesNotTellThem() {
    String table = root.resolve("by-id").toString();
    spark
        .sql(
            "select * from values (1L, timestamp'2026-03-27T08:00:00Z', 'there'),"
                + " (2L, timestamp'2026-03-27T09:01:00Z', 'there') as t(id, at, text)")
        .write()
        .format("delta")
        .save(table);
    String rows = root.resolve("by-id-rows").toString();
    spark
        .sql(
            "select * from values (1L, timestamp'2026-03-27T09:02:00Z', 'new'),"
                + " (2L, timestamp'2026-03-27T09:11:00Z', 'new'),"
                + " (2L, timestamp'2026-03-27T09:03:00Z', 'new'),"
                + " (3L, timestamp'2026-03-27T10:00:00Z', 'new') as t(id, at, text)")
        .write()
        .format("delta")
        .save(rows);
    BackfillResult result =
        run(
            new BackfillSpec(
                List.of(SourceSpec.delta("rows", rows, null, null)),
                null,
                null,
                new WindowRange("at", NINE, NINE.plusSeconds(1200)),
                new BackfillSpec.Sink(
                    table,
                    List.of("id"),
                    null,
                    List.of(new OrderColumn("at", "desc", null)),
                    null,
                    null,
                    null,
                    null),
                new BackfillSpec.Chunks("window", "10m"),
                null,
                null,
                null,
                null));
    assertThat(text(spark.read().format("delta").load(table).select("id", "at")))
        .containsExactly(
            "{\"id\":1,\"at\":\"2026-03-27T08:00:00.000Z\"}",
            "{\"id\":2,\"at\":\"2026-03-27T09:11:00.000Z\"}");
    assertThat(result.rows()).isEqualTo(3);
    assertThat(result.updated()).isEqualTo(1);
    assertThat(result.inserted()).isZero();
    assertThat(result.ignored()).isEqualTo(2);
  }

  @Test
  void anotherSpecUnderTheSameIdIsAnotherJob() {
    BackfillSpec thirds =
        named(spec(NINE, NINE.plusSeconds(1800), new BackfillSpec.Chunks("window", "10m")));
    BackfillSpec halves =
        named(spec(NINE, NINE.plusSeconds(1800), new BackfillSpec.Chunks("window", "15m")));
    run(thirds);
    BackfillResult result = run(halves);
    assertThat(result.chunks()).allMatch(chunk -> chunk.status().equals("done"));
    assertThat(result.id()).startsWith("nightly/").isNotEqualTo(run(thirds).id());
  }

  private static BackfillSpec named(BackfillSpec spec) {
    return new BackfillSpec(
        spec.sources(),
        spec.sql(),
        null,
        spec.windows(),
        spec.sink(),
        spec.chunks(),
        "nightly",
        null,
        null,
        null);
  }

  @Test
  void classesComputeWhatSqlCannot() {
    BackfillSpec spec =
        new BackfillSpec(
            List.of(source()),
            null,
            new BackfillSpec.Transform(Totals.class.getName(), null),
            new WindowRange("ws", null, null),
            sink(null),
            null,
            null,
            null,
            null,
            null);
    run(spec);
    assertThat(text(table())).isEqualTo(text(expected("true")));
    assertInvalid(transform("org.example.None"), "there is no class org.example.None");
    assertInvalid(transform("java.lang.String"), "does not implement");
  }

  /** What a user's class may look like. */
  public static final class Totals implements BackfillTransform {
    @Override
    public Dataset<Row> apply(SparkSession session, Map<String, Dataset<Row>> sources) {
      sources.get("orders").createOrReplaceTempView("orders");
      return session.sql(SQL);
    }
  }

  @Test
  void tableThatIsNotThereIsMadeIfTheSpecSaysSo() {
    String table = root.resolve("made").toString();
    BackfillSpec.Sink absent =
        new BackfillSpec.Sink(table, List.of("ws", "product"), null, null, null, null, null, null);
    assertInvalid(with(SQL, absent), "there is no Delta table", "create: true");
    String relative = Path.of("").toAbsolutePath().relativize(Path.of(table)).toString();
    BackfillResult result =
        run(
            with(
                SQL,
                new BackfillSpec.Sink(
                    relative, List.of("ws", "product"), null, null, null, null, true, null)));
    assertThat(result.versionBefore()).isNull();
    assertThat(text(spark.read().format("delta").load(table))).isEqualTo(text(expected("true")));
  }

  private BackfillSpec spec(Instant from, Instant to, BackfillSpec.Chunks chunks) {
    return new BackfillSpec(
        List.of(source()),
        SQL,
        null,
        new WindowRange("ws", from, to),
        sink(null),
        chunks,
        null,
        null,
        null,
        null);
  }

  private BackfillSpec with(String sql, BackfillSpec.Sink sink) {
    return new BackfillSpec(List.of(source()), sql, null, null, sink, null, null, null, null, null);
  }

  private BackfillSpec transform(String className) {
    return new BackfillSpec(
        List.of(source()),
        null,
        new BackfillSpec.Transform(className, null),
        null,
        sink(null),
        null,
        null,
        null,
        null,
        null);
  }

  private static BackfillSpec overlap(
      String rows, String table, String mode, List<OrderColumn> order, String nullKeys) {
    return new BackfillSpec(
        List.of(SourceSpec.delta("overlap", rows, null, null)),
        null,
        null,
        null,
        new BackfillSpec.Sink(table, List.of("id"), mode, order, nullKeys, null, null, null),
        null,
        null,
        null,
        null,
        null);
  }

  private static SourceSpec source() {
    return SourceSpec.delta(
        "orders", lake.rawOrders().toString(), new DeltaPosition(0, -1), new DeltaPosition(6, -1));
  }

  private BackfillSpec.Sink sink(Boolean evolve) {
    return new BackfillSpec.Sink(
        gold, List.of("ws", "product"), null, null, null, evolve, null, null);
  }

  private Dataset<Row> table() {
    return spark.read().format("delta").load(gold);
  }

  private static Dataset<Row> expected(String where) {
    spark
        .read()
        .format("delta")
        .load(lake.rawOrders().toString())
        .createOrReplaceTempView("orders");
    return spark.sql(SQL).where(where);
  }

  private static List<String> text(Dataset<Row> rows) {
    return rows.toJSON().collectAsList().stream().sorted().toList();
  }

  private static BackfillResult run(BackfillSpec spec) {
    try {
      return BackfillJob.run(spark, spec, chunk -> {});
    } catch (IOException stopped) {
      throw new UncheckedIOException(stopped);
    }
  }

  private static void assertInvalid(BackfillSpec spec, String... parts) {
    assertThatThrownBy(() -> run(spec))
        .isInstanceOf(InvalidJobSpecException.class)
        .hasMessageContainingAll(parts);
  }

  private static void assertRefused(BackfillSpec spec, FindingCode code, String part) {
    assertThatThrownBy(() -> run(spec))
        .isInstanceOfSatisfying(
            JobRefusedException.class,
            refused -> {
              assertThat(refused.finding().code()).isEqualTo(code);
              assertThat(refused.finding().message()).contains(part);
            });
  }
}
