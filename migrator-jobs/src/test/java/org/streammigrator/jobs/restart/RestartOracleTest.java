package org.streammigrator.jobs.restart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.Severity;
import org.streammigrator.jobs.demo.DemoScene;
import org.streammigrator.jobs.session.LocalSpark;

/**
 * Damages copies of real checkpoints, asks the reader what Spark would do with each, and then lets
 * Spark do it: whether it restarts, with which batch, from which position, and whether the sink
 * holds everything once in the end. Where it does not, a finding has to have said so.
 */
@Tag("spark")
class RestartOracleTest {
  /** The old queries run twice; a snapshot of their state is made in between. */
  private static final int FIRST_RUN = 3;

  @TempDir static Path shared;
  private static SparkSession spark;
  private static final Map<OldQuery, Map<Long, List<String>>> SINKS = new EnumMap<>(OldQuery.class);

  @BeforeAll
  static void runTheOldQueries() throws IOException {
    spark = LocalSpark.open("tests", DemoScene.SESSION);
    for (OldQuery query : OldQuery.values()) {
      Map<Long, List<String>> batches = new TreeMap<>(run(query, 0, FIRST_RUN, true).batches());
      batches.putAll(run(query, FIRST_RUN, OldQuery.BATCHES, false).batches());
      assertThat(batches.keySet()).as(query.name()).hasSize(OldQuery.BATCHES);
      SINKS.put(query, batches);
      query.addInput(spark, input(query), OldQuery.BATCHES);
    }
  }

  private static RestartRun run(OldQuery query, int from, int to, boolean snapshot)
      throws IOException {
    for (int number = from; number < to; number++) {
      query.addInput(spark, input(query), number);
    }
    RestartRun run = restart(query, checkpoint(query));
    assertThat(run.failure()).as(query.name()).isEmpty();
    run.closeState(checkpoint(query), query.stateful() ? OldQuery.PARTITIONS : 0, snapshot);
    return run;
  }

  private static RestartRun restart(OldQuery query, Path checkpoint) {
    return RestartRun.of(
        spark,
        query.rows(spark, input(query)),
        query.stateful() ? "update" : "append",
        checkpoint,
        query.conf(),
        Trigger.AvailableNow());
  }

  private static Path input(OldQuery query) {
    return shared.resolve("input-" + query.name());
  }

  private static Path checkpoint(OldQuery query) {
    return shared.resolve("checkpoint-" + query.name());
  }

  static List<Damage> damages() {
    List<Damage> all = new ArrayList<>(LogDamages.all());
    all.addAll(StateDamages.all());
    return all;
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("damages")
  void sparkDoesWhatTheReaderSays(Damage damage) throws IOException {
    OldQuery query = damage.query();
    Damaged copy =
        Damaged.copy(checkpoint(query), Files.createTempDirectory(shared, "copy").resolve("c"));
    damage.action().on(copy);
    Answer answer = Answer.of(copy.path());

    RestartRun run = restart(query, copy.path());
    run.closeState(copy.path(), OldQuery.PARTITIONS + 1, false);
    String shown =
        damage
            + (run.restarts() ? " restarts" : " fails with " + run.reason())
            + "; said was "
            + answer.inspection().findings();

    if (damage.undecided().isPresent()) {
      assertThat(answer.inspection().restartable()).as(shown).isNotEqualTo(run.restarts());
      return;
    }
    assertThat(answer.inspection().restartable()).as(shown).isEqualTo(run.restarts());
    if (!run.restarts()) {
      assertThat(answer.inspection().findings()).as(shown).anyMatch(RestartOracleTest::helps);
      return;
    }
    answer.compare(run, shown);
    checkSink(damage, run, answer, shown);
  }

  /** An idempotent sink: what is committed stays, what runs again replaces. */
  private static void checkSink(Damage damage, RestartRun run, Answer answer, String shown) {
    Map<Long, List<String>> batches = new TreeMap<>(SINKS.get(damage.query()));
    Long committed = answer.resume().batch();
    batches.keySet().removeIf(batch -> committed == null || batch > committed);
    batches.putAll(run.batches());
    boolean exact = damage.query().sink(batches).equals(damage.query().everything());
    if (!exact && damage.unseen().isEmpty()) {
      assertThat(answer.inspection().findings())
          .as(shown + " and the sink holds " + damage.query().sink(batches))
          .anyMatch(RestartOracleTest::helps);
    }
  }

  private static boolean helps(Finding finding) {
    return finding.severity() == Severity.ERROR
        && !finding.message().isBlank()
        && !finding.remedy().isBlank();
  }
}
