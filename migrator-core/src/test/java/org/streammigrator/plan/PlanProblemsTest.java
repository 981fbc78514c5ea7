package org.streammigrator.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PlanProblemsTest {
  private static final String HEAD = "version: 1\nname: n\n";
  private static final String STREAM =
      "streams:\n  - {strategy: seed, checkpoint: {from: /a, to: /b}}\n";

  @Test
  void reportsFiveMistakesAtOnce() {
    String text =
        """
        version: 1
        name: five
        run: {paralelism: 4}
        defaults:
          archive: {to: "", format: tar.zst}
        streams:
          - name: one
            strategy: sed
            checkpoint: {from: /a, to: file:///a/}
            query: {operators: [{kind: window, size: five minutes}]}
            after: [two]
        """;
    assertThat(PlanTexts.read(text).problems())
        .extracting(PlanProblem::toString)
        .containsExactly(
            "3:7: run.paralelism: unknown key 'paralelism'; did you mean 'parallelism'?",
            "5:17: defaults.archive.to: a location must not be empty; found ''",
            "8:15: streams[0].strategy: expected one of relocate, seed, replay, rewind, backfill,"
                + " start-options, found 'sed'; did you mean 'seed'?",
            "9:32: streams[0].checkpoint.to: SAME_LOCATION: the new checkpoint is the old one, in"
                + " whatever spelling; the old one is never written: name another place",
            "10:46: streams[0].query.operators[0].size: expected a duration, such as 250ms, 10s, 5m,"
                + " 1h or 7d, found 'five minutes'",
            "11:13: streams[0].after[0]: no stream is called 'two'");
  }

  private static final String WORKSPACE = "workspaces: {w: {profile: A}}\n";
  private static final String JOBS =
      "streams:\n  - strategy: seed\n    checkpoint: {from: /a, to: /b}\n    name: s\n";

  static Stream<Arguments> single() {
    return Stream.of(
        arguments("", 1, 1, "", "the file is empty"),
        arguments("# nothing\n", 1, 1, "", "the file is empty"),
        arguments("- a\n", 1, 1, "", "expected a map of keys, found a list"),
        arguments("version: [1\nname: n\n", 2, 5, "", "this is not YAML"),
        arguments("version: 1\n\tname: n\n", 2, 1, "", "not with tabs"),
        arguments("version: 1\nname: \u0007\n", 2, 7, "", "U+0007"),
        arguments(HEAD + STREAM + "---\nversion: 1\n", 5, 1, "", "a second one"),
        arguments(HEAD.replace("1", "2") + STREAM, 1, 10, "version", "version 2"),
        arguments(HEAD.replace("1", "one") + STREAM, 1, 10, "version", "expected a whole number"),
        arguments("name: n\n" + STREAM, 1, 1, "version", "is missing"),
        arguments(HEAD + "name: m\n" + STREAM, 3, 1, "name", "stands here twice, first in line 2"),
        arguments(HEAD + "stream: []\n" + STREAM, 3, 1, "stream", "did you mean 'streams'?"),
        arguments(HEAD + "zzz: 1\n" + STREAM, 3, 1, "zzz", "known here: version, name"),
        arguments(HEAD.replace("name: n", "name: 08") + STREAM, 2, 7, "name", "quote it: \"08\""),
        arguments(HEAD + "streams: []\n", 3, 10, "streams", "at least one"),
        arguments(HEAD + "streams: one\n", 3, 10, "streams", "expected a list, found 'one'"),
        arguments(HEAD + "streams: [one]\n", 3, 11, "streams[0]", "expected a stream"),
        arguments(
            HEAD + "streams:\n  - {strategy: seed}\n", 4, 5, "streams[0].checkpoint", "missing"),
        arguments(HEAD + "run:\n" + STREAM, 3, 5, "run", "has no value"),
        arguments(
            HEAD + "run: fast\n" + STREAM,
            3,
            6,
            "run",
            "parallelism, onFailure, copy, found 'fast'"),
        arguments(
            HEAD + "run: {parallelism: 0}\n" + STREAM, 3, 20, "run.parallelism", "at least 1"),
        arguments(
            HEAD + "run: {parallelism: 1e3}\n" + STREAM, 3, 20, "run.parallelism", "whole number"),
        arguments(
            HEAD + "run: {parallelism: 99999999999}\n" + STREAM,
            3,
            20,
            "run.parallelism",
            "at most"),
        arguments(
            HEAD + "run: {onFailure: halt}\n" + STREAM, 3, 18, "run.onFailure", "continue, stop"),
        arguments(HEAD + "defaults: {name: x}\n" + STREAM, 3, 12, "defaults.name", "one stream"),
        arguments(HEAD + "defaults: {copy: some}\n" + STREAM, 3, 18, "defaults.copy", "live, all"),
        arguments(HEAD + "journal: 's3a:'\n" + STREAM, 3, 10, "journal", "needs a path"),
        arguments(HEAD + "journal: ${env:NOPE}\n" + STREAM, 3, 10, "journal", "NOPE is not set"),
        arguments(
            HEAD + "journal: ${var:rot}\n" + STREAM, 3, 10, "journal", "did you mean 'root'?"),
        arguments(HEAD + "journal: /x/${name}\n" + STREAM, 3, 10, "journal", "means nothing here"),
        arguments(HEAD + "journal: /x/${HOME\n" + STREAM, 3, 10, "journal", "no closing brace"),
        arguments(HEAD + "journal: !foo /x\n" + STREAM, 3, 10, "journal", "tags"),
        arguments(HEAD + "? [a, b]\n: c\n" + STREAM, 3, 3, "", "a key must be text"),
        arguments(
            HEAD + "journal: &a [*a]\n" + STREAM, 3, 14, "journal[0]", "inside what it repeats"),
        arguments(
            HEAD + WORKSPACE + JOBS + "    job: {workspace: w, id: 5, name: x}\n",
            8,
            10,
            "streams[0].job",
            "by its id or by its name, one of them"),
        arguments(
            HEAD + WORKSPACE + JOBS + "    job: {workspace: w, id: five}\n",
            8,
            29,
            "streams[0].job.id",
            "a job's id is a number"),
        arguments(
            HEAD + JOBS + "    job: {stop: command}\n",
            7,
            17,
            "streams[0].job.stop",
            "add command"),
        arguments(
            HEAD
                + WORKSPACE
                + JOBS
                + "    cutover: {workspace: w, id: 5, parameter: a, sparkConf: b}\n",
            8,
            61,
            "streams[0].cutover.sparkConf",
            "keep one of parameter, sparkConf"),
        arguments(
            HEAD
                + WORKSPACE
                + JOBS
                + "    cutover: {workspace: w, id: 5, start: true}\n"
                + "  - strategy: seed\n    checkpoint: {from: /c, to: /d}\n    name: t\n"
                + "    cutover: {workspace: w, id: 5, start: true}\n",
            12,
            33,
            "streams[1].cutover.id",
            "the cutover in line 8 starts this job, too"),
        arguments(
            HEAD + WORKSPACE + JOBS + "    cutover: {workspace: w, id: 5, taskParameter: a}\n",
            8,
            51,
            "streams[0].cutover.taskParameter",
            "add task: KEY"),
        arguments(
            HEAD + "workspaces: {w: {token: abc}}\n" + STREAM,
            3,
            25,
            "workspaces.w.token",
            "${env:NAME}"),
        arguments(
            HEAD + "storage: {\"s3a://b\": {fs.x: [1]}}\n" + STREAM,
            3,
            29,
            "storage[\"s3a://b\"][\"fs.x\"]",
            "expected a single value"),
        arguments(
            HEAD + stream("strategy: rewind"), 4, 15, "streams[0].strategy", "needs the batch"),
        arguments(
            HEAD + stream("strategy: rewind\n    batch: -1"),
            5,
            12,
            "streams[0].batch",
            "at least 0"),
        arguments(
            HEAD + stream("strategy: seed\n    accept: [PENDING_BATH]"),
            5,
            14,
            "streams[0].accept[0]",
            "did you mean 'PENDING_BATCH'?"),
        arguments(
            HEAD + stream("strategy: seed\n    repair: yes"),
            5,
            13,
            "streams[0].repair",
            "true or false"),
        arguments(
            HEAD + stream("strategy: seed\n    job: {workspace: w}"),
            5,
            22,
            "streams[0].job.workspace",
            "no workspace"),
        arguments(
            HEAD + stream("strategy: seed\n    sink: {keys: [a]}"),
            5,
            11,
            "streams[0].sink",
            "delta, files"),
        arguments(
            HEAD + stream("strategy: seed\n    sink: {delta: /a, files: /b}"),
            5,
            23,
            "streams[0].sink.files",
            "only one kind"),
        arguments(
            HEAD + stream("strategy: seed\n    replay: {from: yesterday}"),
            5,
            20,
            "streams[0].replay.from",
            "a time with its zone"),
        arguments(
            HEAD + stream("strategy: seed\n    foreach: {glob: '/x/*', csv: a.csv}"),
            5,
            14,
            "streams[0].foreach",
            "either a glob or a csv"),
        arguments(
            HEAD + stream("strategy: seed\n    foreach: {glob: '/x/*'}\n    name: '${column}'"),
            6,
            11,
            "streams[0].name",
            "means nothing here"),
        arguments(
            HEAD + "streams:\n  - {strategy: seed, checkpoint: {from: /a}}\n",
            4,
            34,
            "streams[0].checkpoint.to",
            "is missing"),
        arguments(
            HEAD + "streams:\n  - {strategy: seed, checkpoint: {from: /a, to: /a/b}}\n",
            4,
            49,
            "streams[0].checkpoint.to",
            "TARGET_INSIDE_SOURCE: the new"),
        arguments(
            HEAD
                + "streams:\n  - {strategy: seed, checkpoint: {from: /dbfs/mnt/a/b, to: 'dbfs:/mnt/a'}}\n",
            4,
            60,
            "streams[0].checkpoint.to",
            "TARGET_INSIDE_SOURCE: the old"),
        arguments(
            HEAD + STREAM + "  - {name: a, strategy: seed, checkpoint: {from: /c, to: /d}}\n",
            5,
            12,
            "streams[1].name",
            "two streams are called 'a'"),
        arguments(
            HEAD + STREAM + "  - {strategy: seed, checkpoint: {from: /c/a, to: /d}}\n",
            5,
            5,
            "streams[1]",
            "give this one a name"),
        arguments(
            HEAD + STREAM + "  - {strategy: seed, checkpoint: {from: /c, to: 'file:///b/'}}\n",
            5,
            49,
            "streams[1].checkpoint.to",
            "two streams would write"),
        arguments(
            HEAD
                + STREAM.replace("}}", "}, after: b}")
                + "  - {name: b, after: [a], strategy: seed, checkpoint: {from: /c, to: /d}}\n",
            5,
            23,
            "streams[1].after[0]",
            "wait for each other: a after b after a"),
        arguments(
            HEAD + STREAM.replace("}}", "}, after: a}"), 4, 61, "streams[0].after", "a after a"));
  }

  private static String stream(String keys) {
    return "streams:\n  - " + keys + "\n    checkpoint: {from: /a, to: /b}\n";
  }

  @ParameterizedTest
  @MethodSource("single")
  void reportsOneMistake(String text, int line, int column, String path, String message) {
    PlanReading reading = PlanTexts.read(text);
    assertThat(reading.plan()).isEmpty();
    assertThat(reading.problems())
        .singleElement()
        .satisfies(problem -> assertThat(problem.message()).contains(message))
        .extracting(PlanProblem::line, PlanProblem::column, PlanProblem::path)
        .containsExactly(line, column, path);
  }

  @Test
  void reportsAMistakeInDefaultsOnce() {
    String text =
        HEAD
            + "defaults: {runner: {kind: locl}}\n"
            + STREAM
            + "  - {strategy: seed, checkpoint: {from: /c, to: /d}}\n";
    assertThat(PlanTexts.read(text).problems())
        .extracting(PlanProblem::path)
        .containsExactly("defaults.runner.kind");
  }

  @Test
  void neverShowsTheEnvironment() {
    List<String> values =
        List.of(
            "run: {parallelism: '${env:KEY}'}",
            "run: {onFailure: '${env:KEY}'}",
            "run: '${env:KEY}'",
            "defaults: {after: '${env:KEY}', archive: {to: 's3a:${env:KEY}', releaseAfter: '${env:KEY}'}}",
            "workspaces: {w: {'${env:KEY}': x}}");
    for (String value : values) {
      List<PlanProblem> problems = PlanTexts.read(HEAD + value + "\n" + STREAM).problems();
      assertThat(problems).isNotEmpty();
      assertThat(problems.toString()).doesNotContain("s3cret").contains("${env:KEY}");
    }
  }

  @Test
  void boundsAliases() {
    StringBuilder bomb = new StringBuilder(HEAD + "a0: &a0 [x, x]\n");
    for (int i = 1; i < 40; i++) {
      bomb.append("a%d: &a%d [*a%d, *a%d]\n".formatted(i, i, i - 1, i - 1));
    }
    assertThat(PlanTexts.read(bomb.toString()).problems())
        .singleElement()
        .satisfies(problem -> assertThat(problem.message()).contains("aliases repeat more than"));
  }

  @Test
  void boundsDepth() {
    assertThat(PlanTexts.read("a: " + "[".repeat(100_000)).problems())
        .singleElement()
        .satisfies(problem -> assertThat(problem.message()).contains("nested deeper"));
  }
}
