package org.streammigrator.jobs.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.delta.DeltaLog;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.job.DeltaPosition;
import org.streammigrator.job.InvalidJobSpecException;
import org.streammigrator.job.JobRefusedException;
import org.streammigrator.job.SourceSpec;
import org.streammigrator.jobs.demo.DemoScene;
import org.streammigrator.jobs.session.LocalSpark;

@Tag("spark")
class DeltaRangeTest {
  @TempDir private Path directory;
  private static SparkSession spark;

  @BeforeAll
  static void openSession() {
    spark = LocalSpark.open("tests", DemoScene.SESSION);
  }

  @Test
  void rangesOfAppendsAreWhatAStreamReads() throws Exception {
    String table = table("plain", "");
    append(table, 0, 3, 4);
    append(table, 100, 2, 4);
    spark.sql("optimize delta.`" + table + "`");
    append(table, 200, 3, 5);
    assertSame(stream(table, Map.of("startingVersion", "0")), table, null);
    // Inside the snapshot that a stream begins with, and out of it.
    RecordedStream initial = stream(table, Map.of());
    append(table, 300, 2, 3);
    assertSame(
        RecordedStream.run(reader(table, Map.of()), initial.checkpoint(), initial), table, null);
  }

  @Test
  void rangesOfChangedTablesAreWhatAStreamReads() throws Exception {
    for (String properties : List.of("", "tblproperties('delta.enableDeletionVectors'='true')")) {
      String table = table("changed" + properties.length(), properties);
      append(table, 0, 2, 4);
      append(table, 100, 2, 4);
      spark.sql("delete from delta.`" + table + "` where id % 3 = 0");
      append(table, 200, 2, 4);
      spark.sql("update delta.`" + table + "` set text = 'new' where id % 4 = 1");
      append(table, 300, 1, 4);
      Map<String, String> start = Map.of("startingVersion", "0");
      assertSame(stream(table, with(start, "skipChangeCommits", "true")), table, "skip");
      assertSame(stream(table, with(start, "ignoreChanges", "true")), table, "reemit");
      assertThatThrownBy(
              () -> Sources.open(spark, spec(table, position(0, -1), null, null)).rows().count())
          .isInstanceOfSatisfying(
              JobRefusedException.class,
              refused ->
                  assertThat(refused.finding().code()).isEqualTo(FindingCode.DELTA_CHANGE_COMMITS));
    }
  }

  @Test
  void partitionedAndRenamedColumnsAreRead() throws Exception {
    String table = directory.resolve("mapped").toString();
    spark.sql(
        "create table delta.`"
            + table
            + "` (id bigint, text string, `a b` int) using delta partitioned by (`a b`)"
            + " tblproperties('delta.columnMapping.mode'='name')");
    spark.sql("insert into delta.`" + table + "` select id, 'x', id % 2 from range(10)");
    spark.sql("alter table delta.`" + table + "` rename column text to t");
    spark.sql("insert into delta.`" + table + "` select id, 'y', id % 2 from range(10, 20)");
    List<Row> rows =
        Sources.open(spark, spec(table, position(2, -1), null, null)).rows().collectAsList();
    assertThat(rows).hasSize(10).allMatch(row -> row.getAs("t").equals("y"));
    SourceRead all = Sources.open(spark, spec(table, position(0, -1), null, null));
    assertThat(all.rows().where("t = 'x' and `a b` = 1").count()).isEqualTo(5);
    assertThat(all.records()).hasValue(20);
  }

  @Test
  void changeFeedIsReadBetweenVersions() {
    String table = table("feed", "tblproperties('delta.enableChangeDataFeed'='true')");
    append(table, 0, 1, 4);
    spark.sql("delete from delta.`" + table + "` where id = 2");
    SourceRead read = Sources.open(spark, spec(table, position(2, -1), null, "feed"));
    assertThat(read.rows().select("_change_type", "id").collectAsList())
        .extracting(Row::mkString)
        .containsExactly("delete2");
    assertThat(
            Sources.open(spark, spec(table, position(3, -1), position(3, -1), "feed"))
                .rows()
                .count())
        .isZero();
    assertInvalid(spec(table, position(1, 0), null, "feed"), "between versions");
  }

  @Test
  void endInsideACommitThatRewritesRepeatsNothing() {
    String table = table("rewritten", "");
    append(table, 0, 1, 4);
    spark.sql("update delta.`" + table + "` set text = 'new' where id = 1");
    assertRefused(
        spec(table, null, position(2, 0), null), FindingCode.DELTA_CHANGE_COMMITS, "version 2");
    assertThat(Sources.open(spark, spec(table, null, position(2, -1), null)).rows().count())
        .isEqualTo(4);
    assertInvalid(spec(table, null, null, "feed"), "needs from");
  }

