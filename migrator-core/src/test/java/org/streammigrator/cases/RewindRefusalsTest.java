package org.streammigrator.cases;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When {@code strategy: rewind} is refused, and what it is called where it is not. */
class RewindRefusalsTest {
  private static final String CHECKPOINT =
      """
      metadata = M
      offsets/{30..43} = v1\\nH\\n{"t":{"0":4000}}
      commits/{28..42} = CM
      """;

  @TempDir private Path root;
  private String printed;

  @Test
  void onlyRetainedCommittedBatchesCanBeGoneBackTo() throws IOException {
    TreeFile.expand(CHECKPOINT + "- commits/36", root);

    refused("batch: 43", "BATCH_NOT_COMMITTED", "offsets/43", "30..35, 37..42");
    refused("batch: 44", "BATCH_NOT_COMMITTED", "no committed batch 44", "is 42");
    refused("batch: 29", "BATCH_NOT_RETAINED", "offsets/29 is not there", "30..35, 37..42");
    refused("batch: 3", "BATCH_NOT_RETAINED", "offsets/3 and commits/3 are", "restore --batch 3");
    refused("batch: 36", "BATCH_NOT_RETAINED", "commits/36 is not there");
    planned("batch: 42", 0);
    planned("batch: 30", 0);
    assertThat(planned("batch: 35", 0).path("resume").path("batch").asLong()).isEqualTo(35);
  }

  @Test
  void whereTheQueryStandsThereIsNothingToTakeBack() throws IOException {
    TreeFile.expand(CHECKPOINT + "- offsets/43", root);

    refused("batch: 42", "NOTHING_TO_REWIND", "relocate the checkpoint");
    planned("batch: 41", 0);
  }

  @Test
  void commitsWithoutPlansAreTakenBackToo() throws IOException {
    TreeFile.expand(CHECKPOINT + "- offsets/43\ncommits/{43,44} = CM", root);

    JsonNode stream = planned("batch: 42", 0);

    assertThat(stream.path("explanation").asText()).contains("batches 43..44 (2 batches)");
    assertThat(JsonSubset.findings(stream)).doesNotContain("COMMIT_WITHOUT_OFFSETS");
  }

  @Test
  void nothingCommittedIsNothingToGoBackTo() throws IOException {
    TreeFile.expand("metadata = M\noffsets/0 = v1\\nH\\n{\"t\":{\"0\":1}}", root);

    refused("batch: 0", "NO_COMMITTED_BATCH", "archive");
  }

  @Test
  void aDamagedNewestPlanIsNotInTheWay() throws IOException {
    TreeFile.expand(CHECKPOINT + "- offsets/43\noffsets/43 = EMPTY", root);

    planned("batch: 42", 0);
  }

  @Test
  void aDamagedPlanOfTheBatchIs() throws IOException {
    TreeFile.expand(CHECKPOINT + "- offsets/40\noffsets/40 = v1\\nnothing", root);

    refused("batch: 40", "OFFSETS_CORRUPT", "offsets/40");
  }

  @Test
  void aTableThatHasLaterBatchesSkipsThemUnderTheOldId() throws IOException {
    TreeFile.expand(CHECKPOINT + table("sink", TreeFile.QUERY, 42), root);

    refused(
        "batch: 40\nsink: {delta: sink}",
        "SINK_BATCHES_SKIPPED",
        "record of batch 42",
        "41..43",
        "identity: new");
    refused("batch: 41\nsink: {delta: sink, keys: id}", "SINK_BATCHES_SKIPPED");
    // R is what the sink has: the pending batch is planned anew, and nothing comes twice.
    JsonNode pending = planned("batch: 42\nsink: {delta: sink}", 0);
    assertThat(pending.path("exactness").asText()).isEqualTo("EXACT");
    assertThat(pending.path("ledger").get(0).path("meets").asText()).isEqualTo("exact");
  }

  @Test
  void aNewIdNeedsKeysThatTakeUpWhatIsRepeated() throws IOException {
    TreeFile.expand(CHECKPOINT + table("sink", TreeFile.QUERY, 43), root);

    refused("batch: 40\nidentity: new\nsink: {delta: sink}", "SINK_ROWS_REPEATED", "`keys`");
    JsonNode accepted =
        planned("batch: 40\nidentity: new\nsink: {delta: sink}\naccept: SINK_ROWS_REPEATED", 0);
    assertThat(accepted.path("exactness").asText()).isEqualTo("OVERLAP");
    JsonNode merged = planned("batch: 40\nidentity: new\nsink: {delta: sink, keys: [id, day]}", 0);
    assertThat(merged.path("exactness").asText()).isEqualTo("OVERLAP");
    assertThat(merged.path("explanation").asText())
        .contains("batches 41..43 (3 batches)", "MERGE on id, day");
    assertThat(JsonSubset.findings(merged)).contains("SINK_ROWS_REPEATED:warning");
  }

