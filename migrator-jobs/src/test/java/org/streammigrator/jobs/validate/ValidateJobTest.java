package org.streammigrator.jobs.validate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.streammigrator.job.DeltaPosition;
import org.streammigrator.job.InvalidJobSpecException;
import org.streammigrator.job.JobRefusedException;
import org.streammigrator.job.SourceSpec;
import org.streammigrator.job.ValidateResult;
import org.streammigrator.job.ValidateSpec;
import org.streammigrator.job.WindowRange;
import org.streammigrator.jobs.demo.DemoLake;
import org.streammigrator.jobs.demo.DemoScene;
import org.streammigrator.jobs.session.LocalSpark;

@Tag("spark")
class ValidateJobTest {
  private static final int COMMIT = DemoLake.FILES_PER_COMMIT * DemoLake.ROWS_PER_FILE;
  private static final String WINDOWS =
      """
      select window(event_time, '5 minutes').start as window_start, sum(amount_cents) as total
      from orders group by 1 -- a comment at the end
      """;

  @TempDir static Path directory;
  private static SparkSession spark;
  private static DemoLake lake;

  @BeforeAll
  static void makeTables() {
    spark = LocalSpark.open("tests", DemoScene.SESSION);
    lake = DemoLake.at(directory.resolve("lake"));
    lake.write(spark, 0, 3);
    write(source(), "same");
  }

  @Test
  void equalTablesAgree() {
    ValidateResult result = run(spec("same", null, null, null, "order_id"));
    assertThat(result.ok()).isTrue();
    assertThat(result.expectedRows()).isEqualTo(3 * COMMIT);
    assertThat(result.actualRows()).isEqualTo(3 * COMMIT);
    assertThat(result.duplicateKeys())
        .as("keys that occur twice in the source may do so in the sink")
        .isZero();
    assertThat(result.source()).isEqualTo(SourceSpec.json(new DeltaPosition(3, -1)));
  }

  @Test
  void oneCopyOfTwoIsMissing() {
    long twice =
        source()
            .groupBy("order_id")
            .count()
            .where("count = 2")
            .select("order_id")
            .first()
            .getLong(0);
    write(
        source()
            .where("order_id <> " + twice)
            .unionByName(source().where("order_id = " + twice).limit(1)),
        "one-missing");
    ValidateResult result = run(spec("one-missing", null, null, null, "order_id"));
    assertThat(result.ok()).isFalse();
    assertThat(result.missing()).isEqualTo(1);
    assertThat(result.extra()).isZero();
    assertThat(result.duplicateKeys()).isZero();
    assertThat(result.examples().missing())
        .singleElement()
        .asString()
        .contains("\"order_id\":" + twice + ",");
  }

  @Test
  void duplicateAndForeignRowsAreExtra() {
    long once =
        source()
            .groupBy("order_id")
            .count()
            .where("count = 1")
            .select("order_id")
            .first()
            .getLong(0);
    Dataset<Row> row = source().where("order_id = " + once);
    Dataset<Row> foreign =
        row.selectExpr(
            "order_id + 9000000 as order_id", "customer", "product", "amount_cents", "event_time");
    write(source().unionByName(row).unionByName(foreign), "extra");
    ValidateResult result = run(spec("extra", null, null, null, "order_id"));
    assertThat(result.ok()).isFalse();
    assertThat(result.missing()).isZero();
    assertThat(result.extra()).isEqualTo(2);
    assertThat(result.duplicateKeys()).isEqualTo(2);
    assertThat(result.examples().extra()).hasSize(2);
  }

  @Test
  void placeInsideACommitIsKept() {
    long files = 2;
    List<Long> first =
        lake.commit(1).subList(0, (int) files * DemoLake.ROWS_PER_FILE).stream()
            .map(order -> order.orderId())
            .toList();
    long wholeCommit = lake.commit(0).stream().mapToLong(order -> order.orderId()).sum();
    long expected = wholeCommit + first.stream().mapToLong(Long::longValue).sum();
    ValidateResult result =
        run(
            spec(
                "same",
                new DeltaPosition(1, files - 1),
                "select sum(order_id) as order_id, count(*) as amount_cents from orders",
                null));
    assertThat(result.examples().missing())
        .containsExactly(
            "{\"order_id\":%d,\"amount_cents\":%d}".formatted(expected, COMMIT + first.size()));
    assertThat(result.source()).isEqualTo(SourceSpec.json(new DeltaPosition(1, files - 1)));
  }

  @ParameterizedTest
  @CsvSource({"0, -1, 0", "0, 0, 25", "2, 3, 300"})
  void placesHoldWhatAStreamHasRead(long version, long index, long rows) {
    ValidateResult result = run(spec("same", new DeltaPosition(version, index), null, null));
    assertThat(result.expectedRows()).isEqualTo(rows);
    assertThat(result.extra()).isEqualTo(3 * COMMIT - rows);
  }

  @Test
  void onlyWindowsInRangeAreCompared() {
    source().createOrReplaceTempView("orders");
    Dataset<Row> totals = spark.sql(WINDOWS);
    write(
        totals.selectExpr(
            "window_start",
            "if(window_start = timestamp'2026-03-27 09:10:00', total + 1, total) as total"),
        "windows");
    Instant wrong = Instant.parse("2026-03-27T09:10:00Z");
    ValidateResult all = run(spec("windows", null, WINDOWS, null, "window_start"));
    assertThat(all.missing()).isEqualTo(1);
    assertThat(all.extra()).isEqualTo(1);
    assertThat(all.duplicateKeys()).isZero();
    ValidateResult before =
        run(spec("windows", null, WINDOWS, windows(Instant.parse("2026-03-27T09:00:00Z"), wrong)));
    assertThat(before.ok()).isTrue();
    assertThat(before.expectedRows()).isEqualTo(2);
    ValidateResult from =
        run(spec("windows", null, WINDOWS, windows(wrong, wrong.plusSeconds(300))));
    assertThat(from.ok()).isFalse();
    assertThat(from.expectedRows()).isEqualTo(1);
  }

