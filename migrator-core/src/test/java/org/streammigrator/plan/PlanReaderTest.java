package org.streammigrator.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.storage.Location;

class PlanReaderTest {

  @ParameterizedTest
  @MethodSource("org.streammigrator.plan.PlanTexts#valid")
  void readsWithoutAProblem(String text) {
    assertThat(PlanTexts.read(text).problems()).isEmpty();
  }

  @Test
  void fillsInWhatAMinimalPlanLeavesOut() {
    Plan plan = PlanTexts.plan(PlanTexts.MINIMAL);
    assertThat(plan.run())
        .isEqualTo(
            new RunPlan(
                4,
                OnFailure.CONTINUE,
                new CopyPlan(
                    Optional.empty(), Optional.empty(), Optional.empty(), CopyVerify.CHECKSUM)));
    assertThat(plan.journal()).isEmpty();
    StreamPlan stream = plan.streams().get(0);
    assertThat(stream.name()).isEqualTo("chk");
    assertThat(stream.copy()).isEqualTo(CopyScope.LIVE);
    assertThat(stream.runner()).isEqualTo(RunnerPlan.of(RunnerKind.LOCAL));
    assertThat(stream.identity()).isEmpty();
    assertThat(stream.sources()).isEmpty();
    assertThat(stream.replay().slices()).isEqualTo(1);
    assertThat(stream.query().operators()).isEmpty();
  }

  @Test
  void readsHowHardACopyMayWork() {
    String plan =
        PlanTexts.MINIMAL + "\nrun: {copy: {threads: 8, bandwidth: 50MiB, verify: read}}\n";
    CopyPlan copy = PlanTexts.plan(plan).run().copy();
    assertThat(copy.threads()).contains(8L);
    assertThat(copy.bandwidth()).contains(50L << 20);
    assertThat(copy.verify()).isEqualTo(CopyVerify.READ);
    for (String wrong :
        List.of("threads: 0", "bandwidth: 5 parsecs", "verify: maybe", "speed: 9")) {
      assertThat(PlanTexts.read(PlanTexts.MINIMAL + "\nrun: {copy: {" + wrong + "}}\n").problems())
          .as(wrong)
          .hasSize(1);
    }
  }

  @Test
  void readsEveryKeyOfTheContract() {
    Plan plan = PlanTexts.plan(PlanTexts.everything());
    assertThat(plan.workspaces().get("old").profile()).contains("WORKSPACE_A");
    assertThat(plan.storage().get("s3a://ops"))
        .containsEntry("fs.s3a.endpoint", SecretText.plain("http://127.0.0.1:9000"));
    StreamPlan stream = plan.streams().get(0);
    assertThat(stream.strategy()).isEqualTo(Strategy.SEED);
    assertThat(stream.identity()).contains(Identity.KEEP);
    assertThat(stream.batch()).contains(4181L);
    assertThat(stream.archive().orElseThrow().format()).isEqualTo(ArchiveFormat.TAR_ZST);
    SourcePlan delta = stream.sources().get(0);
    assertThat(delta.address().orElseThrow().kind()).isEqualTo(SourceKind.DELTA);
    assertThat(delta.address().orElseThrow().location()).contains(at("/lake/raw/orders"));
    SourcePlan kafka = stream.sources().get(1);
    assertThat(kafka.isNew()).isTrue();
    assertThat(kafka.address().orElseThrow().text()).isEqualTo("broker:9092");
    assertThat(kafka.translate().orElseThrow().by()).isEqualTo(TranslateBy.TIMESTAMP);
    assertThat(stream.sink().get(0).keys()).containsExactly("order_id");
    assertThat(stream.changes())
        .extracting(ChangePlan::kind)
        .containsExactly(ChangeKind.SOURCE_ADDED, ChangeKind.AGGREGATE);
    OperatorPlan window = stream.query().operators().get(0);
    assertThat(window.kind()).isEqualTo(OperatorKind.WINDOW);
    assertThat(window.delay()).contains(Duration.ofMinutes(10));
    assertThat(stream.replay().from()).isEmpty();
    assertThat(stream.replay().skew()).contains(Duration.ofMinutes(15));
    assertThat(stream.replay().sink()).contains(ReplaySink.SCRATCH);
    assertThat(stream.backfill().orElseThrow().cut()).isEmpty();
    assertThat(stream.job().orElseThrow().id()).contains("123456");
    assertThat(stream.cutover().orElseThrow().start()).isTrue();
    assertThat(stream.checks().counts()).contains(CheckLevel.ERROR);
    assertThat(stream.accept()).containsExactly(FindingCode.PENDING_BATCH);
    assertThat(stream.conf()).containsEntry("timeZone", "UTC");
    assertThat(stream.after()).containsExactly("orders_raw");
  }

