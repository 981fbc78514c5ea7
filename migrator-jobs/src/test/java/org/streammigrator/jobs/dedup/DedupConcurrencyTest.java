package org.streammigrator.jobs.dedup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.streammigrator.job.DedupResult;
import org.streammigrator.job.DedupSpec;
import org.streammigrator.jobs.demo.DemoScene;
import org.streammigrator.jobs.lake.LakeTable;
import org.streammigrator.jobs.lake.RowPositions;
import org.streammigrator.jobs.session.LocalSpark;

/** Other writers at the same time. */
@Tag("spark")
class DedupConcurrencyTest {
  @TempDir static Path directory;
  private static SparkSession spark;

  @BeforeAll
  static void open() {
    spark = LocalSpark.open("tests", DemoScene.SESSION);
  }

  @Test
  void streamGoesOnAndLosesNoRow() throws Exception {
    Path table = directory.resolve("stream");
    spark.sql(
        """
        create table delta.`%s` (id bigint, v string) using delta
        tblproperties ('delta.enableDeletionVectors' = 'false',
        'delta.isolationLevel' = 'Serializable')
        """
            .formatted(table));
    StreamingQuery query =
        spark
            .readStream()
            .format("rate-micro-batch")
            .option("rowsPerBatch", 20)
            .load()
            .selectExpr("value as id", "explode(array('a', 'a', 'b')) as v")
            .writeStream()
            .format("delta")
            .option("checkpointLocation", directory.resolve("chk").toString())
            .start(table.toString());
    long removed = 0;
    try {
      long deadline = System.nanoTime() + 120_000_000_000L;
      while (removed == 0 || rows(table).size() < 100) {
        assertThat(System.nanoTime()).isLessThan(deadline);
        removed += DedupJob.run(spark, spec(table)).rowsRemoved();
      }
      assertThat(query.exception().isEmpty()).isTrue();
    } finally {
      query.stop();
    }
    removed += DedupJob.run(spark, spec(table)).rowsRemoved();
    List<String> rows = rows(table);
    assertThat(removed).isEqualTo(2L * rows.size());
    assertThat(new HashSet<>(rows)).hasSize(rows.size());
    for (int id = 0; id < rows.size(); id++) {
      assertThat(rows).contains(id + " a");
    }
  }

  @Test
  void whatOthersChangeDecidesAgain() {
    Path table = table("changed");
    LakeTable version = open(table);
    spark.sql("update delta.`%s` set v = 'changed' where id = 1 and v = 'a'".formatted(table));
    assertThatThrownBy(() -> remove(version, "id = 1 and v = 'b'", "x"))
        .as("the row that would have stayed is another one now")
        .isInstanceOf(LakeTable.ConflictException.class);
    assertThat(rows(table)).hasSize(5);
  }

  @Test
  void whatOthersAddOrChangeElsewhereDoesNotMatter() {
    Path table = table("elsewhere");
    LakeTable version = open(table);
    spark.sql("update delta.`%s` set v = 'changed' where id = 3".formatted(table));
    spark.sql("insert into delta.`%s` values (1, 'late')".formatted(table));
    LakeTable newer = open(table);
    assertThat(newer.holds(version, holding(version, "id <> 3"))).isTrue();
    assertThat(newer.holds(version, version.files().keySet())).isFalse();
    LakeTable.Commit commit = remove(newer, "id = 1 and v = 'b'", "x");
    assertThat(commit.version()).isEqualTo(newer.version() + 1);
    assertThat(rows(table)).containsExactlyInAnyOrder("1 a", "1 late", "2 a", "2 b", "3 changed");
  }

  @Test
  void sameRunTwiceAtATimeIsDoneOnce() {
    Path table = table("twice");
    LakeTable one = open(table);
    LakeTable other = open(table);
    remove(one, "id = 1 and v = 'b'", "same");
    assertThatThrownBy(() -> remove(other, "id = 2 and v = 'b'", "same"))
        .isInstanceOf(LakeTable.ConflictException.class);
    remove(other, "id = 2 and v = 'b'", "another");
    assertThat(rows(table)).containsExactlyInAnyOrder("1 a", "2 a", "3 a");
  }

  @Test
  void runThatHasANameIsDoneOnce() throws Exception {
    Path table = table("named");
    DedupResult first = DedupJob.run(spark, named(table));
    spark.sql("insert into delta.`%s` values (3, 'again')".formatted(table));
    DedupResult again = DedupJob.run(spark, named(table));
    assertThat(again.status()).isEqualTo("unchanged");
    assertThat(again.rowsRemoved()).isEqualTo(first.rowsRemoved()).isEqualTo(2);
    assertThat(again.versionBefore()).isEqualTo(first.versionBefore());
    assertThat(again.versionAfter()).isEqualTo(first.versionAfter());
    assertThat(rows(table)).hasSize(4);
  }

  private static Path table(String name) {
    Path table = directory.resolve(name);
    spark.sql("create table delta.`%s` (id bigint, v string) using delta".formatted(table));
    for (String rows : List.of("(1, 'a')", "(1, 'b'), (2, 'b')", "(2, 'a')", "(3, 'a')")) {
      spark.sql("insert into delta.`%s` values %s".formatted(table, rows));
    }
    return table;
  }

  private static LakeTable open(Path table) {
    SparkSession.setActiveSession(spark);
    return LakeTable.open(spark, table.toString());
  }

  /** Removes one row; the files of all rows with its id are read. */
  private static LakeTable.Commit remove(LakeTable table, String row, String id) {
    List<Row> place =
        table
            .rows(table.files().keySet())
            .where(row)
            .selectExpr("_metadata.file_path", "_metadata.row_index", "id")
            .collectAsList();
    assertThat(place).hasSize(1);
    BitSet index = new BitSet();
    index.set((int) place.get(0).getLong(1));
    RowPositions rows = new RowPositions();
    rows.add(place.get(0).getString(0), 0, index);
    Set<String> files = holding(table, "id = " + place.get(0).getLong(2));
    return table.remove(rows, files, new LakeTable.Mark(id, 0, "{}"));
  }

  private static Set<String> holding(LakeTable table, String rows) {
    return new HashSet<>(
        table
            .rows()
            .where(rows)
            .selectExpr("_metadata.file_path")
            .as(Encoders.STRING())
            .collectAsList());
  }

  private static DedupSpec spec(Path table) {
    return new DedupSpec(
        table.toString(), List.of("id"), null, null, "first", null, null, null, null, null);
  }

  private static DedupSpec named(Path table) {
    return new DedupSpec(
        table.toString(), List.of("id"), null, null, "first", null, null, "plan 1", null, null);
  }

  private static List<String> rows(Path table) {
    return spark
        .read()
        .format("delta")
        .load(table.toString())
        .selectExpr("concat(id, ' ', v)")
        .as(Encoders.STRING())
        .collectAsList();
  }
}