  @Test
  void keysThatAreNullAreCountedAndWrongUnlessNullIsAValue() {
    String sql =
        "select if(product = 'tea', null, order_id) as order_id, product as apiToken from orders";
    source().createOrReplaceTempView("orders");
    Dataset<Row> rows = spark.sql(sql);
    write(rows, "nulls");
    long nulls = rows.where("order_id is null").count();
    assertThat(nulls).isPositive();
    ValidateResult refused = run(nulls("nulls", sql, null));
    assertThat(refused.ok()).isFalse();
    assertThat(refused.missing() + refused.extra()).isZero();
    assertThat(refused.nullKeys()).isEqualTo(nulls);
    assertThat(refused.examples().nullKeys())
        .as("what is a secret by its name is not shown")
        .containsExactly("{\"order_id\":null,\"apiToken\":\"***\"}");
    ValidateResult value = run(nulls("nulls", sql, "value"));
    assertThat(value.ok()).isTrue();
    assertThat(value.nullKeys()).isEqualTo(nulls);
  }

  private static ValidateSpec nulls(String sink, String sql, String nullKeys) {
    return new ValidateSpec(
        SourceSpec.delta("orders", lake.rawOrders().toString(), null, null),
        new ValidateSpec.Sink(directory.resolve(sink).toString()),
        List.of("order_id"),
        nullKeys,
        sql,
        null,
        null,
        null,
        null);
  }

  @Test
  void recordsThatCameTooLateAreCounted() {
    DeltaPosition from = new DeltaPosition(1, -1);
    Instant watermark = Instant.parse("2026-03-27T09:10:00Z");
    long late =
        Stream.concat(lake.commit(1).stream(), lake.commit(2).stream())
            .filter(order -> order.eventTime().isBefore(watermark))
            .count();
    assertThat(late).isPositive();
    ValidateResult result = run(late(from, "event_time", watermark));
    assertThat(result.lateRows()).isEqualTo(late);
    assertThat(result.examples().late()).hasSize((int) Math.min(5, late));
    assertThat(result.missing()).as("late records alone are no difference").isZero();
    assertThat(run(late(from, "event_time", Instant.EPOCH)).lateRows()).isZero();
    assertInvalid(late(from, "order_id", watermark), "late.column: order_id is of type bigint");
  }

  private static ValidateSpec late(DeltaPosition from, String column, Instant before) {
    return new ValidateSpec(
        SourceSpec.delta("orders", lake.rawOrders().toString(), from, null),
        new ValidateSpec.Sink(directory.resolve("same").toString()),
        List.of(),
        null,
        null,
        null,
        new ValidateSpec.Late(column, before),
        null,
        null);
  }

  @Test
  void specsThatCannotRunSayWhy() {
    assertInvalid(spec("nowhere", null, null, null), "there is no Delta table at", "nowhere");
    assertInvalid(spec("same", null, null, null, "id"), "keys", "no column id", "order_id");
    assertInvalid(spec("same", null, "select order_id frm orders where", null), "sql: ");
    assertInvalid(spec("same", null, "drop view orders", null), "sql: ");
    assertInvalid(spec("same", null, "select nothing from orders", null), "sql: ", "nothing");
    assertInvalid(spec("same", null, "select 1 as one from orders", null), "no column one");
    assertInvalid(
        spec("same", null, "select order_id, map(1, 2) as product from orders", null), "maps");
    assertInvalid(
        spec("same", new DeltaPosition(4, -1), null, null), "version 4", "ends with version 2");
    assertInvalid(
        spec("same", new DeltaPosition(2, 4), null, null), "has 4 files to read", "no file 4");
    assertInvalid(
        spec("same", new DeltaPosition(2, 12, true, null), null, null), "snapshot", "no file 12");
    assertThatThrownBy(() -> run(spec("same", new DeltaPosition(2, -1, false, "no"), null, null)))
        .isInstanceOf(JobRefusedException.class)
        .hasMessageContaining("belongs to the table no");
    assertInvalid(
        spec("same", null, null, new WindowRange("order_id", Instant.EPOCH, Instant.EPOCH)),
        "order_id is of type bigint");
  }

  private static void assertInvalid(ValidateSpec spec, String... parts) {
    assertThatThrownBy(() -> run(spec))
        .isInstanceOf(InvalidJobSpecException.class)
        .hasMessageContainingAll(parts);
  }

  private static ValidateResult run(ValidateSpec spec) {
    return ValidateJob.run(spark, spec);
  }

  private static ValidateSpec spec(
      String sink, DeltaPosition to, String sql, WindowRange windows, String... keys) {
    return new ValidateSpec(
        SourceSpec.delta("orders", lake.rawOrders().toString(), null, to),
        new ValidateSpec.Sink(directory.resolve(sink).toString()),
        List.of(keys),
        null,
        sql,
        windows,
        null,
        null,
        null);
  }

  private static WindowRange windows(Instant from, Instant to) {
    return new WindowRange("window_start", from, to);
  }

  private static Dataset<Row> source() {
    return spark.read().format("delta").load(lake.rawOrders().toString());
  }

  private static void write(Dataset<Row> rows, String sink) {
    rows.coalesce(1).write().format("delta").save(directory.resolve(sink).toString());
  }
}
