package org.streammigrator.jobs.dedup;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.streammigrator.job.DedupResult;
import org.streammigrator.job.DedupSpec;
import org.streammigrator.job.OrderColumn;
import org.streammigrator.jobs.demo.DemoScene;
import org.streammigrator.jobs.session.LocalSpark;

/** Tables with features that a rewritten file or a deletion vector could break. */
@Tag("spark")
class DedupFeaturesTest {
  @TempDir static Path directory;
  private static SparkSession spark;

  @BeforeAll
  static void open() {
    spark = LocalSpark.open("tests", DemoScene.SESSION);
  }

  @Test
  void identityGeneratedColumnsConstraintsPartitionsColumnIdsAndChangeFeed() throws IOException {
    Path table = directory.resolve("generated");
    spark.sql(
        """
        create table delta.`%s` (id bigint not null, at timestamp, v string default 'none',
        day date generated always as (cast(at as date)),
        n bigint generated always as identity (start with 100 increment by 10))
        using delta partitioned by (day)
        tblproperties ('delta.columnMapping.mode' = 'id', 'delta.enableChangeDataFeed' = 'true',
        'delta.enableDeletionVectors' = 'false', 'delta.feature.allowColumnDefaults' = 'supported')
        """
            .formatted(table));
    spark.sql("alter table delta.`%s` add constraint positive check (id >= 0)".formatted(table));
    insert(table, "(id, at, v) values (1, timestamp'2026-03-27 10:00:00', 'a')");
    insert(table, "(id, at, v) values (2, timestamp'2026-03-27 11:00:00', 'b')");
    insert(table, "(id, at, v) values (1, timestamp'2026-03-28 10:00:00', 'c')");
    insert(table, "(id, at) values (1, timestamp'2026-03-28 10:00:00'), (3, null)");

    checked(table, "at", List.of("id"), 1);
    assertThat(strings(read(table), "cast(n as string)")).hasSize(5).contains("100");
    insert(table, "(id, at) values (4, timestamp'2026-03-28 10:00:00')");
    assertThat(read(table).select("n").distinct().count()).as("identity goes on").isEqualTo(6);
  }

  @Test
  void clusteringRowIdsDeletionVectorsAndStrangeKeys() throws IOException {
    Path table = directory.resolve("clustered");
    spark.sql(
        """
        create table delta.`%s` (name string, place struct<x: float, y: binary>,
        at timestamp_ntz, v array<double>) using delta cluster by (at)
        tblproperties ('delta.enableChangeDataFeed' = 'true', 'delta.enableRowTracking' = 'true',
        'delta.enableDeletionVectors' = 'true')
        """
            .formatted(table));
    String one = "named_struct('x', cast(%s as float), 'y', x'00ff')";
    insert(
        table, "values ('a', " + one.formatted("'NaN'") + ", timestamp_ntz'2026-01-01', array(1))");
    insert(table, "values ('a', " + one.formatted("'NaN'") + ", timestamp_ntz'2026-01-02', null)");
    insert(table, "values ('b', " + one.formatted("0.0") + ", timestamp_ntz'2026-01-02', null)");
    insert(
        table,
        "values ('b', "
            + one.formatted("-0.0")
            + ", timestamp_ntz'2026-01-03', null), "
            + "('c', "
            + one.formatted("1")
            + ", null, null)");
    checked(table, "at", List.of("NAME", "place"), 2);
  }

  @Test
  void rowIdsStayWhereFilesAreWrittenAnew() throws IOException {
    Path table = directory.resolve("rowids");
    spark.sql(
        """
        create table delta.`%s` (id decimal(38, 18), at int, v variant) using delta
        tblproperties ('delta.enableChangeDataFeed' = 'true', 'delta.enableRowTracking' = 'true',
        'delta.enableDeletionVectors' = 'false')
        """
            .formatted(table));
    insert(table, "values (1.000000000000000001, 1, parse_json('{\"a\": 1}')), (7, 1, null)");
    insert(table, "values (1.000000000000000001, 2, parse_json('{\"a\": 2}')), (8, 1, null)");
    insert(table, "values (9, 2, null)");
    List<String> before = rowIds(table);
    checked(table, "at", List.of("id"), 1);
    assertThat(before).containsAll(rowIds(table).subList(0, 4));
  }

