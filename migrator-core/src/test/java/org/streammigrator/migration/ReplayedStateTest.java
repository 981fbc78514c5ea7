package org.streammigrator.migration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.streammigrator.job.InvalidJobSpecException;
import org.streammigrator.job.JobFailedException;
import org.streammigrator.job.StateResult;
import org.streammigrator.job.StateResult.Comparison;
import org.streammigrator.job.StateResult.Examples;
import org.streammigrator.job.StateSpec;

/**
 * What a replay makes of state that only Spark can read: where open sessions begin, and whether the
 * rebuilt keys are the old ones. {@code ReplayStrategyTest} has real Spark read it.
 */
class ReplayedStateTest {
  /** The old query had one windowed aggregate. */
  private static final String CHANGED = "changes: [{kind: operator-added}]";

  private static final String SESSION =
      "query: {operators: [{kind: session, gap: 5m}]}\n    " + CHANGED;
  private static final String DEDUPE =
      "query: {operators: [{kind: dedupe, keys: [id, t], eventTime: t}]}\n    " + CHANGED;

  /** Its input is also taken from below the watermark. */
  private static final String WITHIN =
      "query: {operators: [{kind: dedupe-within, keys: id, delay: 7m}]}\n    " + CHANGED;

  @TempDir private Path directory;
  private Console console;
  private ReplayHome home;

  @BeforeEach
  void begin() throws IOException {
    console = new Console(directory);
    home = ReplayHome.at(directory);
  }

  private StateReads reading(Function<StateSpec, StateResult> answer) {
    StateReads reads = new StateReads(answer);
    console.runJobsBy(reads);
    return reads;
  }

  private StateReads sessions(Instant earliest) {
    return reading(spec -> StateReads.result("sessionWindowStateStoreSaveExec", earliest, null));
  }

  /**
   * The session that the earliest row alone would make must not be late: it ends a gap after it.
   *
   * @param start of the earliest open session, in milliseconds before the watermark
   */
  @ParameterizedTest
  @CsvSource({
    "gap: 5m, 600000, 600000, 300001",
    "gap: 5m, 300000, 300000, 1",
    "gap: 5m, 299999, 299999, 0",
    "gap: 5m, 1, 1, 0",
    "gap: 0s, 9, 9, 9",
    "dynamicGap: true, 600000, 600000, 600000",
    "gap: 106751991167d, 600000, 600000, 0",
  })
  void sessionsReachBackToTheEarliestStart(String gap, long start, long back, long late)
      throws IOException {
    StateReads reads = sessions(ReplayHome.WATERMARK.minusMillis(start));
    home.plan("query: {operators: [{kind: session, %s}]}\n    ".formatted(gap) + CHANGED);
    JsonNode stream = home.planned(console);
    assertThat(reads.asked())
        .containsExactly(
            new StateSpec(
                new StateSpec.State(directory.resolve("v1").toRealPath().toString(), 6L),
                null,
                null));
    JsonNode times = stream.at("/replay/range/times");
    assertThat(times.path("earliest").asText())
        .as(stream.toString())
        .isEqualTo(ReplayHome.WATERMARK.minusMillis(back).toString());
    assertThat(times.path("lateMs").asLong()).isEqualTo(ReplayHome.WATERMARK.toEpochMilli() - late);
    assertThat(times.path("sink").asText()).isEqualTo("SCRATCH");
    assertThat(stream.path("exactness").asText()).isEqualTo(late == 0 ? "EXACT" : "OVERLAP");
  }

  @Test
  void withoutOpenSessionsNothingThatIsPassedIsNeeded() throws IOException {
    sessions(null);
    home.plan(SESSION);
    JsonNode times = home.planned(console).at("/replay/range/times");
    assertThat(times.path("earliest").asText()).isEqualTo(ReplayHome.WATERMARK.toString());
    assertThat(times.path("lateMs").asLong()).isEqualTo(ReplayHome.WATERMARK.toEpochMilli());
  }

