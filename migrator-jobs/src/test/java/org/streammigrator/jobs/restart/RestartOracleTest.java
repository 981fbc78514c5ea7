package org.streammigrator.jobs.restart;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.streaming.state.StateStore;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.streammigrator.checkpoint.CheckpointReader;
import org.streammigrator.checkpoint.OffsetLog;
import org.streammigrator.facts.Facts;
import org.streammigrator.finding.Finding;
import org.streammigrator.jobs.demo.DemoScene;
import org.streammigrator.jobs.session.LocalSpark;
import org.streammigrator.position.Resume;
import org.streammigrator.position.ResumePositions;
import org.streammigrator.storage.LocalStore;
import org.streammigrator.storage.Location;
import org.streammigrator.verdict.Inspection;
import org.streammigrator.verdict.Inspector;

/**
 * Damages copies of real checkpoints, asks the reader what Spark would do with each, and then lets
 * Spark do it: whether it restarts, with which batch, from which position, and whether the sink
 * holds everything once in the end. Where it does not, a finding has to have said so.
 */
@Tag("spark")
class RestartOracleTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  @TempDir static Path shared;
  private static SparkSession spark;
  private static final Map<OldQuery, Map<Long, List<String>>> SINKS = new EnumMap<>(OldQuery.class);

  @TempDir Path directory;

  @BeforeAll
  static void runTheOldQueries() throws IOException {
    spark = LocalSpark.open("tests", DemoScene.SESSION);
    StateStore.stop();
    for (OldQuery query : OldQuery.values()) {
      for (int i = 0; i < OldQuery.BATCHES; i++) {
        query.addInput(spark, input(query), i);
      }
      Map<String, String> conf = new HashMap<>(query.conf());
      conf.put("spark.sql.streaming.stateStore.maintenanceInterval", "200ms");
      RestartRun run =
          RestartRun.of(
              spark, query.rows(spark, input(query)), mode(query), checkpoint(query), conf);
      assertThat(run.failure()).as(query.name()).isEmpty();
      assertThat(run.batches()).as(query.name()).hasSize(OldQuery.BATCHES);
      SINKS.put(query, run.batches());
      query.addInput(spark, input(query), OldQuery.BATCHES);
    }
    StateStore.stop();
  }

  private static Path input(OldQuery query) {
    return shared.resolve("input-" + query.name());
  }

  private static Path checkpoint(OldQuery query) {
    return shared.resolve("checkpoint-" + query.name());
  }

  private static String mode(OldQuery query) {
    return query.stateful() ? "update" : "append";
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
    Damaged copy = Damaged.copy(checkpoint(query), directory.resolve("copy"));
    damage.action().on(copy);
    Answer answer = Answer.of(copy.path());

    RestartRun run =
        RestartRun.of(
            spark, query.rows(spark, input(query)), mode(query), copy.path(), query.conf());
    String shown =
        damage
            + (run.restarts() ? " restarts" : " fails with " + run.reason())
            + "; said was "
            + answer.inspection().findings();

    assertThat(answer.inspection().restartable()).as(shown).isEqualTo(run.restarts());
    if (!run.restarts()) {
      assertThat(answer.inspection().findings()).as(shown).anyMatch(RestartOracleTest::helps);
      return;
    }
    assertThat(run.first()).as(shown).isPresent();
    assertThat(run.first().get().batchId()).as(shown).isEqualTo(answer.firstBatch());
    Optional<String> start = answer.start();
    assertThat(run.start(0).isPresent()).as(shown).isEqualTo(start.isPresent());
    if (start.isPresent()) {
      assertThat(MAPPER.readTree(run.start(0).orElseThrow()))
          .as(shown)
          .isEqualTo(MAPPER.readTree(start.get()));
    }
    if (!answer.losesBatches()) {
      assertThat(answer.resume().batch()).as(shown).isEqualTo(answer.batchBefore());
    }
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
    return finding.severity() == org.streammigrator.finding.Severity.ERROR
        && !finding.message().isBlank()
        && !finding.remedy().isBlank();
  }

  /** What the reader says of a checkpoint. */
  private record Answer(
      Inspection inspection,
      Resume resume,
      Optional<OffsetLog> before,
      Optional<OffsetLog> newest) {

    static Answer of(Path checkpoint) throws IOException {
      CheckpointReader reader = new CheckpointReader(new LocalStore());
      Location location = Location.of(checkpoint);
      org.streammigrator.checkpoint.Checkpoint read = reader.read(location);
      long newest = read.lastPlanned().orElse(-1);
      return new Answer(
          Inspector.inspect(read, Map.of()),
          new ResumePositions(read, Facts.NONE, Map.of()).compute(),
          newest > 0 ? reader.offsets(location, newest - 1).readable() : Optional.empty(),
          newest >= 0 ? reader.offsets(location, newest).readable() : Optional.empty());
    }

    private boolean pending() {
      return !inspection.batches().pending().isEmpty();
    }

    /** The batch that runs first. */
    long firstBatch() {
      Long newest = inspection.batches().lastPlanned();
      return newest == null ? 0 : pending() ? newest : newest + 1;
    }

    Long batchBefore() {
      return firstBatch() == 0 ? null : Long.valueOf(firstBatch() - 1);
    }

    /** Where that batch starts to read the one source. */
    Optional<String> start() {
      return (pending() ? before : newest)
          .map(plan -> plan.sources().get(0).raw())
          .filter(raw -> !raw.equals(OffsetLog.SourceLine.NONE));
    }

    /** Planned batches between the last committed one and the newest are never run. */
    boolean losesBatches() {
      return inspection.batches().pending().size() > 1;
    }
  }
}
