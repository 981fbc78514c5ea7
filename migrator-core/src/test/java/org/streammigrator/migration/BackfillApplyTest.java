package org.streammigrator.migration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.job.BackfillResult;
import org.streammigrator.job.BackfillSpec;
import org.streammigrator.job.ChunkEvent;
import org.streammigrator.job.InvalidJobSpecException;
import org.streammigrator.job.JobFailedException;
import org.streammigrator.job.JobRefusedException;
import org.streammigrator.job.JobRunner;
import org.streammigrator.job.RunnerSpec;
import org.streammigrator.job.SourceSpec;
import org.streammigrator.job.StateResult;
import org.streammigrator.job.StateSpec;
import org.streammigrator.job.ValidateResult;
import org.streammigrator.job.ValidateSpec;
import org.streammigrator.storage.FaultStore;
import org.streammigrator.storage.LocalStore;

/**
 * The strategy backfill on the demo's windowed query, whose checkpoint real Spark has written: what
 * is asked of jobs, in which order, and what becomes of their answers. {@code BackfillStrategyTest}
 * runs the jobs themselves.
 */
class BackfillApplyTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final Path FIXTURES = Path.of("../src-test-fixtures/demo");
  private static final String WINDOW_OPEN = "2026-03-27T10:00:00Z";
  private static final Instant NEWEST = Instant.parse("2026-03-27T10:11:57.213Z");
  private static final String CUT = "2026-03-27T10:15:00Z";
  private static final String SQL =
      "select window(event_time, '5 minutes').start as window_start, product, count(*) as orders"
          + " from orders group by 1, 2";
  private static final String BACKFILL =
      "backfill: {window: {column: window_start, size: 5m}, sql: \"" + SQL + "\"}";

  @TempDir private Path directory;
  private Console console;
  private Jobs jobs;

  /** Answers as it is told, and remembers what it was asked. */
  private static final class Jobs implements JobRunner {
    private final List<BackfillSpec> asked = new ArrayList<>();
    private Function<BackfillSpec, BackfillResult> answer = Jobs::measured;

    @Override
    public ValidateResult validate(ValidateSpec spec, RunnerSpec runner) {
      throw new AssertionError("no comparison was asked for");
    }

    @Override
    public StateResult state(StateSpec spec, RunnerSpec runner) {
      throw new AssertionError("no state was to be read");
    }

    @Override
    public BackfillResult backfill(
        BackfillSpec spec, RunnerSpec runner, Consumer<ChunkEvent> told) {
      asked.add(spec);
      BackfillResult result = answer.apply(spec);
      if (!spec.dryRun()) {
        told.accept(new ChunkEvent("backfill", 0, 1, "done", 12L, 4L));
      }
      return result;
    }

    private static BackfillResult measured(BackfillSpec spec) {
      return result(spec, NEWEST, List.of());
    }

    private static BackfillResult result(BackfillSpec spec, Instant newest, List<Instant> beyond) {
      SourceSpec source = spec.sources().get(0);
      return new BackfillResult(
          true,
          spec.dryRun() ? true : null,
          spec.jobId(),
          300L,
          spec.dryRun() ? null : 12L,
          spec.dryRun() ? null : 12L,
          spec.dryRun() ? null : 0L,
          spec.dryRun() ? null : 0L,
          spec.late() == null ? null : (Long) 3L,
          List.of(
              new BackfillResult.Source(
                  source.name(), null, source.to(), 300L, 12L, 4096L, newest, beyond, null)),
          List.of(),
          3L,
          4L,
          spec.dryRun() ? 2L : null,
          spec.dryRun() ? 999L : null,
          5);
    }
  }

  @BeforeEach
  void begin() throws IOException {
    console = new Console(directory);
    jobs = new Jobs();
    console.runJobsBy(jobs);
    Trees.copy(FIXTURES.resolve("checkpoints/orders_5min_v1"), directory.resolve("v1"));
    Trees.copy(FIXTURES.resolve("lake/gold/orders_5min"), directory.resolve("gold"));
    Trees.copy(FIXTURES.resolve("lake/raw/orders"), directory.resolve("orders"));
  }

  @Test
  void planTellsTheBoundaryAndWritesNothing() throws IOException {
    plan(BACKFILL);
    List<Path> before = files();
    assertThat(console.run("plan", "plan.yaml", "-o", "json")).isZero();
    assertThat(files()).isEqualTo(before);

    assertThat(jobs.asked).hasSize(1);
    BackfillSpec measuring = jobs.asked.get(0);
    assertThat(measuring.dryRun()).isTrue();
    assertThat(measuring.windows().from()).isEqualTo(WINDOW_OPEN);
    SourceSpec source = measuring.sources().get(0);
    assertThat(source.name()).isEqualTo("orders");
    assertThat(source.from()).isNull();
    assertThat(source.deltaTo().orElseThrow().version()).isEqualTo(12);
    assertThat(source.eventTime())
        .isEqualTo(new SourceSpec.EventTime("event_time", Instant.parse(WINDOW_OPEN)));
    assertThat(measuring.sink().keys()).containsExactly("window_start", "product");

    JsonNode stream = MAPPER.readTree(console.printed()).at("/streams/0");
    JsonNode backfill = stream.path("backfill");
    assertThat(backfill.at("/boundary/cut").asText()).isEqualTo(CUT);
    assertThat(backfill.at("/boundary/firstWindow").asText()).isEqualTo(WINDOW_OPEN);
    assertThat(backfill.at("/boundary/finalAfter").asText()).isEqualTo(CUT);
    assertThat(backfill.at("/boundary/newestEvent").asText()).isEqualTo(NEWEST.toString());
    assertThat(backfill.at("/guard/sql").asText())
        .isEqualTo("window.start >= timestamp '" + CUT + "'");
    assertThat(backfill.at("/guard/python").asText())
        .isEqualTo(".where(F.expr(\"window.start >= timestamp '" + CUT + "'\"))");
    assertThat(backfill.path("targetFiles").asInt()).isEqualTo(2);
    assertThat(backfill.at("/sources/0/records").asInt()).isEqualTo(300);
    assertThat(stream.path("exactness").asText()).isEqualTo("EXACT");
    assertThat(stream.path("steps"))
        .extracting(step -> step.path("kind").asText())
        .containsExactly("write", "verify", "publish", "backfill", "backfill-final");

    assertThat(console.run("plan", "plan.yaml")).isZero();
    assertThat(console.printed())
        .contains("300 records in 12 files, 4096 bytes", "2 files of the table, 999 bytes")
        .contains(
            "guard the new query", "Scala", "until then what the job computes is provisional");
  }

  @Test
  void applyGoesThroughBothRuns() throws IOException {
    plan(BACKFILL);
    assertThat(console.run("apply", "plan.yaml")).as(console.printed()).isEqualTo(7);
    assertThat(console.printed()).contains("(it has not run yet)", "window.start >= ", "--final");
    assertThat(directory.resolve("v2/state/0/0/7.snapshot")).isRegularFile();
    assertThat(directory.resolve("v2/state/0/1/7.snapshot")).isRegularFile();
    assertThat(directory.resolve("v2/state/0/2")).doesNotExist();
    assertThat(console.printed()).contains("backfill: chunk 1 of 1 is done, 12 rows, version 4");
    BackfillSpec provisional = last();
    assertThat(provisional.late()).isNull();
    assertThat(provisional.dryRun()).isFalse();
    assertThat(provisional.windows().from()).isEqualTo(WINDOW_OPEN);
    assertThat(provisional.windows().to()).isEqualTo(CUT);
    assertThat(provisional.sources().get(0).deltaTo().orElseThrow().version()).isEqualTo(12);

    int asked = jobs.asked.size();
    runNewQuery(7, 13, Instant.parse(CUT).minusMillis(1));
    assertThat(console.run("apply", "plan.yaml", "-o", "json")).isEqualTo(7);
    assertThat(console.printed()).contains("it stands at 2026-03-27T10:14:59.999Z");
    JsonNode result = MAPPER.readTree(console.printed().lines().reduce((a, b) -> b).orElseThrow());
    assertThat(result.path("waitingFor").asText()).contains(CUT);
    assertThat(jobs.asked).as("what is done is not done again").hasSize(asked);
    assertThat(console.run("prove", "plan.yaml")).isEqualTo(7);

    runNewQuery(8, 14, Instant.parse(CUT));
    runNewQuery(9, 15, Instant.parse(CUT).plusSeconds(60));
    runNewQuery(10, 16, Instant.parse(CUT).plusSeconds(120));
    runNewQuery(11, 17, Instant.parse(CUT).plusSeconds(180));
    assertThat(console.run("plan", "plan.yaml", "--detailed-exitcode")).isEqualTo(10);
    assertThat(console.run("apply", "plan.yaml")).as(console.printed()).isZero();
    assertThat(last().sources().get(0).deltaTo().orElseThrow().version())
        .as("the first batch whose watermark has reached the end of the last window")
        .isEqualTo(14);
    assertThat(last().jobId()).isNotEqualTo(provisional.jobId());
    assertThat(last().windows()).isEqualTo(provisional.windows());
    assertThat(console.printed())
        .contains("; 3 late records", "they hold 3 events that came later than the delay");
    // When batch 8 began, the watermark of batch 7 had closed 10:05 to 10:10, and not 10:10 to
    // 10:15. Before it there was the old one, which had closed none of the job's.
    assertThat(last().late()).hasSize(1);
    BackfillSpec.Late late = last().late().get(0);
    assertThat(late.before()).isEqualTo("2026-03-27T10:10:00Z");
    assertThat(late.source().deltaFrom().orElseThrow().version()).isEqualTo(13);
    assertThat(late.source().deltaTo().orElseThrow().version()).isEqualTo(14);
    assertThat(late.source().changes()).isEqualTo("skip");
    assertThat(late.source().eventTime().from()).isEqualTo(WINDOW_OPEN);

    asked = jobs.asked.size();
    assertThat(console.run("apply", "plan.yaml")).isZero();
    assertThat(console.run("plan", "plan.yaml", "--detailed-exitcode")).isZero();
    assertThat(jobs.asked).hasSize(asked);
  }

  @Test
  void lateEventsAreNotCountedWhereBatchesAreForgotten() throws IOException {
    plan(BACKFILL);
    assertThat(console.run("apply", "plan.yaml")).isEqualTo(7);
    runNewQuery(7, 13, Instant.parse(CUT).minusMillis(1));
    runNewQuery(8, 14, Instant.parse(CUT));
    Files.delete(directory.resolve("v2/offsets/6"));
    assertThat(console.run("apply", "plan.yaml", "-o", "json")).as(console.printed()).isZero();
    assertThat(last().late()).isNull();
    assertThat(console.printed()).contains("\"event\":\"chunk\"", "could not be counted");
  }

  @Test
  void finalRunWithoutABatchOfTheNewQueryHasNothingLate() throws IOException {
    plan(BACKFILL);
    assertThat(console.run("apply", "plan.yaml", "--final")).as(console.printed()).isZero();
    assertThat(last().late()).isEmpty();
  }

  /** A boundary is needed, whatever its user takes knowingly. */
  @Test
  void whatTheJobRefusesCannotBeAccepted() throws IOException {
    plan(BACKFILL + "\n    accept: [KAFKA_RETENTION_LOSS, DELTA_VERSION_MISSING, PENDING_BATCH]");
    jobs.answer =
        spec -> {
          throw JobRefusedException.unsafe(
              Finding.error(FindingCode.KAFKA_RETENTION_LOSS, "t-0", "all are gone", "wait"));
        };
    assertThat(console.run("plan", "plan.yaml")).isEqualTo(3);
    assertThat(console.run("apply", "plan.yaml")).isEqualTo(3);
    assertThat(directory.resolve("v2")).doesNotExist();
  }

  @Test
  void planThatAsksForAnotherJobIsNotTheSame() throws IOException {
    plan(BACKFILL);
    assertThat(console.run("apply", "plan.yaml")).isEqualTo(7);
    plan(BACKFILL.replace("count(*)", "sum(1)"));
    assertThat(console.run("apply", "plan.yaml")).isEqualTo(3);
    assertThat(console.printed().replaceAll("\\s+", " "))
        .contains("TARGET_NOT_EMPTY", "changed since: backfill.sql windows what to do: put");
    plan(BACKFILL.replace("size: 5m", "size: 5m, delay: 10m"));
    Path plan = directory.resolve("plan.yaml");
    Files.writeString(
        plan, Files.readString(plan).replace("eventTime: event_time", "eventTime: at"));
    assertThat(console.run("plan", "plan.yaml", "-o", "json")).isEqualTo(3);
    assertThat(MAPPER.readTree(console.printed()).at("/streams/0/findings/0/message").asText())
        .endsWith("has been changed since: backfill.window, eventTime");
    plan(BACKFILL);
    assertThat(console.run("apply", "plan.yaml", "--final")).isZero();
  }

  @Test
  void otherCommandsKnowThatItWaits() throws IOException {
    plan(BACKFILL);
    assertThat(console.run("plan", "plan.yaml", "--out", "saved.json")).isZero();
    assertThat(console.run("apply", "saved.json")).as(console.printed()).isEqualTo(7);
    assertThat(console.run("status", "plan.yaml")).isZero();
    assertThat(console.printed().replaceAll("\\s+", " "))
        .contains("part-way", "with the guard window.start >= timestamp '" + CUT + "'");
    assertThat(console.run("apply", "plan.yaml", "--pre-copy")).as(console.printed()).isZero();
    assertThat(console.run("show", "saved.json")).isZero();
    int asked = jobs.asked.size();
    assertThat(console.run("apply", "saved.json", "--final")).as(console.printed()).isZero();
    assertThat(jobs.asked)
        .as("one job, and none to see whether the plan is stale")
        .hasSize(asked + 1);
    assertThat(console.run("status", "plan.yaml")).isZero();
    assertThat(console.printed().replaceAll("\\s+", " "))
        .contains("done", "with the guard window.start >= timestamp '" + CUT + "', then prove");
  }

  @Test
  void jobThatCannotMeasureRefusesItsStreamAlone() throws IOException {
    plan(BACKFILL);
    jobs.answer =
        spec -> {
          throw new JobFailedException("no broker answers");
        };
    assertThat(console.run("plan", "plan.yaml")).isEqualTo(3);
    assertThat(console.printed()).contains("no broker answers");
  }

  @Test
  void finalRunNeedNotWait() throws IOException {
    plan(BACKFILL);
    assertThat(console.run("apply", "plan.yaml", "--final")).as(console.printed()).isZero();
    assertThat(console.printed()).contains("did not wait");
    assertThat(jobs.asked).hasSize(3);
    assertThat(last().sources().get(0).deltaTo().orElseThrow().version()).isEqualTo(12);
  }

  @Test
  void jobThatStoppedIsRunAgainUnderItsId() throws IOException {
    plan(BACKFILL);
    jobs.answer =
        spec -> {
          if (!spec.dryRun()) {
            throw new JobFailedException("the disk is full");
          }
          return Jobs.measured(spec);
        };
    assertThat(console.run("apply", "plan.yaml")).isEqualTo(5);
    assertThat(console.printed()).contains("the disk is full");
    String id = last().jobId();
    jobs.answer = Jobs::measured;
    runNewQuery(7, 13, Instant.parse(WINDOW_OPEN));
    runNewQuery(8, 14, Instant.parse(WINDOW_OPEN));
    runNewQuery(9, 15, Instant.parse(WINDOW_OPEN));
    assertThat(console.run("apply", "plan.yaml")).isEqualTo(7);
    assertThat(last().jobId()).isEqualTo(id);
    assertThat(last().sources().get(0).deltaTo().orElseThrow().version())
        .as("the old position, although the new query has gone on")
        .isEqualTo(12);
  }

  @Test
  void whatTheJobRefusesIsRefusedBeforeAnythingIsWritten() throws IOException {
    plan(BACKFILL);
    jobs.answer =
        spec -> {
          throw JobRefusedException.unsafe(
              Finding.error(
                  FindingCode.DELTA_VERSION_MISSING, "orders", "versions 3 to 5 are gone", "wait"));
        };
    List<Path> before = files();
    assertThat(console.run("plan", "plan.yaml")).isEqualTo(3);
    assertThat(console.printed()).contains("DELTA_VERSION_MISSING", "versions 3 to 5 are gone");
    jobs.answer =
        spec -> {
          throw new InvalidJobSpecException("sql: no column nothing");
        };
    assertThat(console.run("plan", "plan.yaml")).isEqualTo(3);
    assertThat(console.printed()).contains("JOB_SPEC_INVALID", "sql: no column", "line 9");
    assertThat(files()).isEqualTo(before);
    assertThat(console.run("apply", "plan.yaml")).isEqualTo(3);
    assertThat(directory.resolve("v2")).doesNotExist();
  }

  @Test
  void eventsFromTheFutureAreTold() throws IOException {
    plan(BACKFILL);
    Instant far = Instant.parse("2099-01-01T00:00:01Z");
    jobs.answer = spec -> Jobs.result(spec, far, List.of(far));
    assertThat(console.run("plan", "plan.yaml")).isZero();
    assertThat(console.printed()).contains("FUTURE_EVENT_TIME", "2099-01-01T00:05:00Z");

    Instant beyond = Instant.parse("+200000-01-01T00:00:01Z");
    jobs.answer = spec -> Jobs.result(spec, beyond, List.of(beyond));
    assertThat(console.run("plan", "plan.yaml")).isEqualTo(3);
    assertThat(console.printed()).contains("FUTURE_EVENT_TIME", "declare a cut");
    jobs.answer = spec -> Jobs.result(spec, far, List.of(far));

    plan(BACKFILL.replace("sql:", "cut: 2026-03-27T10:15:00Z, sql:"));
    assertThat(console.run("plan", "plan.yaml")).isEqualTo(3);
    assertThat(console.printed()).contains("BACKFILL_INEXACT", "[2099-01-01T00:00:00Z]");

    plan(
        BACKFILL.replace(
            "sql:", "cut: 2026-03-27T10:15:00Z, windows: [2099-01-01T00:00:00Z], sql:"));
    assertThat(console.run("plan", "plan.yaml", "-o", "json")).isZero();
    JsonNode backfill = MAPPER.readTree(console.printed()).at("/streams/0/backfill");
    assertThat(backfill.at("/guard/sql").asText())
        .isEqualTo(
            "window.start >= timestamp '2026-03-27T10:15:00Z' and window.start not in (timestamp"
                + " '2099-01-01T00:00:00Z')");
    assertThat(backfill.at("/boundary/finalAfter").asText()).isEqualTo("2099-01-01T00:05:00Z");
    assertThat(last().windows().also()).containsExactly(Instant.parse("2099-01-01T00:00:00Z"));
  }

  @Test
  void sourcesThatLostEventsAreRefused() throws IOException {
    plan(BACKFILL);
    jobs.answer = spec -> Jobs.result(spec, Instant.parse("2026-03-27T09:00:00Z"), List.of());
    assertThat(console.run("plan", "plan.yaml")).isEqualTo(3);
    assertThat(console.printed()).contains("INEXACT_POSITION", "no longer hold all");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "sql: | nothing: | unknown key",
        "sql: \"select 1\", | | PLAN_INCOMPLETE",
        "size: 5m | size: 5m, slide: 10m | PLAN_INCOMPLETE",
        "sql: | mode: insert-only, sql: | BACKFILL_INEXACT",
        "sources: | changes: [{kind: window}]#sources: | BACKFILL_INEXACT",
        "sources: | runner: {kind: local, conf: {spark.x: \"${env:HOME}\"}}#sources: | runner.conf",
        "sql: | cut: \"+300000-01-01T00:00:00Z\", sql: | is no time of a window",
        "sql: | cut: 2026-03-27T10:01:00Z, sql: | is not the start of a window",
        "sql: | cut: 2026-03-27T09:00:00Z, sql: | BACKFILL_INEXACT",
        "keys: [window_start, product] | keys: [product] | PLAN_INCOMPLETE",
        "eventTime: event_time, | | eventTime",
        "sources: | query: {outputMode: complete}#sources: | BACKFILL_INEXACT",
        "sources: | query: {operators: [{kind: session, gap: 5m}]}#sources: | replay",
        "sources: | query: {operators: [{kind: dedupe}, {kind: window, size: 5m}]}#sources: | dedupe",
        "sources: | query: {operators: [{kind: window, size: 10m}]}#sources: | different windows",
        "sources: | query: {processingTime: true}#sources: | BACKFILL_INEXACT",
        "sources: | query: {deterministic: false}#sources: | BACKFILL_INEXACT",
      })
  void whatCannotBeExactIsRefused(String from, String to, String told) throws IOException {
    plan(BACKFILL);
    String text = Files.readString(directory.resolve("plan.yaml"));
    String changed =
        from.startsWith("sql: \"select")
            ? text.replaceFirst(", sql: \"[^\"]*\"", "")
            : text.replace(from, to == null ? "" : to.replace("#", "\n    "));
    assertThat(changed).isNotEqualTo(text);
    Files.writeString(directory.resolve("plan.yaml"), changed);
    assertThat(console.run("plan", "plan.yaml")).as(console.printed()).isIn(2, 3);
    assertThat(console.printed()).contains(told);
    assertThat(jobs.asked).isEmpty();
  }

  @Test
  void rollbackTellsOfTheMergedWindows() throws IOException {
    plan(BACKFILL);
    assertThat(console.run("apply", "plan.yaml")).isEqualTo(7);
    String id = last().jobId();
    assertThat(console.run("rollback", "plan.yaml")).isEqualTo(3);
    assertThat(console.printed().replaceAll("\\s+(windows)?\\s*", " "))
        .contains("BACKFILL_ROWS_STAY", "DELETE FROM delta.`" + directory.resolve("gold"))
        .contains("`window_start` >= timestamp '" + WINDOW_OPEN + "'")
        .contains("`window_start` < timestamp '" + CUT + "'");
    assertThat(console.run("rollback", "plan.yaml", "--accept", "BACKFILL_ROWS_STAY")).isZero();
    assertThat(directory.resolve("v2")).doesNotExist();
    console.drawIdsAfter(100);
    assertThat(console.run("apply", "plan.yaml")).isEqualTo(7);
    assertThat(last().jobId()).as("nothing is taken for done").isNotEqualTo(id);
  }

  @ParameterizedTest
  @EnumSource(
      value = FaultStore.Fault.class,
      names = {"BEFORE", "AFTER"})
  void crashAtAnyWriteEndsInTheSameBytes(FaultStore.Fault fault) throws IOException {
    plan(BACKFILL);
    Path whole = copy("whole");
    FaultStore counting = FaultStore.counting(new LocalStore());
    console = new Console(whole);
    console.runJobsBy(jobs);
    assertThat(console.run(counting, "apply", "plan.yaml")).isEqualTo(7);
    Map<String, String> expected = Trees.bytesAndTimes(whole.resolve("v2"));
    assertThat(counting.writes()).hasSizeGreaterThan(10);
    for (int call : counting.writes()) {
      Path home = copy(fault + "-" + call);
      console = new Console(home);
      jobs = new Jobs();
      console.runJobsBy(jobs);
      console.run(FaultStore.crashingAt(call, fault, new LocalStore()), "apply", "plan.yaml");
      Set<String> ids = new HashSet<>();
      computing().forEach(spec -> ids.add(spec.jobId()));
      console.drawIdsAfter(100);
      assertThat(console.run("apply", "plan.yaml", "--take-over"))
          .as("crash at call %d%n%s", call, console.printed())
          .isEqualTo(7);
      assertThat(Trees.bytesAndTimes(home.resolve("v2"))).isEqualTo(expected);
      computing().forEach(spec -> ids.add(spec.jobId()));
      assertThat(ids).as("crash at call %d", call).hasSize(1);
    }
  }

  private List<BackfillSpec> computing() {
    return jobs.asked.stream().filter(spec -> !spec.dryRun()).toList();
  }

  /** All that is there, in a directory of its own. */
  private Path copy(String name) throws IOException {
    Path home = directory.resolve("crashes").resolve(name);
    for (String part : List.of("v1", "gold", "orders")) {
      Trees.copy(directory.resolve(part), home.resolve(part));
    }
    Files.copy(directory.resolve("plan.yaml"), home.resolve("plan.yaml"));
    return home;
  }

  private BackfillSpec last() {
    return jobs.asked.get(jobs.asked.size() - 1);
  }

  private void plan(String backfill) throws IOException {
    Files.writeString(
        directory.resolve("plan.yaml"),
        """
        version: 1
        name: windows
        streams:
          - name: windows
            strategy: backfill
            checkpoint: {from: v1, to: v2}
            sources: [{delta: orders, eventTime: event_time, name: orders}]
            sink: {delta: gold, keys: [window_start, product]}
            %s
        """
            .formatted(backfill));
  }

  /** A batch of the new query, as far as the checkpoint shows it. */
  private void runNewQuery(long batch, long version, Instant watermark) throws IOException {
    Path offsets = directory.resolve("v2/offsets");
    String before = Files.readString(offsets.resolve(Long.toString(batch - 1)));
    Files.writeString(
        offsets.resolve(Long.toString(batch)),
        before
            .replaceFirst(
                "\"batchWatermarkMs\":[0-9]+", "\"batchWatermarkMs\":" + watermark.toEpochMilli())
            .replaceFirst("\"reservoirVersion\":[0-9]+", "\"reservoirVersion\":" + version));
    Files.writeString(
        directory.resolve("v2/commits/" + batch),
        "v1\n{\"nextBatchWatermarkMs\":" + watermark.toEpochMilli() + "}");
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> walk = Files.walk(directory)) {
      return walk.filter(path -> !path.endsWith("plan.yaml")).sorted().toList();
    }
  }
}
