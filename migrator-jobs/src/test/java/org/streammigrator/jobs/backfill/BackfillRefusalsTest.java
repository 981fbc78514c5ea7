package org.streammigrator.jobs.backfill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delta.tables.DeltaTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
import org.streammigrator.jobs.demo.DemoLake;
import org.streammigrator.jobs.demo.DemoScene;
import org.streammigrator.jobs.lake.LakeTables;
import org.streammigrator.jobs.session.LocalSpark;

/** What a backfill refuses, and what it says; paths here have a blank, a percent sign and more. */
@Tag("spark")
class BackfillRefusalsTest {
  private static final String SQL =
      """
      select window(event_time, '5 minutes').start as ws, product, sum(amount_cents) as total,
        count(*) as n
      from orders group by 1, 2
      """;

  @TempDir private static Path root;
  private static SparkSession spark;
  private static DemoLake lake;
  private static int tables;

  private String gold;

  @BeforeAll
  static void makeLake() {
    spark = LocalSpark.open("tests", DemoScene.SESSION);
    lake = DemoLake.at(root.resolve("the lake %41=1 ä"));
    lake.write(spark, 0, 1);
  }

  @BeforeEach
  void makeTable() {
    gold = root.resolve("gold %41=1 ä " + tables++).toString();
    DeltaTable.create(spark)
        .location(gold)
        .addColumn("ws", "timestamp")
        .addColumn("product", "string")
        .addColumn("total", "bigint")
        .addColumn("n", "bigint")
        .execute();
  }

  @Test
  void columnsOfBothSidesHaveToBeTheSame() {
    String more = "select *, 1 as extra from (" + SQL + ")";
    assertInvalid(with(more, sink(null)), "lacks extra");
    assertInvalid(with("select ws, product, total from (" + SQL + ")", sink(null)), "lacks n");
    run(with(more, sink(true)));
    assertThat(table().columns()).containsExactly("ws", "product", "total", "n", "extra");
  }

  @Test
  void specsThatCannotRunSayWhy() {
    assertInvalid(with("select nothing from orders", sink(null)), "sql:", "nothing");
    assertInvalid(with("drop table x", sink(null)), "sql:");
    assertInvalid(with("select 1 as a, 2 as A", sink(null)), "two columns are called");
    BackfillSpec.Sink wrong =
        new BackfillSpec.Sink(gold, List.of("w"), null, null, null, null, null, null);
    assertInvalid(with(SQL, wrong), "sink.keys", "no column w");
    BackfillSpec.Sink other =
        new BackfillSpec.Sink(
            gold, List.of("ws", "product"), null, null, null, null, null, "another");
    assertThatThrownBy(() -> run(with(SQL, other)))
        .isInstanceOfSatisfying(
            JobRefusedException.class, refused -> assertThat(refused.isChanged()).isTrue());
    assertThat(DeltaTable.forPath(spark, gold).history().count()).isEqualTo(1);
  }

  @Test
  void whatARerunWouldComputeOtherwiseIsRefused() {
    assertInvalid(
        with("select current_timestamp() as ws, 'a' as product, 1L as total, 1L as n", sink(null)),
        "the clock");
    assertInvalid(
        with("select now() as ws, 'a' as product, 1L as total, 1L as n", sink(null)), "the clock");
    assertInvalid(
        with(
            "select ws, product, cast(total * rand() as bigint) as total, n from (" + SQL + ")",
            sink(null)),
        "chance");
    assertInvalid(
        with(
            "select * from (" + SQL + ") where ws < (select max(current_date()) from orders)",
            sink(null)),
        "the clock");
  }

  @Test
  void valuesThatDoNotFitAreRefused() {
    assertInvalid(
        with(SQL.replace("sum(amount_cents)", "avg(amount_cents)"), sink(null)),
        "the column total",
        "bigint",
        "double");
  }

  @Test
  void columnsWithoutAnOrderAreRefusedBeforeATableIsMade() {
    String table = root.resolve("not made").toString();
    BackfillSpec.Sink sink =
        new BackfillSpec.Sink(
            table,
            List.of("product"),
            null,
            List.of(new OrderColumn("v", null, null)),
            null,
            null,
            true,
            null);
    assertInvalid(
        with("select product, parse_json('1') as v from orders", sink), "sink.order", "no order");
    assertThat(LakeTables.exists(spark, table)).isFalse();
  }

  @Test
  void restoredTableIsNotTakenForDone() {
    BackfillSpec spec = with(SQL, sink(null));
    assertThat(run(spec).versionAfter()).isEqualTo(1);
    spark.sql("insert into delta.`" + gold + "` values (null, 'later', 1, 1)");
    DeltaTable.forPath(spark, gold).restoreToVersion(1);
    assertThat(run(spec).chunks().get(0).status()).isEqualTo("done-before");
    DeltaTable.forPath(spark, gold).restoreToVersion(0);
    assertThatThrownBy(() -> run(spec))
        .isInstanceOfSatisfying(
            JobRefusedException.class,
            refused ->
                assertThat(refused.finding().code()).isEqualTo(FindingCode.SINK_BATCHES_SKIPPED));
  }

  @Test
  void finishedJobNeedsItsSourcesNoMore() throws IOException {
    DemoLake gone = DemoLake.at(root.resolve("gone"));
    gone.write(spark, 0, 1);
    BackfillSpec spec =
        new BackfillSpec(
            List.of(SourceSpec.delta("orders", gone.rawOrders().toString(), null, null)),
            SQL,
            null,
            null,
            sink(null),
            null,
            null,
            null,
            null,
            null);
    BackfillResult first = run(spec);
    Files.delete(gone.rawOrders().resolve("_delta_log/00000000000000000000.json"));
    BackfillResult again = run(spec);
    assertThat(again.inserted()).isEqualTo(first.inserted());
    assertThat(again.sources().get(0).to()).hasToString("{\"version\":1,\"index\":-1}");
  }

  @Test
  void sourceThatNothingReadsIsNotCounted() throws IOException {
    Path unused = Files.createDirectories(root.resolve("unused"));
    Files.writeString(unused.resolve("a.json"), "{\"a\":1}\n");
    SourceSpec files = SourceSpec.files("unused", unused.toString(), "json").schema("a int");
    BackfillResult result =
        run(
            new BackfillSpec(
                List.of(source(), files),
                SQL,
                null,
                null,
                sink(null),
                null,
                null,
                null,
                null,
                null));
    assertThat(result.sources().get(1).records()).isNull();
    assertThat(result.inserted()).isPositive();
  }

  private BackfillSpec with(String sql, BackfillSpec.Sink sink) {
    return new BackfillSpec(List.of(source()), sql, null, null, sink, null, null, null, null, null);
  }

  private static SourceSpec source() {
    return SourceSpec.delta(
        "orders", lake.rawOrders().toString(), new DeltaPosition(0, -1), new DeltaPosition(1, -1));
  }

  private BackfillSpec.Sink sink(Boolean evolve) {
    return new BackfillSpec.Sink(
        gold, List.of("ws", "product"), null, null, null, evolve, null, null);
  }

  private Dataset<Row> table() {
    return spark.read().format("delta").load(gold);
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
}