  @Test
  void aFixedTxnAppIdIsNotHelpedByANewId() throws IOException {
    TreeFile.expand(CHECKPOINT + table("sink", "orders-writer", 42), root);
    String sink = "sink: {delta: sink, keys: id, txnAppId: orders-writer}";

    refused("batch: 40\n" + sink, "SINK_BATCHES_SKIPPED", "txnAppId orders-writer");
    refused("batch: 40\nidentity: new\n" + sink, "TXN_APP_ID_REUSED", "take another txnAppId");
    planned("batch: 40\nidentity: new\n" + sink.replace("orders-writer", "orders-writer-2"), 0);
  }

  @Test
  void aTableThatDoesNotHaveTheBatchIsBehind() throws IOException {
    TreeFile.expand(CHECKPOINT + table("sink", TreeFile.QUERY, 38), root);

    refused("batch: 40\nsink: {delta: sink}", "SINK_BEHIND", "39..40", "go back to batch 38");
    assertThat(planned("batch: 38\nsink: {delta: sink}", 0).path("exactness").asText())
        .isEqualTo("EXACT");
  }

  @Test
  void aTableWithoutARecordGetsRowsTwice() throws IOException {
    TreeFile.expand(CHECKPOINT + table("sink", "another", 7), root);

    refused("batch: 40\nsink: {delta: sink}", "SINK_ROWS_REPEATED", "no record of this query");
    JsonNode stream = planned("batch: 40\nsink: {delta: sink, keys: id}", 0);
    assertThat(stream.path("exactness").asText()).isEqualTo("OVERLAP");
  }

  @Test
  void aFileSinkKnowsNumbersAlone() throws IOException {
    TreeFile.expand(
        CHECKPOINT
            + "/out/_spark_metadata/{40..42} = v1\n/out/_spark_metadata/39.compact = v1\n"
            + "/empty/x = 1",
        root);

    for (String identity : List.of("keep", "new")) {
      refused(
          "batch: 40\nidentity: " + identity + "\nsink: {files: out}",
          "FILE_SINK_LOG_AHEAD",
          "batches up to 42");
      refused(
          "batch: 40\nidentity: " + identity + "\nsink: {files: empty}", "FILE_SINK_LOG_MISSING");
    }
    planned("batch: 42\nsink: {files: out}", 0);
  }

  @Test
  void placesThatAreNotAskedAreNotTrusted() throws IOException {
    TreeFile.expand(CHECKPOINT, root);

    for (String sink : List.of("delta: 's3a://b/t'", "iceberg: db.t")) {
      refused("batch: 40\nsink: {" + sink + "}", "SINK_BATCHES_SKIPPED");
      refused("batch: 40\nidentity: new\nsink: {" + sink + "}", "SINK_ROWS_REPEATED");
      planned("batch: 40\nidentity: new\nsink: {" + sink + ", keys: id}", 0);
    }
    refused("batch: 40\nsink: {files: 's3a://b/t'}", "FILE_SINK_LOG_AHEAD");
    refused("batch: 40\nsink: {delta: nowhere}", "SINK_NOT_FOUND");
  }

  @Test
  void otherSinksGetRowsTwiceAndThatIsSaid() throws IOException {
    TreeFile.expand(CHECKPOINT, root);

    for (String sink : List.of("kafka: 'b:1', topic: x", "custom: jdbc")) {
      JsonNode stream = planned("batch: 40\nsink: {" + sink + "}", 0);
      assertThat(stream.path("exactness").asText()).isEqualTo("OVERLAP");
      assertThat(JsonSubset.findings(stream)).contains("SINK_ROWS_REPEATED:warning");
      assertThat(stream.path("ledger").get(0).path("meets").asText()).isEqualTo("overlap");
    }
    assertThat(JsonSubset.findings(planned("batch: 40", 0))).contains("SINK_ROWS_REPEATED:warning");
  }

