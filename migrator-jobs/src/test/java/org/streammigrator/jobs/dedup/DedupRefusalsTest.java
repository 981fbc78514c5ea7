package org.streammigrator.jobs.dedup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.job.DedupResult;
import org.streammigrator.job.DedupSpec;
import org.streammigrator.job.InvalidJobSpecException;
import org.streammigrator.job.JobRefusedException;
import org.streammigrator.job.OrderColumn;
import org.streammigrator.jobs.demo.DemoScene;
import org.streammigrator.jobs.session.LocalSpark;

/** What the job does not do, and that it writes nothing then. */
@Tag("spark")
class DedupRefusalsTest {
  @TempDir static Path directory;
  private static SparkSession spark;
  private static Path table;

  @BeforeAll
  static void makeTable() {
    spark = LocalSpark.open("tests", DemoScene.SESSION);
    table = directory.resolve("table");
    create(table, "'delta.enableDeletionVectors' = 'false'");
  }

  private static void create(Path place, String properties) {
    spark.sql(
        """
        create table delta.`%s` (id bigint, m map<string, int>, v variant, s struct<a: int>,
        `a.b` string, day date) using delta partitioned by (day) tblproperties (%s)
        """
            .formatted(place, properties + ", 'delta.columnMapping.mode' = 'name'"));
    spark.sql(
        """
        insert into delta.`%s` values (1, null, null, null, 'x', date'2026-03-27'),
        (1, map('a', 1), null, null, 'x', date'2026-03-27'),
        (null, null, null, null, 'y', date'2026-03-28'), (2, null, null, null, 'z', null)
        """
            .formatted(place));
  }

  @Test
  void specsThatDoNotFitTheTable() throws IOException {
    List<String> before = log(table);
    assertInvalid(with(List.of("none"), null), "no column none", "id, m, v, s, a.b, day");
    assertInvalid(with(List.of("s.a"), null), "no column s.a");
    assertInvalid(with(List.of("m"), null), "m is of type map<string,int>");
    assertInvalid(with(List.of("v"), null), "v is of type variant");
    assertInvalid(with(List.of("id", "ID"), null), "id is named twice");
    assertInvalid(ordered("m"), "order: m is of type map<string,int>, which has no order");
    assertInvalid(ordered("w"), "order: the table has no column w");
    assertInvalid(with(List.of("id"), scope("id >")), "scope.predicate: ");
    assertInvalid(with(List.of("id"), scope("nothing = 1")), "scope.predicate: ", "nothing");
    assertInvalid(with(List.of("id"), scope("id")), "scope.predicate: ");
    assertInvalid(with(List.of("id"), scope("rand() < 0.5")), "does not always say the same");
    assertInvalid(with(List.of("id"), scope("id = (select 1)")), "other rows");
    assertInvalid(with(List.of("id"), since(2)), "version 2 is not written yet");
    assertInvalid(with(List.of("id"), partition("id", "1")), "not partitioned by id, but by day");
    assertInvalid(with(List.of("id"), partition("day", "soon")), "scope.partition.day: 'soon'");
    assertInvalid(spec(directory.resolve("nowhere"), List.of("id"), null), "no Delta table at");
    Path plain = Files.createDirectories(directory.resolve("plain"));
    spark.range(1).write().mode("overwrite").parquet(plain.toString());
    assertInvalid(spec(plain, List.of("id"), null), "no Delta table at");
    assertInvalid(undo(1), "version 1 of", "is no run of this job");
    assertInvalid(undo(9), "ends with version 1");
    assertThat(log(table)).isEqualTo(before);
  }

  @Test
  void nullKeysAreRefusedUnlessNullIsAValue() throws IOException {
    assertRefused(with(List.of("id"), null), FindingCode.NULL_KEYS, "1 rows", "{\"id\":null}");
    DedupResult looked = DedupJob.run(spark, dryRun(List.of("a.b"), "id = 1"));
    assertThat(looked.duplicateKeys()).isEqualTo(1);
  }

  @Test
  void rowsThatDifferNeedAnOrder() {
    assertRefused(with(List.of("id"), scope("id = 1")), FindingCode.ROWS_DIFFER, "{\"id\":1}");
  }

  @Test
  void tablesThatGiveNothingAway() {
    Path place = directory.resolve("append");
    create(place, "'delta.appendOnly' = 'true'");
    assertRefused(spec(place, List.of("id"), null), FindingCode.TABLE_APPEND_ONLY, "appendOnly");
  }