  @Test
  void whatIsGoneIsRefused() throws IOException {
    String table = table("gone", "");
    for (int i = 0; i < 5; i++) {
      append(table, i * 100, 1, 2);
    }
    DeltaLog.forTable(spark, table).checkpoint();
    for (long version = 0; version < 4; version++) {
      Files.delete(log(table, version));
    }
    DeltaLog.clearCache();
    assertRefused(
        spec(table, position(2, -1), null, null),
        FindingCode.DELTA_VERSION_MISSING,
        "2 versions",
        "2 to 3");
    assertThat(Sources.open(spark, spec(table, position(4, -1), null, null)).rows().count())
        .isEqualTo(4);
    String gap = table("gap", "");
    append(gap, 0, 1, 2);
    append(gap, 100, 1, 2);
    Files.delete(log(gap, 1));
    DeltaLog.clearCache();
    assertRefused(
        spec(gap, position(1, -1), null, null),
        FindingCode.DELTA_VERSION_MISSING,
        "not contiguous");
    String vacuumed = table("vacuumed", "");
    append(vacuumed, 0, 1, 2);
    try (Stream<Path> files = Files.list(Path.of(vacuumed))) {
      Files.delete(
          files.filter(file -> file.toString().endsWith(".parquet")).findFirst().orElseThrow());
    }
    assertRefused(
        spec(vacuumed, position(1, -1), null, null), FindingCode.DELTA_FILES_VACUUMED, "parquet");
  }

  private static Path log(String table, long version) {
    return Path.of(table, "_delta_log/%020d.json".formatted(version));
  }

  @Test
  void placesThatAreNotThereAreRefused() {
    String table = table("places", "");
    append(table, 0, 2, 4);
    assertRefused(
        spec(table, position(7, -1), null, null),
        FindingCode.DELTA_AHEAD_OF_TABLE,
        "version 7",
        "ends with version 1");
    assertInvalid(spec(table, position(0, -1), position(3, -1), null), "not written yet");
    assertInvalid(spec(table, position(1, 2), position(1, 5), null), "there is no file 5");
    assertInvalid(spec(table, position(1, -1), position(1, 9), null), "no file 9");
    assertInvalid(spec(table, position(2, -1), position(1, 0), null), "not after from");
    assertInvalid(spec(directory.resolve("none").toString(), null, null, null), "no Delta table");
    assertThatThrownBy(
            () ->
                Sources.open(
                    spark,
                    spec(
                        table,
                        SourceSpec.json(new DeltaPosition(0, -1, null, "another")),
                        null,
                        null)))
        .isInstanceOfSatisfying(
            JobRefusedException.class, refused -> assertThat(refused.isChanged()).isTrue());
  }

  /** Every range between two places where the stream has stood gives what it has read there. */
  private void assertSame(RecordedStream stream, String table, String changes) {
    assertThat(stream.last()).isGreaterThan(4);
    SplittableRandom random = new SplittableRandom(stream.last());
    for (int through = 0; through <= stream.last(); through++) {
      for (int after :
          List.of(random.nextBoolean() ? through - 1 : random.nextInt(-1, through + 1))) {
        JsonNode from = after < 0 ? position(0, -1) : place(stream.offsets().get(after));
        if (after < 0 && stream.offsets().get(0).path("isStartingVersion").asBoolean()) {
          from = null;
        }
        SourceRead read =
            Sources.open(spark, spec(table, from, place(stream.offsets().get(through)), changes));
        assertThat(RecordedStream.text(read.rows()))
            .as("%s after %d through %d", changes, after, through)
            .isEqualTo(stream.between(after, through));
      }
    }
  }

  private RecordedStream stream(String table, Map<String, String> options) throws Exception {
    return RecordedStream.run(
        reader(table, options),
        Files.createTempDirectory(directory, "chk"),
        new RecordedStream(List.of(), List.of(), null));
  }

  private static Dataset<Row> reader(String table, Map<String, String> options) {
    return spark
        .readStream()
        .format("delta")
        .options(options)
        .option("maxFilesPerTrigger", 1)
        .load(table);
  }

  private static Map<String, String> with(Map<String, String> options, String key, String value) {
    Map<String, String> more = new HashMap<>(options);
    more.put(key, value);
    return more;
  }

  private static JsonNode place(JsonNode offset) {
    ObjectNode place =
        JsonNodeFactory.instance
            .objectNode()
            .put("version", offset.path("reservoirVersion").asLong())
            .put("index", offset.path("index").asLong())
            .put("tableId", offset.path("reservoirId").asText());
    return offset.path("isStartingVersion").asBoolean()
        ? place.put("initialSnapshot", true)
        : place;
  }

  private String table(String name, String properties) {
    String table = directory.resolve(name).toString();
    spark.sql(
        "create table delta.`" + table + "` (id bigint, text string) using delta " + properties);
    return table;
  }

  private static void append(String table, long from, int files, int rowsOfEach) {
    spark
        .range(from, from + (long) files * rowsOfEach, 1, files)
        .selectExpr("id", "concat('row ', id) as text")
        .write()
        .format("delta")
        .mode("append")
        .save(table);
  }

  private static JsonNode position(long version, long index) {
    return SourceSpec.json(new DeltaPosition(version, index));
  }

  private static SourceSpec spec(String table, JsonNode from, JsonNode to, String changes) {
    return SourceSpec.delta("s", table).changes(changes).from(from).to(to);
  }

  private static void assertRefused(SourceSpec spec, FindingCode code, String... parts) {
    assertThatThrownBy(() -> Sources.open(spark, spec))
        .isInstanceOfSatisfying(
            JobRefusedException.class,
            refused -> {
              assertThat(refused.finding().code()).isEqualTo(code);
              assertThat(refused.finding().message()).contains(parts);
            });
  }

  private static void assertInvalid(SourceSpec spec, String... parts) {
    assertThatThrownBy(() -> Sources.open(spark, spec))
        .isInstanceOf(InvalidJobSpecException.class)
        .hasMessageContainingAll(parts);
  }
}
