package org.streammigrator.jobs.dedup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.streammigrator.job.DedupResult;
import org.streammigrator.job.DedupSpec;
import org.streammigrator.job.JobRefusedException;
import org.streammigrator.job.OrderColumn;
import org.streammigrator.jobs.demo.DemoScene;
import org.streammigrator.jobs.session.LocalSpark;

/** Only a part of a table, and an undo that is too late. */
@Tag("spark")
class DedupScopeTest {
  @TempDir static Path directory;
  private static SparkSession spark;

  @BeforeAll
  static void open() {
    spark = LocalSpark.open("tests", DemoScene.SESSION);
  }

  @Test
  void onlyRowsSinceAVersionGoAndOlderOnesStay() throws IOException {
    Path table = table("since");
    insert(table, "(1, 'old', 'x'), (1, 'older', 'x'), (2, 'old', 'x')"); // 1
    insert(table, "(5, 'old', 'y')"); // 2
    spark.sql("optimize delta.`%s`".formatted(table)); // 3: moves old rows
    insert(table, "(1, 'a first', 'x'), (3, 'new', 'x')"); // 4
    insert(table, "(3, 'newer', 'x'), (4, 'new', 'x')"); // 5
    spark.sql("delete from delta.`%s` where id = 5".formatted(table)); // 6
    DedupResult result = DedupJob.run(spark, spec(table, since(3)));
    assertThat(result.rowsRemoved()).isEqualTo(2);
    assertThat(result.duplicateKeys()).isEqualTo(2);
    assertThat(result.tiedKeys()).as("the order decides").isZero();
    assertThat(rows(table)).containsExactly("1 old", "1 older", "2 old", "3 new", "4 new");
    assertThat(DedupJob.run(spark, spec(table, since(5))).status()).isEqualTo("unchanged");
    spark.sql("optimize delta.`%s`".formatted(table));
    assertThatThrownBy(() -> DedupJob.run(spark, spec(table, since(3))))
        .isInstanceOf(JobRefusedException.class)
        .hasMessageContainingAll("ROW_AGE_UNKNOWN", "OPTIMIZE", "version 3");
    assertThat(DedupJob.run(spark, spec(table, since(0))).rowsRemoved()).isEqualTo(1);
  }

  @Test
  void oldRowsThatAreChangedWithDeletionVectorsStayOld() throws IOException {
    Path table = table("vectors", true);
    spark.sql(
        """
        insert into delta.`%s` select /*+ coalesce(1) */ * from
        values (1, 'old', 'x'), (2, 'old', 'x'), (3, 'old', 'x')
        """
            .formatted(table)); // 1
    insert(table, "(1, 'new', 'x')"); // 2
    spark.sql("update delta.`%s` set v = 'told' where v = 'old' and id = 1".formatted(table)); // 3
    assertThat(Set.copyOf(live(table))).as("the old file stays, with a vector").hasSize(3);
    assertThat(DedupJob.run(spark, spec(table, since(2))).rowsRemoved()).isEqualTo(1);
    assertThat(rows(table)).containsExactly("1 told", "2 old", "3 old");
    spark.sql(
        """
        merge into delta.`%s` t using (select 2L as id, 'x' as part) s on t.id = s.id
        when matched then update set v = 'merged' when not matched then insert (id) values (s.id)
        """
            .formatted(table));
    assertThatThrownBy(() -> DedupJob.run(spark, spec(table, since(2))))
        .isInstanceOf(JobRefusedException.class)
        .hasMessageContainingAll("ROW_AGE_UNKNOWN", "MERGE");
  }

