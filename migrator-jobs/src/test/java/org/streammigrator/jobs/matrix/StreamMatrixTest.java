package org.streammigrator.jobs.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.jobs.demo.DemoScene;
import org.streammigrator.jobs.session.LocalSpark;

/**
 * A real stream is stopped, also inside a version of its source and with a batch pending that the
 * sink has or has not, moved with a plan, and run to its end: its sink then holds the rows, as
 * often, of a run that was never stopped. What cannot be moved is refused with the code that the
 * rules give.
 *
 * <p>A default build runs twelve combinations. They have every source, operator, store, strategy
 * and kind of pending batch; each strategy with each kind of pending batch but relocating
 * everything with none; replay with each store; Kafka with each strategy; and one that is refused.
 * The whole matrix, or what a pattern finds in it, runs with {@code -Pstream-matrix} and writes
 * what came of it to {@code target/stream-matrix.md}. The sink is a light table that notes batches
 * as Delta does ({@link NotedSink}); with {@code -Dstream.matrix.delta=true} it is a Delta table.
 */
@Tag("spark")
class StreamMatrixTest {
  private static final List<String> DEFAULT =
      List.of(
          "DELTA_MID_VERSION WINDOW_APPEND HDFS RELOCATE_LIVE IN",
          "KAFKA WINDOW_UPDATE CHANGELOG REPLAY NOT_IN",
          "FILES SESSION ROCKSDB REWIND NONE",
          "DELTA_BETWEEN_VERSIONS DEDUPE_EVENT_TIME FORMAT_2 REPLAY IN",
          "FILES DEDUPE_FOR_EVER HDFS REPLAY NONE",
          "DELTA_MID_VERSION JOIN_INNER ROCKSDB REPLAY NOT_IN",
          "KAFKA JOIN_LEFT_OUTER FORMAT_2 RELOCATE_LIVE NOT_IN",
          "DELTA_BETWEEN_VERSIONS FLAT_MAP_GROUPS CHANGELOG RELOCATE_ALL NOT_IN",
          "DELTA_MID_VERSION TRANSFORM_WITH_STATE FORMAT_2 REWIND NOT_IN",
          "FILES DEDUPE_THEN_WINDOW CHANGELOG RELOCATE_LIVE NONE",
          "KAFKA FLAT_MAP_GROUPS HDFS REWIND IN",
          "KAFKA SESSION FORMAT_2 RELOCATE_ALL IN");

  @TempDir static Path shared;
  private static SparkSession spark;
  private static MatrixWorld world;
  private static String open = "";
  private static OldStream old;
  private static Path home;
  private static int number;
  private static MatrixTable table;

  @BeforeAll
  static void start() throws IOException {
    spark = LocalSpark.open("tests", DemoScene.SESSION);
    world = new MatrixWorld(spark, shared);
    String file = System.getProperty("stream.matrix.table");
    table = new MatrixTable(file == null ? null : Path.of(file));
  }

  @AfterAll
  static void stop() throws IOException {
    world.close();
  }

  static Stream<Combination> combinations() {
    String chosen = System.getProperty("stream.matrix");
    if (chosen == null) {
      return DEFAULT.stream().map(Combination::parse);
    }
    Pattern pattern = Pattern.compile(chosen);
    return Combination.all().stream().filter(one -> pattern.matcher(one.toString()).find());
  }

  @ParameterizedTest
  @MethodSource("combinations")
  void goesOnExactly(Combination combination) throws Exception {
    Map<String, String> conf = combination.store().conf(combination.operator());
    if (!isDelta()) {
      // Spark would not let foreachBatch skip a batch, as its own Delta sink does.
      conf.put("spark.sql.streaming.stateStore.commitValidation.enabled", "false");
    }
    Map<String, String> previous = new HashMap<>();
    conf.forEach(
        (key, value) -> {
          previous.put(key, spark.conf().getOption(key).getOrElse(() -> null));
          spark.conf().set(key, value);
        });
    long begun = System.nanoTime();
    try {
      Path directory = Files.createDirectories(stream(combination).resolve("m" + number++));
      Migration.Outcome outcome;
      try {
        outcome = new Migration(world, combination, old, directory, isDelta()).run();
      } catch (Exception | AssertionError failed) {
        table.failed(combination, failed);
        throw failed;
      }
      table.add(combination, outcome);
      List<String> expected = combination.refusal().map(FindingCode::name).stream().toList();
      assertThat(outcome.refusals()).isEqualTo(expected);
      if (combination.mayCountLateRows() && !outcome.differences().isEmpty()) {
        assertThat(outcome.label()).isEqualTo("OVERLAP");
        assertThat(withoutTotals(outcome, "too many: "))
            .isEqualTo(withoutTotals(outcome, "missing: "));
      } else {
        assertThat(outcome.differences()).as(outcome.label()).isEmpty();
      }
      FileUtils.deleteQuietly(directory.toFile());
    } finally {
      previous.forEach(
          (key, value) -> {
            if (value == null) {
              spark.conf().unset(key);
            } else {
              spark.conf().set(key, value);
            }
          });
    }
  }

  /** The rows of one kind that differ, without what they sum up, which comes last. */
  private static List<String> withoutTotals(Migration.Outcome outcome, String kind) {
    return outcome.differences().stream()
        .filter(difference -> difference.startsWith(kind))
        .map(difference -> difference.substring(kind.length(), difference.lastIndexOf(',')))
        .sorted()
        .toList();
  }

  private static boolean isDelta() {
    return Boolean.getBoolean("stream.matrix.delta");
  }

  /** The directory of the stream that a combination moves, which is run if it was not before. */
  private static Path stream(Combination combination) throws Exception {
    String wanted = combination.source() + " " + combination.operator() + " " + combination.store();
    if (!wanted.equals(open)) {
      if (home != null) {
        FileUtils.deleteQuietly(home.toFile());
      }
      open = "";
      home = Files.createDirectories(shared.resolve("stream" + number++));
      old = OldStream.run(world, combination.source(), combination.operator(), home, isDelta());
      open = wanted;
    }
    return home;
  }
}
