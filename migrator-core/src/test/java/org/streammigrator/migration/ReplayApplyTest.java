package org.streammigrator.migration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.streammigrator.job.StateResult;
import org.streammigrator.storage.FaultStore;
import org.streammigrator.storage.LocalStore;

/**
 * The strategy replay on the demo's windowed query, whose checkpoint and table real Spark has
 * written: from where it reads again, what it writes, and what it refuses. {@code
 * ReplayStrategyTest} restarts real queries.
 */
class ReplayApplyTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String WINDOW =
      "query: {outputMode: append, operators: [{kind: window, size: 5m, delay: 10m}]}";

  /** The old query had one windowed aggregate. */
  private static final String CHANGED = "changes: [{kind: operator-added}]";

  private static final Instant WATERMARK = ReplayHome.WATERMARK;

  @TempDir private Path directory;
  private Console console;
  private ReplayHome home;

  @BeforeEach
  void begin() throws IOException {
    console = new Console(directory);
    console.runJobsBy(StateReads.same());
    home = ReplayHome.at(directory);
  }

  @Test
  void planTellsWhatIsReadAgainAndWritesNothing() throws IOException {
    plan(WINDOW);
    List<Path> before = files();
    JsonNode stream = planned();
    assertThat(files()).isEqualTo(before);
    assertThat(stream.path("exactness").asText()).isEqualTo("EXACT");
    JsonNode replay = stream.path("replay");
    assertThat(replay.path("batch").asLong()).isEqualTo(7);
    assertThat(replay.path("sink").asText()).isEqualTo("REAL");
    assertThat(replay.path("run").isMissingNode()).isTrue();
    JsonNode times = replay.at("/range/times");
    assertThat(times.path("evictionMs").asLong()).isEqualTo(WATERMARK.toEpochMilli());
    assertThat(times.path("lateMs").asLong()).isEqualTo(WATERMARK.toEpochMilli());
    assertThat(times.path("earliest").asText()).isEqualTo(WATERMARK.minusSeconds(300).toString());
    JsonNode source = replay.at("/range/sources/0");
    assertThat(source.at("/from/reservoirVersion").asLong()).isEqualTo(firstVersionReaching());
    assertThat(source.at("/from/index").asLong()).isEqualTo(-1);
    assertThat(source.path("neededRecords").asLong())
        .isPositive()
        .isLessThanOrEqualTo(source.path("records").asLong());
    assertThat(stream.path("steps"))
        .extracting(step -> step.path("kind").asText())
        .containsExactly("write", "verify", "publish");
    assertThat(console.run("plan", "plan.yaml")).isZero();
    assertThat(console.printed()).contains("read again", "may hold event times from");
  }

  /**
   * The first version with an event at or after the oldest needed one, from the rows' statistics.
   */
  private long firstVersionReaching() throws IOException {
    for (long version = 0; ; version++) {
      Path commit = directory.resolve("orders/_delta_log/%020d.json".formatted(version));
      for (String line : Files.readAllLines(commit)) {
        String statistics = MAPPER.readTree(line).at("/add/stats").asText("");
        if (!statistics.isEmpty()) {
          Instant newest =
              Instant.parse(MAPPER.readTree(statistics).at("/maxValues/event_time").asText());
          if (!newest.isBefore(WATERMARK.minusSeconds(300))) {
            return version;
          }
        }
      }
    }
  }

  @Test
  void applyWritesTheReplayBatch() throws IOException {
    plan(WINDOW);
    assertThat(console.run("apply", "plan.yaml")).as(console.printed()).isZero();
    Path old = directory.resolve("v1");
    Path made = directory.resolve("v2");
    assertThat(names(made.resolve("offsets"))).containsExactlyInAnyOrder("6", "7");
    assertThat(names(made.resolve("commits"))).containsExactly("6");
    assertThat(names(made.resolve("state/0"))).containsExactlyInAnyOrder("0", "1");
    assertThat(names(made.resolve("state/0/0"))).containsExactly("7.snapshot");
    assertThat(Files.readString(made.resolve("metadata")))
        .isEqualTo(Files.readString(old.resolve("metadata")));
    List<String> begun = Files.readAllLines(made.resolve("offsets/6"));
    List<String> replayed = Files.readAllLines(made.resolve("offsets/7"));
    List<String> last = Files.readAllLines(old.resolve("offsets/6"));
    assertThat(replayed).isEqualTo(last);
    assertThat(MAPPER.readTree(begun.get(1))).isEqualTo(MAPPER.readTree(last.get(1)));
    assertThat(MAPPER.readTree(begun.get(2)).path("reservoirVersion").asLong())
        .isEqualTo(firstVersionReaching());
    assertThat(Files.readAllLines(made.resolve("commits/6")).get(1))
        .isEqualTo("{\"nextBatchWatermarkMs\":" + WATERMARK.toEpochMilli() + "}");
    assertThat(console.run("plan", "plan.yaml", "--detailed-exitcode")).isZero();
    assertThat(console.run("apply", "plan.yaml")).isZero();
    assertThat(console.printed()).contains("nothing to do");
    assertThat(console.run("prove", "plan.yaml")).isEqualTo(7);
    assertThat(console.run("rollback", "plan.yaml")).as(console.printed()).isZero();
    assertThat(made).doesNotExist();
  }

  /** W is the watermark; times are seconds before it, 1 ms more where operators form a chain. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "append   | {kind: window, size: 5m}                                      | 300     | 0       | REAL",
        "append   | {kind: window, size: 10m, slide: 5m}                          | 600     | 0       | REAL",
        "update   | {kind: window, size: 5m}                                      | 300     | 0       | SCRATCH",
        "append   | {kind: dedupe, keys: [id, t], eventTime: t}                   | 0       | 0       | SCRATCH",
        "append   | {kind: dedupe-within, keys: id, delay: 7m}                    | 420     | 420     | SCRATCH",
        "append   | {kind: join, eventTime: t}                                    | 0       | 0       | SCRATCH",
        "append   | {kind: join, size: 5m}                                        | 300     | 0       | SCRATCH",
        "append   | {kind: interval-join, before: 1m, after: 3m}                  | 360     | 360     | SCRATCH",
        "append   | {kind: arbitrary, independent: true, lookback: 1h}            | 3600    | 3600    | SCRATCH",
        "append   | {kind: dedupe, keys: [id, t], eventTime: t}, {kind: window, size: 5m} | 300.001 | 300.001 | SCRATCH",
      })
  void watermarksFollowFromTheOperators(
      String mode, String operators, double earliest, double late, String sink) throws IOException {
    plan("query: {outputMode: " + mode + ", operators: [" + operators + "]}\n    " + CHANGED);
    JsonNode replay = planned().path("replay");
    long watermark = WATERMARK.toEpochMilli();
    assertThat(replay.at("/range/times/evictionMs").asLong()).isEqualTo(watermark);
    assertThat(Instant.parse(replay.at("/range/times/earliest").asText()).toEpochMilli())
        .isEqualTo(watermark - Math.round(earliest * 1000));
    assertThat(replay.at("/range/times/lateMs").asLong())
        .isEqualTo(watermark - Math.round(late * 1000));
    assertThat(replay.path("sink").asText()).isEqualTo(sink);
    assertThat(planned().path("exactness").asText()).isEqualTo(late == 0 ? "EXACT" : "OVERLAP");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "PLAN_INCOMPLETE | query.operators | {}",
        "PLAN_INCOMPLETE | size            | {operators: [{kind: window}]}",
        "PLAN_INCOMPLETE | size            | {operators: [{kind: join}]}",
        "PLAN_INCOMPLETE | query.outputMode | {operators: [{kind: window, size: 5m}]}",
        "PLAN_INCOMPLETE | look back further | {outputMode: append, operators: [{kind: window, size: 106751991167d}]}",
        "PLAN_INCOMPLETE | lookback        | {operators: [{kind: arbitrary, independent: true}]}",
        "REPLAY_INEXACT  | independent     | {operators: [{kind: arbitrary, lookback: 1h}]}",
        "REPLAY_INEXACT  | where the query once began | {operators: [{kind: aggregate}]}",
        "REPLAY_INEXACT  | where the query once began | {operators: [{kind: dedupe, keys: id, eventTime: t}]}",
        "REPLAY_INEXACT  | where the query once began | {operators: [{kind: interval-join, before: 1m}]}",
        "REPLAY_INEXACT  | processingTime  | {processingTime: true, outputMode: append, operators: [{kind: window, size: 5m}]}",
        "REPLAY_INEXACT  | deterministic   | {deterministic: false, outputMode: append, operators: [{kind: window, size: 5m}]}",
      })
  void whatCannotBeExactIsRefused(String code, String words, String query) throws IOException {
    plan("query: " + query);
    JsonNode stream = planned();
    assertThat(stream.path("refused").asBoolean()).isTrue();
    assertThat(stream.path("findings").toString()).contains(code).contains(words);
    assertThat(console.run("apply", "plan.yaml")).isEqualTo(3);
    assertThat(directory.resolve("v2")).doesNotExist();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "REPLAY_INEXACT  | them twice    | replay: {sink: real}",
        "PLAN_INCOMPLETE | sink.keys     | replay: {sink: merge}",
        "REPLAY_INEXACT  | replay.from   | replay: {from: 2026-03-27T10:30:00Z}",
        "NOT_AVAILABLE   | replay.slices | replay: {slices: 2}",
        "NOT_AVAILABLE   | replay.scratch | replay: {scratch: elsewhere}",
        "REPLAY_TOO_LARGE | and the plan allows 10 | replay: {mostRecords: 10}",
        "REPLAY_TOO_LARGE | bytes would be read again | replay: {mostBytes: 1}",
      })
  void whatThePlanAsksOfTheReplayIsChecked(String code, String words, String replay)
      throws IOException {
    plan("query: {operators: [{kind: join, eventTime: t}]}\n    " + CHANGED + "\n    " + replay);
    JsonNode stream = planned();
    assertThat(stream.path("refused").asBoolean()).isTrue();
    assertThat(stream.path("findings").toString()).contains(code).contains(words);
  }

  @Test
  void mergeOfPartialRowsIsRefused() throws IOException {
    plan("query: {operators: [{kind: join, eventTime: t}]}\n    " + CHANGED);
    Path plan = directory.resolve("plan.yaml");
    Files.writeString(
        plan,
        Files.readString(plan).replace("{delta: gold}", "{delta: gold, keys: [id]}")
            + "    replay: {sink: merge}\n");
    assertThat(planned().path("findings").toString())
        .contains("REPLAY_INEXACT", "in the place of the right ones");
  }

  @ParameterizedTest
  @ValueSource(strings = {"+12000-01-01T00:00:00Z", "-0400-01-01T00:00:00Z"})
  void timeThatNoTableHoldsIsRefused(String from) throws IOException {
    plan(WINDOW + "\n    replay: {from: \"" + from + "\"}");
    assertThat(planned().path("findings").toString()).contains("PLAN_INCOMPLETE", "replay.from");
  }

  /** The old state is that of one windowed aggregate with a delay of ten minutes. */
  @Test
  void operatorsThatTheOldStateContradictsAreRefused() throws IOException {
    plan("query: {operators: [{kind: dedupe, keys: [id, t], eventTime: t}]}");
    assertThat(planned().path("findings").toString())
        .contains("PLAN_INCOMPLETE", "that of window ", "operator-added");
    plan("query: {outputMode: append, operators: [{kind: window, size: 5m, delay: 3m}]}");
    assertThat(planned().path("findings").toString())
        .contains("3 minutes", "10 minutes", "watermark");
    plan(
        "query: {outputMode: append, operators: [{kind: window, size: 5m, delay: 3m}]}\n"
            + "    changes: [{kind: watermark}]");
    assertThat(planned().path("refused").asBoolean()).isFalse();
  }

  @Test
  void sourceHasToSayItsEventTime() throws IOException {
    plan(WINDOW, "{delta: orders}");
    assertThat(planned().path("findings").toString()).contains("PLAN_INCOMPLETE", "eventTime");
  }

  /** A column without statistics: earlier, never later. */
  @Test
  void withoutStatisticsEverythingIsReadAgain() throws IOException {
    plan(
        WINDOW,
        "{delta: orders, eventTime: \"to_timestamp(event_time)\", options: {startingVersion: 1}}");
    JsonNode source = planned().at("/replay/range/sources/0");
    assertThat(source.at("/from/reservoirVersion").asLong()).isEqualTo(1);
    assertThat(source.path("explanation").asText()).contains("no statistics", "an expression");
  }

  @Test
  void aColumnThatIsNoTimestampIsSaidToBeWhyEverythingIsRead() throws IOException {
    plan(WINDOW, "{delta: orders, eventTime: order_id, options: {startingVersion: 1}}");
    JsonNode source = planned().at("/replay/range/sources/0");
    assertThat(source.at("/from/reservoirVersion").asLong()).isEqualTo(1);
    assertThat(source.path("explanation").asText()).contains("order_id reaches, which is a ");
  }

  @Test
  void aColumnThatTheTableDoesNotHaveIsAMistake() throws IOException {
    plan(WINDOW, "{delta: orders, eventTime: event_tme, options: {startingVersion: 1}}");
    assertThat(planned().path("findings").toString())
        .contains("PLAN_INCOMPLETE", "has no column event_tme");
  }

  @Test
  void rangeThatIsGoneIsRefused() throws IOException {
    plan(WINDOW);
    long first = firstVersionReaching();
    Path commit = directory.resolve("orders/_delta_log/%020d.json".formatted(first + 1));
    byte[] bytes = Files.readAllBytes(commit);
    Files.delete(commit);
    assertThat(planned().path("findings").toString()).contains("REPLAY_RANGE_GONE", "missing");
    Files.write(commit, bytes);
    for (String line : Files.readAllLines(commit)) {
      JsonNode path = MAPPER.readTree(line).at("/add/path");
      if (path.isTextual()) {
        Files.delete(directory.resolve("orders").resolve(path.asText()));
      }
    }
    assertThat(planned().path("findings").toString()).contains("DELTA_FILES_VACUUMED");
    assertThat(console.run("apply", "plan.yaml")).isEqualTo(3);
  }

  /** The oldest batch that is kept tells that the query had begun before. */
  @Test
  void beginningDoesNotMatterAfterTheOldestBatch() throws IOException {
    Files.setLastModifiedTime(
        directory.resolve("v1/metadata"), FileTime.from(Instant.parse("2099-01-01T00:00:00Z")));
    plan(WINDOW);
    assertThat(planned().path("exactness").asText()).isEqualTo("EXACT");
  }

  /** The old checkpoint's id is younger than the commit, and its oldest batch came after it. */
  @Test
  void unknownBeginningIsRefusedUntilThePlanTellsIt() throws IOException {
    Files.setLastModifiedTime(
        directory.resolve("v1/metadata"), FileTime.from(Instant.parse("2099-01-01T00:00:00Z")));
    plan("query: {outputMode: append, operators: [{kind: window, size: 3h}]}");
    assertThat(planned().path("findings").toString())
        .contains("REPLAY_INEXACT", "it may have begun");
    plan(
        "query: {outputMode: append, operators: [{kind: window, size: 3h}]}",
        "{delta: orders, eventTime: event_time, options: {startingVersion: 1}}");
    JsonNode stream = planned();
    assertThat(stream.path("refused").asBoolean()).isFalse();
    assertThat(stream.at("/replay/range/sources/0/from/reservoirVersion").asLong())
        .as("never before the query's own first position")
        .isEqualTo(1);
  }

  @Test
  void scratchWaitsForTheBatchAndLooksAtWhatItLeft() throws IOException {
    plan("query: {operators: [{kind: dedupe, keys: [id, t], eventTime: t}]}\n    " + CHANGED);
    assertThat(console.run("apply", "plan.yaml", "-o", "json")).isEqualTo(7);
    JsonNode result = MAPPER.readTree(console.printed().lines().reduce((a, b) -> b).orElseThrow());
    assertThat(result.path("waitingFor").asText())
        .contains("batch 7", "Trigger.Once", "foreachBatch");
    assertThat(console.run("apply", "plan.yaml")).isEqualTo(7);
    assertThat(console.run("plan", "plan.yaml", "--detailed-exitcode")).isEqualTo(10);
    assertThat(console.run("status", "plan.yaml")).isZero();
    assertThat(console.printed()).contains("part-way");
    assertThat(console.run("prove", "plan.yaml")).isEqualTo(7);
    Path begun = directory.resolve("v2/offsets/6");
    String text = Files.readString(begun);
    Files.writeString(begun, text + " ");
    assertThat(console.run("apply", "plan.yaml")).isEqualTo(3);
    assertThat(console.printed()).contains("TARGET_NOT_AS_WRITTEN");
    Files.writeString(begun, text);

    Files.writeString(
        directory.resolve("v2/commits/7"), "v1\n{\"nextBatchWatermarkMs\":1774605717213}");
    assertThat(console.run("apply", "plan.yaml")).isEqualTo(6);
    assertThat(console.printed()).contains("STATE_FILE_MISSING", "version 8");
    for (String partition : List.of("0", "1")) {
      Path stores = directory.resolve("v2/state/0/" + partition);
      Files.copy(stores.resolve("7.snapshot"), stores.resolve("8.snapshot"));
    }
    assertThat(console.run("apply", "plan.yaml")).as(console.printed()).isZero();
    assertThat(console.printed().replaceAll("\\s+", " ")).contains("its state is rebuilt");
    assertThat(console.run("plan", "plan.yaml", "--detailed-exitcode")).isZero();
  }

  /** The output of the scratch batch is in no sink of the query. */
  @Test
  void rollbackAfterTheScratchBatchLosesNothing() throws IOException {
    plan("query: {operators: [{kind: dedupe, keys: [id, t], eventTime: t}]}\n    " + CHANGED);
    assertThat(console.run("apply", "plan.yaml")).isEqualTo(7);
    Path made = directory.resolve("v2");
    Files.writeString(made.resolve("commits/7"), "v1\n{\"nextBatchWatermarkMs\":1774605717213}");
    Path next = Files.copy(made.resolve("offsets/7"), made.resolve("offsets/8"));
    assertThat(console.run("rollback", "plan.yaml")).as("it went on").isEqualTo(3);
    assertThat(console.printed()).contains("NEW_BATCHES_LOST");
    Files.delete(next);
    assertThat(console.run("rollback", "plan.yaml")).as(console.printed()).isZero();
    assertThat(console.printed().replaceAll("\\s+", " ")).contains("so that nothing is lost");
    assertThat(made).doesNotExist();
  }

  /** The table would take the old query's next batch for one that it has. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"txn\":{\"appId\":\"77b76efd-6c2f-49b1-9b9c-b2a1a84033ea\",\"version\":7}}",
        "{\"txn\":{\"appId\":",
      })
  void rollbackAfterAScratchBatchThatMayBeInTheSinkIsRefused(String commit) throws IOException {
    plan("query: {operators: [{kind: dedupe, keys: [id, t], eventTime: t}]}\n    " + CHANGED);
    assertThat(console.run("apply", "plan.yaml")).isEqualTo(7);
    Files.writeString(
        directory.resolve("v2/commits/7"), "v1\n{\"nextBatchWatermarkMs\":1774605717213}");
    Files.writeString(directory.resolve("gold/_delta_log/00000000000000000007.json"), commit);
    assertThat(console.run("rollback", "plan.yaml")).isEqualTo(3);
    assertThat(console.printed()).contains("NEW_BATCHES_LOST");
    assertThat(directory.resolve("v2/commits/7")).exists();
  }

  /** What would be read again is what its user decides by. */
  @Test
  void refusedReplayShowsWhatItWouldRead() throws IOException {
    plan(WINDOW + "\n    replay: {mostRecords: 1}");
    assertThat(console.run("plan", "plan.yaml")).isEqualTo(3);
    assertThat(console.printed())
        .contains("REFUSED", "REPLAY_TOO_LARGE")
        .containsPattern("read again +from +files")
        .containsPattern("0 +version " + firstVersionReaching())
        .doesNotContain("reservoirVersion");
  }

  /** In a rehearsal the batch writes elsewhere anyway, and the query may go on after it. */
  @ParameterizedTest
  @CsvSource({"8.snapshot,0", "9.snapshot,6"})
  void rehearsalRunsTheScratchBatchAndLooksAtWhatItLeft(String left, int exit) throws IOException {
    Files.writeString(
        directory.resolve("query.sh"),
        """
        cd "$MIGRATOR_CHECKPOINT"
        for p in 0 1; do cp state/0/$p/7.snapshot state/0/$p/%s; done
        cp commits/6 commits/7
        sleep 60
        """
            .formatted(left));
    plan(
        "query: {operators: [{kind: dedupe, keys: [id, t], eventTime: t}]}\n    "
            + CHANGED
            + "\n    rehearse: {command: [sh, query.sh], scratch: scratch}");
    List<Path> before = files();
    assertThat(console.run("rehearse", "plan.yaml", "-o", "json"))
        .as(console.printed())
        .isEqualTo(exit);
    JsonNode stream =
        MAPPER
            .readTree(console.printed().lines().reduce((a, b) -> b).orElseThrow())
            .at("/streams/0");
    assertThat(stream.path("status").asText()).isEqualTo(exit == 0 ? "rehearsed" : "failed");
    assertThat(stream.path("batch").asLong()).isEqualTo(7);
    JsonNode source = stream.at("/sources/0");
    assertThat(source.path("at").asText()).isEqualTo("end");
    assertThat(source.path("asPlanned").asBoolean()).isTrue();
    assertThat(MAPPER.readTree(source.path("start").asText()).path("reservoirVersion").asLong())
        .isBetween(
            firstVersionReaching(),
            MAPPER.readTree(source.path("end").asText()).path("reservoirVersion").asLong());
    assertThat(source.path("end")).isEqualTo(source.path("planned"));
    assertThat(stream.path("findings").toString().contains("STATE_FILE_MISSING"))
        .isEqualTo(exit != 0);
    assertThat(stream.path("kept").asBoolean()).isEqualTo(exit != 0);
    List<Path> after = new ArrayList<>(files());
    after.removeIf(path -> path.startsWith(directory.resolve("scratch")));
    assertThat(after).isEqualTo(before);
  }

  /** Keys that are missing are no less missing because the query went on. */
  @ParameterizedTest
  @CsvSource({"''", "cp offsets/7 offsets/8"})
  void rehearsalOfAStateThatLacksKeysFails(String then) throws IOException {
    console.runJobsBy(
        new StateReads(
            spec ->
                StateReads.result(
                    "dedupe",
                    null,
                    new StateResult.Comparison(
                        2, 0, new StateResult.Examples(List.of("{}"), List.of()), null))));
    Files.writeString(
        directory.resolve("query.sh"),
        """
        cd "$MIGRATOR_CHECKPOINT"
        for p in 0 1; do cp state/0/$p/7.snapshot state/0/$p/8.snapshot; done
        %s
        cp commits/6 commits/7
        sleep 60
        """
            .formatted(then));
    plan(
        "query: {operators: [{kind: dedupe, keys: [id, t], eventTime: t}]}\n    "
            + CHANGED
            + "\n    rehearse: {command: [sh, query.sh], scratch: scratch}");
    assertThat(console.run("rehearse", "plan.yaml", "-o", "json"))
        .as(console.printed())
        .isEqualTo(6);
    assertThat(console.printed()).contains("REPLAY_NOT_VERIFIED", "lacks 2");
  }

  /** Nobody can tell whether such a sink has the batch. */
  @ParameterizedTest
  @ValueSource(strings = {"{delta: \"s3a://b/gold\"}", "{custom: mine}", "{files: gold}"})
  void rollbackAfterAScratchBatchUnderASinkThatDoesNotTellIsRefused(String sink)
      throws IOException {
    plan("query: {operators: [{kind: dedupe, keys: [id, t], eventTime: t}]}\n    " + CHANGED);
    Path plan = directory.resolve("plan.yaml");
    Files.writeString(plan, Files.readString(plan).replace("{delta: gold}", sink));
    Files.createDirectories(directory.resolve("gold/_spark_metadata"));
    Files.writeString(directory.resolve("gold/_spark_metadata/6"), "v1\n");
    assertThat(console.run("apply", "plan.yaml")).as(console.printed()).isEqualTo(7);
    Path commits = directory.resolve("v2/commits");
    long batch =
        names(directory.resolve("v2/offsets")).stream().mapToLong(Long::parseLong).max().orElse(0);
    Files.writeString(
        commits.resolve(Long.toString(batch)), "v1\n{\"nextBatchWatermarkMs\":1774605717213}");
    Files.writeString(directory.resolve("gold/_spark_metadata/" + batch), "v1\n");
    assertThat(console.run("rollback", "plan.yaml")).as(console.printed()).isEqualTo(3);
    assertThat(console.printed()).contains("NEW_BATCHES_LOST");
  }

  /** With its output elsewhere, the query has lost what it read meanwhile. */
  @Test
  void queryThatWentOnUnseenIsNotVerified() throws IOException {
    plan("query: {operators: [{kind: dedupe, keys: [id, t], eventTime: t}]}\n    " + CHANGED);
    assertThat(console.run("apply", "plan.yaml")).isEqualTo(7);
    Path made = directory.resolve("v2");
    Files.writeString(made.resolve("commits/7"), "v1\n{\"nextBatchWatermarkMs\":1774605717213}");
    Files.copy(made.resolve("offsets/7"), made.resolve("offsets/8"));
    assertThat(console.run("apply", "plan.yaml", "-o", "json")).isEqualTo(6);
    assertThat(console.printed())
        .contains("REPLAY_NOT_VERIFIED", "batches 8 to 8 read is in no sink");
    assertThat(console.run("status", "plan.yaml")).isZero();
    assertThat(console.printed()).contains("part-way");
    assertThat(console.run("apply", "plan.yaml", "--accept", "REPLAY_NOT_VERIFIED"))
        .as(console.printed())
        .isZero();
    assertThat(console.run("plan", "plan.yaml", "--detailed-exitcode")).isZero();
  }

  /** What is accepted is done, and called no better than it is; never is nothing written. */
  @Test
  void whatIsAcceptedIsStillReadAgain() throws IOException {
    plan(
        "query: {operators: [{kind: arbitrary, lookback: 5m}]}\n    accept: REPLAY_INEXACT\n    "
            + CHANGED);
    JsonNode stream = planned();
    assertThat(stream.path("exactness").asText()).isEqualTo("UNKNOWN");
    assertThat(stream.at("/replay/range/sources/0/files").asLong()).isPositive();
    assertThat(console.run("apply", "plan.yaml")).as(console.printed()).isEqualTo(7);
    assertThat(names(directory.resolve("v2/offsets"))).containsExactlyInAnyOrder("6", "7");
  }

  @Test
  void rangeThatIsGoneCannotBeAcceptedWhereNothingIsLeft() throws IOException {
    plan(WINDOW + "\n    accept: REPLAY_RANGE_GONE");
    Files.delete(
        directory.resolve("orders/_delta_log/%020d.json".formatted(firstVersionReaching() + 1)));
    assertThat(planned().path("refused").asBoolean()).isTrue();
    assertThat(console.run("apply", "plan.yaml")).isEqualTo(3);
    assertThat(directory.resolve("v2")).doesNotExist();
  }

  /** Where it began is not where it is to go on. */
  @Test
  void beginningThatTheCheckpointContradictsIsRefused() throws IOException {
    plan(WINDOW, "{delta: orders, eventTime: event_time, options: {startingVersion: 12}}");
    assertThat(planned().path("findings").toString())
        .contains("PLAN_INCOMPLETE", "had read version 1");
  }

  @Test
  void damagedCommitRefusesItsStreamAlone() throws IOException {
    plan(WINDOW);
    Path commit =
        directory.resolve("orders/_delta_log/%020d.json".formatted(firstVersionReaching()));
    Files.writeString(commit, Files.readString(commit) + "{\"add\":{\"path\"");
    assertThat(console.run("plan", "plan.yaml", "-o", "json")).isEqualTo(3);
    assertThat(console.printed()).contains("UNREADABLE");
  }

  @ParameterizedTest
  @EnumSource(
      value = FaultStore.Fault.class,
      names = {"BEFORE", "AFTER"})
  void crashAtAnyWriteEndsInTheSameBytes(FaultStore.Fault fault) throws IOException {
    plan(WINDOW);
    Path whole = copy("whole");
    FaultStore counting = FaultStore.counting(new LocalStore());
    assertThat(new Console(whole).run(counting, "apply", "plan.yaml")).isZero();
    Map<String, String> expected = Trees.bytesAndTimes(whole.resolve("v2"));
    assertThat(counting.writes()).hasSizeGreaterThan(10);
    for (int call : counting.writes()) {
      Path home = copy(fault + "-" + call);
      Console crashed = new Console(home);
      crashed.run(FaultStore.crashingAt(call, fault, new LocalStore()), "apply", "plan.yaml");
      assertThat(crashed.run("apply", "plan.yaml", "--take-over"))
          .as("crash at call %d%n%s", call, crashed.printed())
          .isZero();
      assertThat(Trees.bytesAndTimes(home.resolve("v2"))).as("call %d", call).isEqualTo(expected);
    }
  }

  private Path copy(String name) throws IOException {
    Path home = directory.resolve("crashes").resolve(name);
    for (String part : List.of("v1", "gold", "orders")) {
      Trees.copy(directory.resolve(part), home.resolve(part));
    }
    Files.copy(directory.resolve("plan.yaml"), home.resolve("plan.yaml"));
    Files.setLastModifiedTime(home.resolve("v1/metadata"), FileTime.from(Instant.EPOCH));
    return home;
  }

  private JsonNode planned() throws IOException {
    return home.planned(console);
  }

  private void plan(String keys) throws IOException {
    home.plan(keys);
  }

  private void plan(String keys, String source) throws IOException {
    home.plan(keys, source);
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.sorted().toList();
    }
  }

  private static Set<String> names(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      Set<String> names = new HashSet<>();
      files
          .map(file -> file.getFileName().toString())
          .filter(name -> !name.endsWith(".crc"))
          .forEach(names::add);
      return names;
    }
  }
}