  private static List<String> rowIds(Path table) {
    return read(table)
        .selectExpr("concat_ws(' ', _metadata.row_id, id, at) as r")
        .orderBy("_metadata.row_id")
        .as(Encoders.STRING())
        .collectAsList();
  }

  /**
   * Removes the later rows of every key, undoes it after another row has come, and leaves the table
   * with that row besides.
   */
  private static void checked(Path table, String order, List<String> keys, long duplicateKeys)
      throws IOException {
    List<String> all = texts(read(table));
    Set<String> files = files(table);
    DedupResult dry = DedupJob.run(spark, spec(table, order, keys, true));
    assertThat(files(table)).isEqualTo(files);

    DedupResult result = DedupJob.run(spark, spec(table, order, keys, false));
    assertThat(result.duplicateKeys()).isEqualTo(duplicateKeys).isEqualTo(dry.duplicateKeys());
    assertThat(result.rowsRemoved()).isEqualTo(dry.rowsRemoved());
    assertThat(result.filesRewritten()).isEqualTo(dry.filesRewritten());
    assertThat(result.sample()).isEqualTo(dry.sample()).hasSize((int) duplicateKeys);
    assertThat(read(table).count()).isEqualTo(all.size() - result.rowsRemoved());
    assertThat(result.versionAfter()).isEqualTo(result.versionBefore() + 1);
    files.removeAll(files(table));
    assertThat(files.size()).isLessThanOrEqualTo((int) result.filesRewritten());
    assertThat(changes(table, result.versionAfter()))
        .hasSize((int) result.rowsRemoved())
        .containsOnly("delete");

    DedupResult undone = DedupJob.run(spark, undo(table, result.versionAfter()));
    assertThat(undone.status()).isEqualTo("undone");
    assertThat(texts(read(table))).isEqualTo(all);
    assertThat(changes(table, undone.versionAfter()))
        .hasSize((int) result.rowsRemoved())
        .containsOnly("insert");
    assertThat(DedupJob.run(spark, undo(table, result.versionAfter())).status())
        .isEqualTo("unchanged");
  }

  private static DedupSpec spec(Path table, String order, List<String> keys, boolean dryRun) {
    return new DedupSpec(
        table.toString(),
        keys,
        List.of(new OrderColumn(order, "asc", "last")),
        null,
        null,
        null,
        dryRun,
        null,
        null,
        null);
  }

  private static DedupSpec undo(Path table, long version) {
    return new DedupSpec(
        table.toString(),
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        new DedupSpec.Undo(version),
        null);
  }

  private static void insert(Path table, String rows) {
    spark.sql("insert into delta.`%s` %s".formatted(table, rows));
  }

  private static Dataset<Row> read(Path table) {
    return spark.read().format("delta").load(table.toString());
  }

  private static List<String> changes(Path table, long version) {
    return strings(
        spark
            .read()
            .format("delta")
            .option("readChangeFeed", "true")
            .option("startingVersion", version)
            .option("endingVersion", version)
            .load(table.toString()),
        "_change_type");
  }

  private static Set<String> files(Path table) {
    return new HashSet<>(strings(read(table), "_metadata.file_path"));
  }

  private static List<String> texts(Dataset<Row> rows) {
    return strings(rows, "to_json(struct(*), map('ignoreNullFields', 'false'))");
  }

  private static List<String> strings(Dataset<Row> rows, String expression) {
    return rows.selectExpr(expression + " as t").orderBy("t").as(Encoders.STRING()).collectAsList();
  }
}
