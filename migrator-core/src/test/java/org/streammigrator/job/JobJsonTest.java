package org.streammigrator.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class JobJsonTest {

  @Test
  void everythingThatIsWrongIsToldAtOnce() {
    assertThatThrownBy(
            () ->
                JobJson.readSpec(
                    """
                    {"schema":"migrator/job/2","job":"copy","form":"/a","to":7,"threads":"2",
                     "dryRun":"yes","accept":[1],"storage":{"s3a://b":{"fs.s3a.endpoint":5}},
                     "runner":{"kind":"local","memroy":"4g","arguments":"--x"}}
                    """))
        .isInstanceOf(InvalidJobSpecException.class)
        .message()
        .satisfies(
            message ->
                assertThat(message.lines())
                    .containsExactly(
                        "schema: expected \"migrator/job/1\", found \"migrator/job/2\"",
                        "form: unknown key; known are accept, copy, dryRun, from, journal, result,"
                            + " rewrite, sink, storage, takeOver, threads, to, verify; did you mean"
                            + " 'from'?",
                        "from is missing",
                        "to: a text is wanted here, not 7",
                        "accept[0]: a text is wanted here, not 1",
                        "threads: a whole number is wanted here, not \"2\"",
                        "dryRun: true or false is wanted here, not \"yes\"",
                        "storage.s3a://b.fs.s3a.endpoint: a text is wanted here, not number",
                        "runner.memroy: unknown key; known are arguments, cluster, conf,"
                            + " environment, jar, kind, master, memory, nodeType, onInterrupt,"
                            + " policy, sparkHome, sparkVersion, timeout, volume, workers,"
                            + " workspace; did you mean 'memory'?",
                        "runner.arguments: a list is wanted here, not \"--x\""));
  }

  @Test
  void everyWrongValueIsToldAtOnce() {
    assertThatThrownBy(
            () ->
                JobJson.readSpec(
                    """
                    {"schema":"migrator/job/1","job":"backfill",
                     "sources":[{"name":"a","kafka":"h:1","from":{"x":1},"to":{"0":-1}},
                                {"name":"b","delta":"/t","topic":"t","changes":"none"}],
                     "sink":{"delta":"/t","keys":[],"mode":"replace"},
                     "runner":{"kind":"yarn","memory":"much"}}
                    """))
        .message()
        .satisfies(
            message ->
                assertThat(message.lines())
                    .containsExactly(
                        "source a: topic is missing",
                        "source a: from: x: 1 is no offset of a partition",
                        "source a: to: 0: -1 is no offset of a partition",
                        "source b: topic is for kafka only",
                        "source b: changes: 'none' is none of refuse, skip, reemit, feed",
                        "sink.keys is missing: name the columns by which a row is found again",
                        "sink.mode: 'replace' is neither upsert nor insert-only",
                        "runner.kind: 'yarn' is none of local, spark-submit, databricks",
                        "runner.memory: 'much' is no amount such as 4g"));
    assertBad(copy(",\"threads\":0,\"copy\":\"some\""), "threads: 0 is not between 1 and 1000");
    assertBad(copy(",\"threads\":0,\"copy\":\"some\""), "copy: 'some' is neither live nor all");
  }

  @Test
  void dedupSpecIsReadAsItIsWritten() {
    String spec =
        dedup(
            """
            "keys":["id"],"order":[{"column":"at","direction":"desc"},{"column":"n"}],
            "scope":{"partition":{"day":"2026-03-27"}},"keep":"last","nullKeys":"value","id":"r"
            """);
    DedupSpec read = (DedupSpec) JobJson.readSpec(spec).spec();
    assertThat(read.order())
        .containsExactly(
            new OrderColumn("at", "desc", "last"), new OrderColumn("n", "asc", "first"));
    assertThat(read.keepsLast()).isTrue();
    assertThat(read.nullIsValue()).isTrue();
    assertThat(JobJson.readSpec(JobJson.write(read)).spec()).isEqualTo(read);
    DedupSpec undo = (DedupSpec) JobJson.readSpec(dedup("\"undo\":{\"version\":3}")).spec();
    assertThat(undo.undo().version()).isEqualTo(3);
    assertThat(JobJson.readSpec(JobJson.write(undo)).spec()).isEqualTo(undo);
  }

  @Test
  void dedupSpecsThatMeanNothing() {
    assertBad(dedup("\"keep\":\"first\""), "keys: no column is named");
    assertBad(dedup("\"keys\":[]"), "keys: no column is named");
    assertBad(dedup("\"keys\":\"id\""), "keys: a list is wanted here");
    assertBad(dedup("\"keys\":[\"id\"],\"keep\":\"newest\""), "keep: 'newest'");
    assertBad(dedup("\"keys\":[\"id\"],\"nullKeys\":\"drop\""), "nullKeys: 'drop'");
    assertBad(
        dedup("\"keys\":[\"id\"],\"order\":[{\"column\":\"a\",\"direction\":\"down\"}]"),
        "order.direction: 'down'");
    assertBad(dedup("\"keys\":[\"id\"],\"scope\":{}"), "scope: one of");
    assertBad(
        dedup("\"keys\":[\"id\"],\"scope\":{\"sinceVersion\":1,\"predicate\":\"true\"}"),
        "scope: one of");
    assertBad(dedup("\"keys\":[\"id\"],\"scope\":{\"sinceVersion\":-1}"), "scope.sinceVersion: -1");
    assertBad(dedup("\"keys\":[\"id\"],\"undo\":{\"version\":3}"), "undo: puts back");
    assertBad(dedup("\"undo\":{\"version\":0}"), "undo.version: version 0");
  }

  private static String dedup(String more) {
    return "{\"schema\":\"migrator/job/1\",\"job\":\"dedup\",\"table\":\"/t\"," + more + "}";
  }

  @Test
  void runnerIsANameOrAMap() {
    assertThat(JobJson.readSpec(copy("")).runner()).isEqualTo(RunnerSpec.of("local"));
    assertThat(JobJson.readSpec(copy(",\"runner\":\"spark-submit\"")).runner())
        .isEqualTo(RunnerSpec.of("spark-submit"));
    RunnerSpec runner =
        JobJson.readSpec(copy(",\"runner\":{\"kind\":\"local\",\"master\":\"local[3]\"}")).runner();
    assertThat(runner.master()).isEqualTo("local[3]");
    assertBad(copy(",\"runner\":\"yarn\""), "runner.kind: 'yarn' is none of local");
    assertBad(
        copy(",\"runner\":{\"kind\":\"local\",\"memory\":\"4 GB\"}"), "runner.memory: '4 GB'");
  }

  @Test
  void settingsThatSparkShowsHoldNoReferences() {
    assertBad(
        copy(",\"runner\":{\"kind\":\"spark-submit\",\"conf\":{\"spark.a\":\"${env:SECRET}\"}}"),
        "runner.conf.spark.a: nothing is put in here");
  }

  @Test
  void whatMayBeASecretIsNotShown() {
    for (String storage :
        List.of("12345", "{\"s3a://b\":12345}", "{\"s3a://b\":{\"fs.s3a.secret.key\":12345}}")) {
      assertThatThrownBy(() -> JobJson.readSpec(copy(",\"storage\":" + storage)))
          .message()
          .contains("storage")
          .doesNotContain("12345");
    }
  }

  @Test
  void valuesHaveTheirRanges() {
    assertBad(copy(",\"threads\":0"), "threads: 0 is not between 1 and 1000");
    assertBad(copy(",\"copy\":\"some\""), "copy: 'some' is neither live nor all");
    assertBad(copy(",\"verify\":\"none\""), "verify: 'none' is neither checksum nor read");
    assertBad("{\"schema\":\"migrator/job/1\",\"job\":\"mend\"}", "expected \"backfill\" or ");
    assertBad("[]", "no JSON object");
    assertBad("{", "no JSON");
  }

  @Test
  void equalSpecsAreOneJob() {
    String ordered = backfill("{\"a\":\"1\",\"kafka.b\":\"2\",\"c\":\"3\"}");
    String other = backfill("{\"c\":\"3\",\"kafka.b\":\"2\",\"a\":\"1\"}");
    assertThat(jobId(ordered)).isEqualTo(jobId(other)).startsWith("migrator-backfill/");
    assertThat(jobId(backfill("{\"a\":\"2\"}"))).isNotEqualTo(jobId(ordered));
  }

  private static String jobId(String json) {
    return ((BackfillSpec) JobJson.readSpec(json).spec()).jobId();
  }

  private static String backfill(String options) {
    return "{\"schema\":\"migrator/job/1\",\"job\":\"backfill\",\"sources\":[{\"name\":\"s\","
        + "\"kafka\":\"h:1\",\"topic\":\"t\",\"options\":"
        + options
        + "}],\"sink\":{\"delta\":\"/t\",\"keys\":[\"k\"]}}";
  }

  @Test
  void valuesOfOptionsAreNotShown() {
    assertThatThrownBy(() -> JobJson.readSpec(backfill("{\"kafka.ssl.key.password\":12345}")))
        .message()
        .contains("sources[0].options.kafka.ssl.key.password")
        .doesNotContain("12345");
  }

  @Test
  void whatIsReadIsWrittenTheSame() {
    JobFile file = JobJson.readSpec(copy(",\"threads\":3,\"sink\":[{\"delta\":\"/t\"}]"));
    JobFile again = JobJson.readSpec(file.json());
    assertThat(again.spec()).isEqualTo(file.spec());
    assertThat(file.spec()).isInstanceOf(CopySpec.class);
    assertThat(((CopySpec) file.spec()).threads()).isEqualTo(3);
  }

  private static void assertBad(String json, String message) {
    assertThatThrownBy(() -> JobJson.readSpec(json))
        .isInstanceOf(InvalidJobSpecException.class)
        .hasMessageContaining(message);
  }

  private static String copy(String more) {
    return "{\"schema\":\"migrator/job/1\",\"job\":\"copy\",\"from\":\"/a\",\"to\":\"/b\""
        + more
        + "}";
  }
}