  @Test
  void whatWasDoneAndTakenBackIsNotDone() throws IOException {
    Path place = directory.resolve("back");
    create(place, "'delta.enableDeletionVectors' = 'true'"); // 0, 1
    insert(place, 7); // 2
    assertThat(DedupJob.run(spark, named(place, "b")).versionAfter()).isEqualTo(3);
    insert(place, 8); // 4
    restore(place, 3); // 5: takes nothing of the run back
    assertThat(DedupJob.run(spark, named(place, "b")).status()).isEqualTo("unchanged");
    assertThat(DedupJob.run(spark, undo(place, 3)).versionAfter()).isEqualTo(6);
    assertThat(DedupJob.run(spark, undo(place, 3)).status()).isEqualTo("unchanged");
    assertRefused(named(place, "b"), FindingCode.TXN_APP_ID_REUSED, "version 3", "undone since");
    DedupResult again = DedupJob.run(spark, named(place, "undo-3"));
    assertThat(again.status()).as("an undo has no id of a run").isEqualTo("done"); // 7
    restore(place, 2); // 8
    assertRefused(
        named(place, "undo-3"), FindingCode.TXN_APP_ID_REUSED, "version 7", "version 8 restored");
    assertRefused(undo(place, 7), FindingCode.TXN_APP_ID_REUSED, "version 8 restored");
    assertRefused(undo(place, 3), FindingCode.TXN_APP_ID_REUSED, "version 8 restored");
    assertThat(DedupJob.run(spark, named(place, "c")).rowsRemoved()).isPositive();
  }

  private static void insert(Path place, long id) {
    spark.sql(
        "insert into delta.`%s` (id, day) values (%d, null), (%d, null)".formatted(place, id, id));
  }

  private static void restore(Path place, long version) {
    spark.sql("restore delta.`%s` to version as of %d".formatted(place, version));
  }

  private static DedupSpec named(Path place, String id) {
    return new DedupSpec(
        place.toString(), List.of("id"), null, null, "first", "value", null, id, null, null);
  }

  @Test
  void featuresThatNobodyKnows() throws IOException {
    Path place = directory.resolve("future");
    create(place, "'delta.enableDeletionVectors' = 'true'");
    Path first = place.resolve("_delta_log/00000000000000000000.json");
    String text = Files.readString(first);
    Files.deleteIfExists(place.resolve("_delta_log/.00000000000000000000.json.crc"));
    for (String feature : List.of("\"readerFeatures\":[", "\"writerFeatures\":[")) {
      text = text.replace(feature, feature + "\"timeMachine\",");
    }
    Files.writeString(first, text);
    try (Stream<Path> checksums = Files.list(first.getParent())) {
      for (Path file : checksums.filter(file -> file.toString().endsWith(".crc")).toList()) {
        Files.delete(file);
      }
    }
    org.apache.spark.sql.delta.DeltaLog.clearCache();
    assertRefused(
        spec(place, List.of("id"), null), FindingCode.TABLE_FEATURE_UNSUPPORTED, "timeMachine");
  }

  private static void assertInvalid(DedupSpec spec, String... parts) {
    assertThatThrownBy(() -> DedupJob.run(spark, spec))
        .isInstanceOf(InvalidJobSpecException.class)
        .hasMessageContainingAll(parts);
  }

  private static void assertRefused(DedupSpec spec, FindingCode code, String... parts) {
    assertThatThrownBy(() -> DedupJob.run(spark, spec))
        .isInstanceOf(JobRefusedException.class)
        .hasMessageContaining(code.name())
        .hasMessageContainingAll(parts);
  }

  private static List<String> log(Path place) throws IOException {
    try (Stream<Path> files = Files.list(place.resolve("_delta_log"))) {
      return files.map(Path::toString).sorted().toList();
    }
  }

  private static DedupSpec with(List<String> keys, DedupSpec.Scope scope) {
    return spec(table, keys, scope);
  }

  private static DedupSpec spec(Path place, List<String> keys, DedupSpec.Scope scope) {
    return new DedupSpec(place.toString(), keys, null, scope, null, null, null, null, null, null);
  }

  private static DedupSpec dryRun(List<String> keys, String predicate) {
    return new DedupSpec(
        table.toString(), keys, null, scope(predicate), "first", null, true, null, null, null);
  }

  private static DedupSpec ordered(String column) {
    return new DedupSpec(
        table.toString(),
        List.of("id"),
        List.of(new OrderColumn(column, null, null)),
        null,
        null,
        null,
        null,
        null,
        null,
        null);
  }

  private static DedupSpec undo(long version) {
    return undo(table, version);
  }

  private static DedupSpec undo(Path place, long version) {
    return new DedupSpec(
        place.toString(),
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

  private static DedupSpec.Scope scope(String predicate) {
    return new DedupSpec.Scope(null, predicate, null);
  }

  private static DedupSpec.Scope since(long version) {
    return new DedupSpec.Scope(version, null, null);
  }

  private static DedupSpec.Scope partition(String column, String value) {
    return new DedupSpec.Scope(null, null, Map.of(column, value));
  }
}
