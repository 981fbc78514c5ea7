package org.streammigrator.jobs.dedup;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.streammigrator.job.DedupResult;
import org.streammigrator.job.DedupSpec;
import org.streammigrator.job.OrderColumn;
import org.streammigrator.jobs.demo.DemoScene;
import org.streammigrator.jobs.session.LocalSpark;

/** Random tables against a window function in SQL; more of them with {@code -Ddedup.seeds}. */
@Tag("spark")
class DedupPropertyTest {
  private static final int SEEDS = Integer.getInteger("dedup.seeds", 1);
  private static final long FIRST = Long.getLong("dedup.firstSeed", 1);
  private static final List<String> KEYS = List.of("ID", "Größe.m`");

  @TempDir static Path directory;
  private static SparkSession spark;

  @BeforeAll
  static void open() {
    spark = LocalSpark.open("tests", DemoScene.SESSION);
  }

  static List<Long> seeds() {
    List<Long> seeds = new ArrayList<>();
    for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
      seeds.add(seed);
    }
    return seeds;
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void survivorsAreThoseOfTheOracle(long seed) throws IOException {
    Random random = new Random(seed);
    boolean nulls = random.nextBoolean();
    boolean vectors = seed % 2 == 0;
    boolean last = random.nextBoolean();
    boolean ordered = seed % 3 != 0;
    Path table = directory.resolve("t " + seed);
    new RandomTable(seed, 40, nulls)
        .write(
            spark,
            table,
            random.nextBoolean(),
            "'delta.enableDeletionVectors' = '" + vectors + "'");
    if (vectors) {
      spark.sql("delete from delta.`%s` where id %% 7 = 3".formatted(table));
    }
    DedupSpec spec =
        new DedupSpec(
            table.toString(),
            KEYS,
            ordered ? List.of(new OrderColumn("event_time", "desc", "last")) : List.of(),
            null,
            last ? "last" : "first",
            nulls ? "value" : null,
            null,
            null,
            null,
            null);

    Dataset<Row> before = read(table);
    List<String> all = texts(before);
    List<String> expected = texts(oracle(before, ordered, last));
    long keysRepeated = before.groupBy("id", "`Größe.m```").count().where("count > 1").count();
    Set<String> holding = files(spark.sql(losers(ordered, last)));
    Set<String> filesBefore = files(before);

    DedupResult result = DedupJob.run(spark, spec);

    assertThat(texts(read(table))).isEqualTo(expected);
    assertThat(result.status()).isEqualTo("done");
    assertThat(result.duplicateKeys()).isEqualTo(keysRepeated);
    assertThat(result.rowsRemoved()).isEqualTo(all.size() - expected.size());
    Set<String> untouched = new HashSet<>(filesBefore);
    untouched.removeAll(files(read(table)));
    if (!vectors) {
      assertThat(untouched).as("files that were replaced").isEqualTo(holding);
      assertThat(result.filesRewritten()).isEqualTo(holding.size());
    } else {
      assertThat(filesBefore).as("no data file is written").containsAll(files(read(table)));
    }
    assertThat(DedupJob.run(spark, spec).status()).isEqualTo("unchanged");

    spark.sql("insert into delta.`%s` (id) values (-1)".formatted(table));
    DedupResult undone = DedupJob.run(spark, undo(table, result.versionAfter()));
    assertThat(undone.rowsRestored()).isEqualTo(result.rowsRemoved());
    assertThat(texts(read(table).where("id is null or id <> -1"))).isEqualTo(all);
    assertThat(DedupJob.run(spark, undo(table, result.versionAfter())).status())
        .isEqualTo("unchanged");
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

  /** Rows are numbered by what decides, in plain SQL; the map decides by its text. */
  private static Dataset<Row> oracle(Dataset<Row> rows, boolean ordered, boolean last) {
    rows.selectExpr("*", "_metadata.file_path as f").createOrReplaceTempView("before");
    return spark.sql("select * except (rn, f) from (" + numbered(ordered, last) + ") where rn = 1");
  }

  private static String losers(boolean ordered, boolean last) {
    return "select f from (" + numbered(ordered, last) + ") where rn > 1";
  }

  private static String numbered(boolean ordered, boolean last) {
    String declared =
        !ordered ? "" : last ? "event_time asc nulls first, " : "event_time desc nulls last, ";
    String usual = last ? " desc nulls last" : " asc nulls first";
    List<String> rest = new ArrayList<>(List.of("amount", "to_json(struct(tags))", "day", "f"));
    if (!ordered) {
      rest.add(0, "event_time");
    }
    return "select *, row_number() over (partition by id, `Größe.m``` order by %s) as rn from before"
        .formatted(declared + String.join(usual + ", ", rest) + usual);
  }

  private static Dataset<Row> read(Path table) {
    return spark.read().format("delta").load(table.toString());
  }

  private static Set<String> files(Dataset<Row> rows) {
    Dataset<Row> files =
        Arrays.asList(rows.columns()).contains("f")
            ? rows.select("f")
            : rows.selectExpr("_metadata.file_path as f");
    return new HashSet<>(files.distinct().as(Encoders.STRING()).collectAsList());
  }

  private static List<String> texts(Dataset<Row> rows) {
    return rows.selectExpr("to_json(struct(*), map('ignoreNullFields', 'false')) as t")
        .orderBy("t")
        .as(Encoders.STRING())
        .collectAsList();
  }
}