  @Test
  void whatTheTableHasLostSinceIsToldOf() throws IOException {
    StringBuilder tree = new StringBuilder("metadata = M\ncommits/{4..8} = CM\n");
    for (int batch = 4; batch <= 8; batch++) {
      tree.append(
          "offsets/%d = v1\\nH\\n{\"sourceVersion\":1,\"reservoirId\":\"TID_B\",\"reservoirVersion\":%d,\"index\":-1,\"isStartingVersion\":false}\n"
              .formatted(batch, batch));
    }
    tree.append(table("in", "x", 1).replace("0.json", "6.json"));
    for (int version : List.of(7, 9)) {
      tree.append(
          "/in/_delta_log/0000000000000000000%d.json = {\"commitInfo\":{}}\n".formatted(version));
    }
    TreeFile.expand(tree.toString(), root);
    String in = "\nsources: [{delta: in}]";

    refused("batch: 5" + in, "DELTA_VERSION_MISSING", "version 5 and version 8");
    // Nothing of what follows is lost but what a start asks for between the plans of 5 and 6.
    TreeFile.expand("/in/_delta_log/00000000000000000008.json = {\"commitInfo\":{}}", root);
    assertThat(JsonSubset.findings(planned("batch: 6" + in, 0))).contains("BATCH_GAP:info");
    assertThat(JsonSubset.findings(planned("batch: 7" + in, 0))).doesNotContain("BATCH_GAP");
  }

  @Test
  void sourcesThatCannotGoBackAreRefused() throws IOException {
    TreeFile.expand(
        """
        metadata = M
        offsets/{0..2} = v1\\nH\\n{"seqNum":7,"sourceVersion":1,"lastBackfillStartTimeMs":0,"lastBackfillFinishTimeMs":0,"lastInputPath":""}
        commits/{0..2} = CM
        sources/0/rocksdb/1.zip = BYTES 3
        """,
        root);

    refused("batch: 1", "AUTOLOADER_NOT_PORTABLE", "RocksDB");
    refused("batch: 1\nsources: [{rate: r}, {rate: r, was: none}]", "NOT_AVAILABLE");
  }

  @Test
  void stateOfAnotherProviderCannotBeCut() throws IOException {
    TreeFile.expand(
        "metadata = M\noffsets/{0..2} = v1\\nH(provider=OwnProvider)\\n{\"t\":{\"0\":7}}\n"
            + "commits/{0..2} = CM\nstate/0/{0..3}/{1,2,3}.own = BYTES 3",
        root);

    refused("batch: 1", "STATE_PROVIDER_UNKNOWN", "of later batches");
  }

  @Test
  void whatIsNotKnownOfASourceIsSaid() throws IOException {
    TreeFile.expand("metadata = M\noffsets/{0..2} = v1\\nH\\n7\ncommits/{0..2} = CM", root);

    assertThat(JsonSubset.findings(planned("batch: 1", 0))).contains("SOURCE_UNKNOWN:warning");
    assertThat(JsonSubset.findings(planned("batch: 1\nsources: [{rate: r}]", 0)))
        .doesNotContain("SOURCE_UNKNOWN");
  }

  private static String table(String place, String appId, long version) {
    return "/"
        + place
        + "/_delta_log/00000000000000000000.json ="
        + " {\"commitInfo\":{\"timestamp\":1700000000000,\"operation\":\"WRITE\"}}\\n"
        + "{\"protocol\":{\"minReaderVersion\":1,\"minWriterVersion\":2}}\\n"
        + "{\"metaData\":{\"id\":\"TID_B\",\"format\":{\"provider\":\"parquet\",\"options\":{}},"
        + "\"schemaString\":\"{\\\"type\\\":\\\"struct\\\",\\\"fields\\\":[]}\","
        + "\"partitionColumns\":[],\"configuration\":{}}}\\n"
        + "{\"txn\":{\"appId\":\""
        + appId
        + "\",\"version\":"
        + version
        + ",\"lastUpdated\":1700000000000}}\n";
  }

  private void refused(String lines, String code, String... texts) throws IOException {
    JsonNode stream = planned(lines, 3);
    assertThat(JsonSubset.findings(stream)).contains(code + ":error");
    for (String text : texts) {
      assertThat(printed).contains(text);
    }
    assertThat(stream.path("steps")).isEmpty();
  }

  private JsonNode planned(String lines, int exit) throws IOException {
    Files.writeString(
        root.resolve("plan.yaml"),
        "version: 1\nname: p\nstreams:\n  - name: s\n    strategy: rewind\n"
            + "    checkpoint: {from: chk, to: new}\n"
            + lines.indent(4));
    CommandRun run = CommandRun.of(root, List.of("plan", "plan.yaml", "-o", "json"));
    printed = run.out();
    assertThat(run.exit()).as(lines + run.out() + run.err()).isEqualTo(exit);
    return new ObjectMapper().readTree(run.out()).path("streams").get(0);
  }
}