  @Test
  void newRowsThatDifferFromAnOlderOneNeedAnOrder() throws IOException {
    Path table = table("differ");
    insert(table, "(1, 'b', 'x'), (2, 'same', 'x')"); // 1
    insert(table, "(2, 'same', 'x')"); // 2
    assertThat(DedupJob.run(spark, plain(table, since(2), null)).rowsRemoved()).isEqualTo(1);
    insert(table, "(1, 'a', 'x')"); // 4
    assertThatThrownBy(() -> DedupJob.run(spark, plain(table, since(4), null)))
        .isInstanceOf(JobRefusedException.class)
        .hasMessageContainingAll("ROWS_DIFFER", "{\"id\":1}");
    assertThat(rows(table)).containsExactly("1 a", "1 b", "2 same");
    DedupResult result = DedupJob.run(spark, plain(table, since(4), "first"));
    assertThat(result.tiedKeys()).isEqualTo(1);
    assertThat(rows(table)).containsExactly("1 b", "2 same");
  }

  @Test
  void onlyRowsOfAPartitionOrACondition() throws IOException {
    Path table = table("parts");
    insert(table, "(1, 'a', 'x'), (1, 'b', 'x'), (1, 'c', 'y'), (1, 'd', 'y'), (2, 'e', 'y')");
    assertThat(
            DedupJob.run(spark, spec(table, new DedupSpec.Scope(null, null, Map.of("PART", "x"))))
                .rowsRemoved())
        .isEqualTo(1);
    assertThat(rows(table)).containsExactly("1 a", "1 c", "1 d", "2 e");
    assertThat(
            DedupJob.run(spark, spec(table, new DedupSpec.Scope(null, "v <> 'c'", null)))
                .rowsRemoved())
        .isEqualTo(1);
    assertThat(rows(table)).containsExactly("1 a", "1 c", "2 e");
  }

  @Test
  void undoIsRefusedWhenTheRowsAreGone() throws IOException {
    Path table = table("vacuumed");
    insert(table, "(1, 'a', 'x'), (1, 'b', 'x')");
    DedupResult result = DedupJob.run(spark, spec(table, null));
    spark.sql("insert into delta.`%s` values (7, 'later', 'x')".formatted(table));
    DedupSpec undo =
        new DedupSpec(
            table.toString(),
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            new DedupSpec.Undo(result.versionAfter()),
            null);
    try (Stream<Path> files = Files.walk(table.resolve("part=x"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        if (!live(table).contains(file.getFileName().toString())) {
          Files.delete(file);
        }
      }
    }
    List<String> before = rows(table);
    assertThatThrownBy(() -> DedupJob.run(spark, undo))
        .isInstanceOf(JobRefusedException.class)
        .hasMessageContaining("DELTA_FILES_VACUUMED");
    assertThat(rows(table)).isEqualTo(before);
  }

  private static List<String> live(Path table) {
    return spark
        .read()
        .format("delta")
        .load(table.toString())
        .selectExpr("_metadata.file_name")
        .as(Encoders.STRING())
        .collectAsList();
  }

  private static Path table(String name) {
    return table(name, false);
  }

  private static Path table(String name, boolean vectors) {
    Path table = directory.resolve(name);
    spark.sql(
        """
        create table delta.`%s` (id bigint, v string, part string) using delta
        partitioned by (part) tblproperties ('delta.enableDeletionVectors' = '%s')
        """
            .formatted(table, vectors));
    return table;
  }

  private static void insert(Path table, String rows) {
    spark.sql("insert into delta.`%s` values %s".formatted(table, rows));
  }

  private static DedupSpec.Scope since(long version) {
    return new DedupSpec.Scope(version, null, null);
  }

  private static DedupSpec spec(Path table, DedupSpec.Scope scope) {
    return new DedupSpec(
        table.toString(),
        List.of("id"),
        List.of(new OrderColumn("v", null, null)),
        scope,
        null,
        null,
        null,
        null,
        null,
        null);
  }

  private static DedupSpec plain(Path table, DedupSpec.Scope scope, String keep) {
    return new DedupSpec(
        table.toString(), List.of("id"), null, scope, keep, null, null, null, null, null);
  }

  private static List<String> rows(Path table) {
    return spark
        .read()
        .format("delta")
        .load(table.toString())
        .selectExpr("concat(id, ' ', v) as r")
        .orderBy("r")
        .as(Encoders.STRING())
        .collectAsList();
  }
}