  /** Batch 6 is in the sink, and its state may be half-written. */
  @Test
  void batchWhoseStateIsNotCommittedMayHaveTakenOlderRows() throws IOException {
    Files.delete(directory.resolve("v1/commits/6"));
    long before = 1774605000000L;
    Path plan = directory.resolve("v1/offsets/5");
    Files.writeString(
        plan,
        Files.readString(plan)
            .replaceFirst("\"batchWatermarkMs\":\\d+", "\"batchWatermarkMs\":" + before));
    Files.deleteIfExists(directory.resolve("v1/offsets/.5.crc"));
    StateReads reads = sessions(ReplayHome.WATERMARK);
    home.plan(SESSION);
    JsonNode stream = home.planned(console);
    assertThat(reads.asked().get(0).state().batch()).isEqualTo(5);
    assertThat(stream.at("/replay/range/times/earliest").asText())
        .as(stream.toString())
        .isEqualTo(Instant.ofEpochMilli(before).minusSeconds(300).toString());
    home.plan(SESSION.replace("gap: 5m", "dynamicGap: true"));
    assertThat(home.planned(console).path("findings").toString())
        .contains("NOT_AVAILABLE", "let the old query commit it");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void stateThatCannotBeReadRefusesSessions(boolean isInvalid) throws IOException {
    reading(
        spec -> {
          throw isInvalid
              ? new InvalidJobSpecException("no names of operators")
              : new JobFailedException("no names of operators");
        });
    home.plan(SESSION);
    JsonNode stream = home.planned(console);
    assertThat(stream.path("refused").asBoolean()).isTrue();
    assertThat(stream.path("findings").toString())
        .contains("NOT_AVAILABLE", "no names of operators");
  }

  /** A window's state tells nothing of the sessions that its rows would make. */
  @Test
  void sessionsInThePlaceOfOtherStateAreRefused() throws IOException {
    reading(spec -> StateReads.result("stateStoreSave", null, null));
    home.plan(SESSION);
    assertThat(home.planned(console).path("findings").toString())
        .contains("NOT_AVAILABLE", "it had no session windows");
  }

  @Test
  void sessionNeedsAGap() throws IOException {
    sessions(ReplayHome.WATERMARK);
    home.plan(SESSION.replace(", gap: 5m", ""));
    assertThat(home.planned(console).path("findings").toString())
        .contains("PLAN_INCOMPLETE", "add gap");
  }

  private int applyAfterTheBatch(String keys, Function<StateSpec, StateResult> answer)
      throws IOException {
    reading(
        spec ->
            spec.against() == null
                ? StateReads.result(
                    "sessionWindowStateStoreSaveExec", ReplayHome.WATERMARK.minusSeconds(400), null)
                : answer.apply(spec));
    home.plan(keys);
    assertThat(console.run("apply", "plan.yaml")).as(console.printed()).isEqualTo(7);
    home.runBatch();
    return console.run("apply", "plan.yaml", "-o", "json");
  }

  private static StateResult differing(long missing, long extra) {
    return StateReads.result(
        "dedupe",
        null,
        new Comparison(
            missing,
            extra,
            new Examples(
                missing == 0 ? List.of() : List.of("{\"id\":7}"),
                extra == 0 ? List.of() : List.of("{\"id\":8}")),
            null));
  }

  @Test
  void sameKeysAreSaidToBeTheSame() throws IOException {
    StateReads reads = StateReads.same();
    console.runJobsBy(reads);
    home.plan(DEDUPE);
    assertThat(console.run("apply", "plan.yaml")).isEqualTo(7);
    assertThat(reads.asked()).as("nothing to compare yet").isEmpty();
    home.runBatch();
    assertThat(console.run("apply", "plan.yaml")).as(console.printed()).isZero();
    assertThat(console.printed()).contains("has the keys that the old state had");
    StateSpec asked = reads.asked().get(0);
    assertThat(asked.state().batch()).isEqualTo(6);
    assertThat(asked.state().checkpoint()).endsWith("v1");
    assertThat(asked.against().batch()).isEqualTo(7);
    assertThat(asked.against().checkpoint()).endsWith("v2");
  }

  @Test
  void keysThatAreMissingAreNotVerifiedUnlessAccepted() throws IOException {
    assertThat(applyAfterTheBatch(DEDUPE, spec -> differing(2, 1))).isEqualTo(6);
    assertThat(console.printed())
        .contains("REPLAY_NOT_VERIFIED", "lacks 2 (such as {\\\"id\\\":7})", "has 1 (such as");
    assertThat(console.run("status", "plan.yaml")).isZero();
    assertThat(console.printed()).contains("part-way");
    assertThat(console.run("apply", "plan.yaml", "--accept", "REPLAY_NOT_VERIFIED"))
        .as(console.printed())
        .isZero();
  }

  /** They may come from rows that the old query dropped as late. */
  @Test
  void moreKeysAreSaidWhereLateRowsCount() throws IOException {
    assertThat(applyAfterTheBatch(WITHIN, spec -> differing(0, 3))).isZero();
    assertThat(console.printed()).contains("REPLAY_NOT_VERIFIED", "dropped as late");
  }

  @Test
  void moreKeysAreNotVerifiedWhereNoLateRowCounts() throws IOException {
    assertThat(applyAfterTheBatch(DEDUPE, spec -> differing(0, 3)))
        .as(console.printed())
        .isEqualTo(6);
  }

  @Test
  void sessionsMustBeTheSame() throws IOException {
    assertThat(applyAfterTheBatch(SESSION, spec -> differing(0, 3))).isEqualTo(6);
  }

  private static StateResult otherKeys() {
    return StateReads.result("dedupe", null, Comparison.impossible("(bigint) and (string)"));
  }

  @Test
  void otherKeysAreNotCompared() throws IOException {
    assertThat(applyAfterTheBatch(DEDUPE, spec -> otherKeys())).isZero();
    assertThat(console.printed()).contains("cannot be told", "(bigint) and (string)");
  }

  @Test
  void sessionsWithOtherKeysAreNotVerified() throws IOException {
    assertThat(applyAfterTheBatch(SESSION, spec -> otherKeys())).isEqualTo(6);
  }

  @Test
  void otherOperatorsAreNotCompared() throws IOException {
    StateResult others = new StateResult(false, List.of(), "the operators are others", 1);
    assertThat(applyAfterTheBatch(DEDUPE, spec -> others)).isZero();
    assertThat(console.printed()).contains("the operators are others");
  }

  /** Only the files of committed batches are told apart from what a crash left. */
  @ParameterizedTest
  @CsvSource({"true, 6", "false, 0"})
  void stateOfABatchThatIsNotCommittedIsNotCompared(boolean isSession, int exit)
      throws IOException {
    Files.delete(directory.resolve("v1/commits/6"));
    assertThat(
            applyAfterTheBatch(
                isSession ? SESSION : DEDUPE,
                spec -> {
                  throw new AssertionError("nothing is to be compared");
                }))
        .as(console.printed())
        .isEqualTo(exit);
    assertThat(console.printed()).contains("has not committed batch 6");
  }

  @Test
  void failedComparisonIsNotVerified() throws IOException {
    assertThat(
            applyAfterTheBatch(
                DEDUPE,
                spec -> {
                  throw new JobFailedException("a file is gone");
                }))
        .isEqualTo(6);
    assertThat(console.printed()).contains("a file is gone");
  }

  /** What the plan declares makes other keys right. */
  @ParameterizedTest
  @CsvSource({"filter, 0", "dedupe-keys, 0", "rate-limit, 6"})
  void otherKeysAreToldWhereAChangeIsDeclaredThatMakesThem(String kind, int exit)
      throws IOException {
    String declared = DEDUPE.replace("operator-added}", "operator-added}, {kind: " + kind + "}");
    assertThat(declared).isNotEqualTo(DEDUPE).contains(kind);
    assertThat(applyAfterTheBatch(declared, spec -> differing(2, 1)))
        .as(console.printed())
        .isEqualTo(exit);
    assertThat(console.printed()).contains("REPLAY_NOT_VERIFIED");
  }

  @Test
  void anOldCheckpointThatIsGoneVerifiesNothing() throws IOException {
    console.runJobsBy(StateReads.same());
    home.plan(DEDUPE);
    assertThat(console.run("apply", "plan.yaml")).as(console.printed()).isEqualTo(7);
    home.runBatch();
    Files.move(directory.resolve("v1"), directory.resolve("gone"));
    assertThat(console.run("apply", "plan.yaml")).as(console.printed()).isNotZero();
  }

  /** Complete mode reads everything again, wherever sessions begin. */
  @Test
  void sessionsAreNotAskedForWhereEverythingIsReadAgain() throws IOException {
    StateReads reads = sessions(ReplayHome.WATERMARK);
    home.plan(SESSION.replace("query: {", "query: {outputMode: complete, "));
    JsonNode stream = home.planned(console);
    assertThat(stream.at("/replay/range/times/lateMs").asLong()).isZero();
    assertThat(stream.at("/replay/range/times/earliest").isMissingNode()).isTrue();
    assertThat(reads.asked()).isEmpty();
  }
}