  @Test
  void mergesDefaultsIntoStreams() {
    Plan plan =
        PlanTexts.plan(
            """
            version: 1
            name: merged
            defaults:
              archive: {to: /archive, format: tar}
              accept: [PENDING_BATCH, BATCH_GAP]
              conf: {timeZone: UTC, ansi: false}
              copy: all
            streams:
              - strategy: relocate
                checkpoint: {from: /a, to: /b}
                archive: {format: tar.gz}
                accept: TEMP_LEFTOVERS
                conf: {timeZone: Europe/Berlin}
            """);
    StreamPlan stream = plan.streams().get(0);
    assertThat(stream.archive())
        .contains(new ArchivePlan(at("/archive"), ArchiveFormat.TAR_GZ, Optional.empty()));
    assertThat(stream.accept()).containsExactly(FindingCode.TEMP_LEFTOVERS);
    assertThat(stream.conf())
        .containsOnly(Map.entry("timeZone", "Europe/Berlin"), Map.entry("ansi", "false"));
    assertThat(stream.copy()).isEqualTo(CopyScope.ALL);
  }

  @Test
  void resolvesRelativePathsAgainstThePlansDirectory() {
    Plan plan =
        PlanTexts.plan(PlanTexts.MINIMAL.replace("/a/chk", "../old chk").replace("/b/chk", "new"));
    assertThat(plan.streams().get(0).checkpoint().from()).hasToString("file:/old chk");
    assertThat(plan.streams().get(0).checkpoint().to()).contains(at("/plans/new"));
  }

  @Test
  void namesAStreamAtARootByItsPlace() {
    Plan plan = PlanTexts.plan(PlanTexts.MINIMAL.replace("/a/chk", "'s3a://bucket'"));
    assertThat(plan.streams().get(0).name()).isEqualTo("s3a://bucket/");
  }

  @Test
  void followsTheCoreSchemaOfYaml12() {
    Plan plan =
        PlanTexts.plan(
            PlanTexts.MINIMAL.replace("name: minimal", "name: no")
                + "    conf: {a: no, b: 08, c: 1e3, d: true, e: 0x1F, f: 'null'}\n");
    assertThat(plan.name()).isEqualTo("no");
    assertThat(plan.streams().get(0).conf())
        .isEqualTo(Map.of("a", "no", "b", "08", "c", "1e3", "d", "true", "e", "0x1F", "f", "null"));
  }

  @Test
  void putsInVariablesAndTheEnvironmentWithoutShowingTheLatter() {
    Plan plan =
        PlanTexts.plan(
            """
            version: 1
            name: secrets
            workspaces: {w: {host: h, token: "${env:KEY}"}}
            storage:
              "s3a://b":
                fs.s3a.access.key: "${env:KEY}"
                fs.s3a.secret.key: literal
                fs.s3a.endpoint: "x-${env:KEY}-y"
                fs.s3a.path: "${var:root}"
            streams:
              - strategy: relocate
                checkpoint: {from: "${var:root}/a", to: "${env:ROOT}/b"}
            """);
    assertThat(plan.toString())
        .doesNotContain("s3cret")
        .doesNotContain("literal")
        .contains("${env:KEY}", "x-${env:KEY}-y", "***");
    Map<String, SecretText> settings = plan.storage().get("s3a://b");
    assertThat(settings.get("fs.s3a.access.key").value()).isEqualTo("s3cret-value");
    assertThat(settings.get("fs.s3a.secret.key").value()).isEqualTo("literal");
    assertThat(settings.get("fs.s3a.path")).hasToString("/var/root");
    assertThat(plan.streams().get(0).checkpoint().to()).contains(at("/env/root/b"));
  }

  @Test
  void leavesTemplatesToTheirExpansion() {
    Plan plan = PlanTexts.plan(PlanTexts.valid().get(4));
    assertThat(plan.streams()).extracting(StreamPlan::name).containsExactly("last");
    assertThat(plan.templates().get(0).foreach().glob()).contains("/chk/*/*");
  }

  @Test
  void readsAFileOfChanges() {
    Reading<ChangesFile> reading =
        PlanReader.readChanges(
            """
            changes:
              - {kind: conf, key: spark.sql.shuffle.partitions, value: 8}
              - kind: state-schema
                operator: 0
                value: {type: struct, fields: [{name: a, type: long, nullable: true, metadata: {}}]}
            """);
    assertThat(reading.problems()).isEmpty();
    List<ChangePlan> changes = reading.value().orElseThrow().changes();
    assertThat(changes.get(0).value()).contains("8");
    assertThat(changes.get(1).operator()).contains("0");
    assertThat(changes.get(1).value())
        .contains(
            "{\"type\":\"struct\",\"fields\":[{\"name\":\"a\",\"type\":\"long\",\"nullable\":true,\"metadata\":{}}]}");
    assertThat(PlanReader.readChanges("changes: [{kind: joint}]").problems())
        .singleElement()
        .satisfies(problem -> assertThat(problem.message()).endsWith("did you mean 'join'?"));
  }

  private static Location at(String text) {
    return Location.parse(text, Path.of("/"));
  }
}
