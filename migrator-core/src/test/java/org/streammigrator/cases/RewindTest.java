package org.streammigrator.cases;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.streammigrator.storage.LocalStore;

/** What {@code strategy: rewind} writes, file by file. */
class RewindTest {
  private static final String KAFKA =
      """
      metadata = M
      offsets/{38..43} = v1\\nH(shuffle=2)\\n{"t":{"0":4000}}
      offsets/40 = v1\\nH(shuffle=2,wm=1774605600000)\\n{"t":{"0":4040}}
      offsets/43 = v1\\nH(shuffle=2)\\n{"t":{"0":4343}}
      commits/{38..42} = CM
      commits/40 = v1\\n{"nextBatchWatermarkMs":1774605900000}
      """;

  @TempDir private Path root;
  private CommandRun last;

  @BeforeEach
  void plan() throws IOException {
    plan("batch: 40");
  }

  @Test
  void stateOfLaterVersionsIsLeftOut() throws IOException {
    TreeFile.expand(
        KAFKA
            + """
            state/0/{0,1}/{30..44}.delta = DELTA
            state/0/{0,1}/{35,42}.snapshot = DELTA
            state/0/_metadata/metadata = v1\\n{"operatorInfo":{"operatorId":0,"operatorName":"dedupe"},"stateStoreInfo":[{"storeName":"default","numColsPrefixKey":0,"numPartitions":2}]}
            state/0/0/_metadata/schema = BYTES 3
            """,
        root);

    JsonNode stream = planned(0);
    assertThat(stream.path("exactness").asText()).isEqualTo("OVERLAP");
    assertThat(stream.path("explanation").asText())
        .contains(
            "batch 41",
            "batches 41..43 (3 batches) are taken back",
            "with the state as of then",
            "2026-03-27T10:05:00Z");
    assertThat(stream.path("resume").path("batch").asLong()).isEqualTo(40);
    assertThat(stream.path("ledger").get(0).path("note").asText())
        .contains("4039", "4342", "read again");
    assertThat(stream.path("ledger").get(0).path("firstBatch").asLong()).isEqualTo(41);
    apply();

    List<String> expected =
        new ArrayList<>(
            List.of(
                "metadata",
                "offsets/39",
                "offsets/40",
                "commits/40",
                "state/0/_metadata/metadata",
                "state/0/0/_metadata/schema"));
    for (int partition = 0; partition < 2; partition++) {
      expected.add("state/0/" + partition + "/35.snapshot");
      for (int version = 36; version <= 41; version++) {
        expected.add("state/0/" + partition + "/" + version + ".delta");
      }
    }
    assertThat(written()).containsExactlyInAnyOrderElementsOf(expected);
    assertThat(json("inspect", "new").path("state").get(0).path("requiredVersion").asLong())
        .isEqualTo(41);
    assertThat(json("inspect", "new").path("restartable").asBoolean()).isTrue();
    sameAsBefore("offsets/39", "offsets/40", "commits/40", "metadata");
  }

  @Test
  void theHistoryIsKeptWhereEverythingIsCopied() throws IOException {
    plan("batch: 40\ncopy: all");
    TreeFile.expand(KAFKA + "state/0/{0,1}/{1..44}.delta = DELTA\nx/y = 1", root);

    apply();

    Set<String> expected = new TreeSet<>(List.of("metadata", "x/y"));
    IntStream.rangeClosed(38, 40)
        .forEach(n -> expected.addAll(List.of("offsets/" + n, "commits/" + n)));
    IntStream.rangeClosed(1, 41)
        .forEach(
            n ->
                expected.addAll(List.of("state/0/0/" + n + ".delta", "state/0/1/" + n + ".delta")));
    assertThat(written()).isEqualTo(expected);
  }

  @Test
  void aPlanBeforeTheBatchThatIsGoneIsReplacedByACopy() throws IOException {
    TreeFile.expand(KAFKA + "- offsets/{38,39}\noffsets/.39.crc = BYTES 12", root);

    apply();

    assertThat(written()).containsExactly("commits/40", "metadata", "offsets/39", "offsets/40");
    assertThat(root.resolve("new/offsets/39"))
        .hasSameBinaryContentAs(root.resolve("chk/offsets/40"));
    assertThat(json("inspect", "new").path("restartable").asBoolean()).isTrue();
  }

  @Test
  void batchZeroHasNoneBefore() throws IOException {
    plan("batch: 0");
    TreeFile.expand(
        "metadata = M\noffsets/{0..2} = v1\\nH\\n{\"t\":{\"0\":5}}\ncommits/{0..2} = CM", root);

    apply();

    assertThat(written()).containsExactly("commits/0", "metadata", "offsets/0");
    assertThat(json("inspect", "new").path("restartable").asBoolean()).isTrue();
  }

  @Test
  void aNewIdIsDrawnOnceAndStays() throws IOException {
    plan("batch: 40\nidentity: new");
    TreeFile.expand(KAFKA, root);

    apply();

    String id = Files.readString(root.resolve("new/metadata"));
    assertThat(id).isNotEqualTo(Files.readString(root.resolve("chk/metadata"))).contains("\"id\"");
    apply();
    assertThat(Files.readString(root.resolve("new/metadata"))).isEqualTo(id);
    plan("batch: 39\nidentity: new");
    assertThat(run("plan", "plan.yaml")).as("another batch is another plan").isEqualTo(3);
  }

  @Test
  void aNewIdNeedsNoOldOne() throws IOException {
    TreeFile.expand(KAFKA + "- metadata", root);
    assertThat(codes(planned(3))).contains("METADATA_MISSING:error");
    plan("batch: 40\nidentity: new");

    apply();

    assertThat(written()).contains("metadata");
  }

  @Test
  void rocksDbSnapshotsAndChangelogsOfLaterVersionsAreLeftOut() throws IOException {
    plan("batch: 5");
    TreeFile.expand(
        """
        metadata = M
        offsets/{4..9} = v1\\nH(shuffle=1,provider=RocksDBStateStoreProvider)\\n{"t":{"0":5}}
        commits/{4..9} = CM
        state/0/0/4.zip = ZIP {"sstFiles":[{"localFileName":"000008.sst","dfsSstFileName":"000008-x.sst","sizeBytes":10}],"logFiles":[],"numKeys":1}
        state/0/0/8.zip = ZIP {"sstFiles":[{"localFileName":"000009.sst","dfsSstFileName":"000009-y.sst","sizeBytes":10}],"logFiles":[],"numKeys":1}
        state/0/0/{5..10}.changelog = x
        state/0/0/SSTs/{000008-x,000009-y}.sst = BYTES 10
        """,
        root);

    apply();

    assertThat(written())
        .containsExactlyInAnyOrder(
            "metadata",
            "offsets/4",
            "offsets/5",
            "commits/5",
            "state/0/0/4.zip",
            "state/0/0/5.changelog",
            "state/0/0/6.changelog",
            "state/0/0/SSTs/000008-x.sst");
  }

  @Test
  void stateWithIdsIsThatOfTheBatchesCommit() throws IOException {
    plan("batch: 5");
    String id = "0000000%1$d-0000-4000-8000-00000000000%1$d";
    StringBuilder tree = new StringBuilder("metadata = M\n");
    tree.append(
        "offsets/{4..7} = v1\\nH(shuffle=1,provider=RocksDBStateStoreProvider)\\n{\"t\":{\"0\":5}}\n");
    for (int batch = 4; batch <= 7; batch++) {
      tree.append(
          "commits/%d = v2\\n{\"nextBatchWatermarkMs\":0,\"stateUniqueIds\":{\"0\":[[\"%s\"]]}}\n"
              .formatted(batch, id.formatted(batch + 1)));
    }
    for (int version : List.of(5, 6, 8)) {
      tree.append(
          "state/0/0/%d_%s.zip = ZIP {\"sstFiles\":[],\"logFiles\":[],\"numKeys\":0}\n"
              .formatted(version, id.formatted(version)));
    }
    tree.append("state/0/0/6_00000009-0000-4000-8000-000000000009.zip = garbage\n");
    TreeFile.expand(tree.toString(), root);

    apply();

    assertThat(written())
        .containsExactlyInAnyOrder(
            "metadata",
            "offsets/4",
            "offsets/5",
            "commits/5",
            "state/0/0/6_" + id.formatted(6) + ".zip");
  }

  @Test
  void stateThatIsNotWholeIsRefusedWithABatchWhoseStateIs() throws IOException {
    TreeFile.expand(KAFKA + "state/0/{0,1}/{1..44}.delta = DELTA\n- state/0/1/41.delta", root);

    JsonNode stream = planned(3);

    assertThat(codes(stream)).contains("STATE_FILE_MISSING:error");
    assertThat(last.out()).contains("state/0/1/41.delta", "go back to batch 39");
  }

  @Test
  void entriesOfAFileSourceAfterTheBatchAreLeftOut() throws IOException {
    plan("batch: 4");
    TreeFile.expand(
        files(6, 6) + "sources/0/{0..6} = DIR\n- sources/0/{0..6}\n" + entries(0, 6) + input(0, 6),
        root);

    JsonNode stream = planned(0);
    apply();

    assertThat(codes(stream)).doesNotContain("SOURCE_NOT_FOUND:error");
    assertThat(written())
        .containsExactlyInAnyOrder(
            "metadata",
            "offsets/3",
            "offsets/4",
            "commits/4",
            "sources/0/0",
            "sources/0/1",
            "sources/0/2",
            "sources/0/3",
            "sources/0/4");
  }

  @Test
  void aCompactEntryOfLaterIsCut() throws IOException {
    plan("batch: 7");
    String all =
        "v1\\n"
            + String.join("\\n", IntStream.rangeClosed(0, 9).mapToObj(RewindTest::line).toList());
    TreeFile.expand(
        files(11, 11) + "sources/0/9.compact = " + all + "\n" + entries(10, 11) + input(0, 11),
        root);

    apply();

    assertThat(written())
        .containsExactlyInAnyOrder(
            "metadata", "offsets/6", "offsets/7", "commits/7", "sources/0/7.compact");
    assertThat(Files.readString(root.resolve("new/sources/0/7.compact")))
        .isEqualTo(
            "v1\n"
                + String.join(
                    "\n",
                    IntStream.rangeClosed(0, 7)
                        .mapToObj(RewindTest::line)
                        .map(line -> line.replace("ROOT", root.toString()))
                        .toList()));
    assertThat(json("inspect", "new").path("restartable").asBoolean()).isTrue();
    assertThat(run("verify", "new")).isZero();
  }

  @Test
  void aCutEntryIsRewritten() throws IOException {
    plan("batch: 7\nrewrite: [{from: " + root + "/in, to: " + root + "/moved}]");
    String all =
        "v1\\n"
            + String.join("\\n", IntStream.rangeClosed(0, 9).mapToObj(RewindTest::line).toList());
    TreeFile.expand(
        files(9, 9)
            + "sources/0/9.compact = "
            + all
            + "\n"
            + input(0, 9).replace("/in/", "/moved/"),
        root);

    JsonNode stream = planned(0);
    apply();

    assertThat(stream.path("rewrites").get(0).path("rewritten").asLong()).isEqualTo(8);
    assertThat(Files.readAllLines(root.resolve("new/sources/0/7.compact")))
        .hasSize(9)
        .noneMatch(line -> line.contains("/in/"))
        .last()
        .asString()
        .contains("/moved/7.json");
  }

  @Test
  void aCompactEntryBeforeStays() throws IOException {
    plan("batch: 12");
    String all =
        "v1\\n"
            + String.join("\\n", IntStream.rangeClosed(0, 9).mapToObj(RewindTest::line).toList());
    TreeFile.expand(
        files(14, 14) + "sources/0/9.compact = " + all + "\n" + entries(10, 14) + input(0, 14),
        root);

    apply();

    assertThat(written())
        .contains("sources/0/9.compact", "sources/0/10", "sources/0/11", "sources/0/12")
        .doesNotContain("sources/0/13", "sources/0/14");
    sameAsBefore("sources/0/9.compact", "sources/0/12");
  }

  @Test
  void inputThatIsGoneIsToldOfBefore() throws IOException {
    plan("batch: 4");
    TreeFile.expand(files(6, 6) + entries(0, 6) + input(0, 5), root);

    assertThat(codes(planned(3))).contains("SOURCE_NOT_FOUND:error");
    assertThat(last.out()).contains("/in/6.json");
  }

  @Test
  void shardCommitsOfLaterBatchesAreLeftOut() throws IOException {
    plan("batch: 5");
    StringBuilder tree = new StringBuilder("metadata = M\ncommits/{4..7} = CM\n");
    for (int batch = 4; batch <= 7; batch++) {
      tree.append(
          "offsets/%1$d = v1\\nH\\n{\"metadata\":{\"streamName\":\"s\",\"batchId\":\"%1$d\"},\"shardId-1\":{\"iteratorType\":\"TRIM_HORIZON\",\"iteratorPosition\":\"\"}}\n"
              .formatted(batch));
      tree.append(
          "sources/0/shard-commit/%1$d/shardId-1 = {\"shardId\":\"shardId-1\",\"iteratorType\":\"AFTER_SEQUENCE_NUMBER\",\"iteratorPosition\":\"%1$d\"}\n"
              .formatted(batch));
    }
    TreeFile.expand(tree.toString(), root);

    apply();

    assertThat(run("archive", "chk", "--to", "archive")).isZero();
    String archive = "archive/" + files(root.resolve("archive")).iterator().next();
    assertThat(run("restore", archive, "--batch", "5", "--to", "back")).isEqualTo(3);
    assertThat(last.out() + last.err()).contains("shard-commit/6", "rewind");
    assertThat(run("restore", archive, "--batch", "7", "--to", "back")).isZero();
    assertThat(written())
        .contains("sources/0/shard-commit/4/shardId-1", "sources/0/shard-commit/5/shardId-1")
        .noneMatch(path -> path.matches("sources/0/shard-commit/[67].*"));
  }

  @Test
  void schemasOfLaterCommitsAreLeftOut() throws IOException {
    StringBuilder tree = new StringBuilder("metadata = M\ncommits/{4..8} = CM\n");
    String[] positions = {"2,-1,1", "3,-1,1", "3,-20,3", "3,-19,3", "4,-1,1"};
    for (int i = 0; i < positions.length; i++) {
      String[] at = positions[i].split(",");
      tree.append(
          "offsets/%d = v1\\nH\\n{\"sourceVersion\":%s,\"reservoirId\":\"TID_A\",\"reservoirVersion\":%s,\"index\":%s,\"isStartingVersion\":false}\n"
              .formatted(4 + i, at[2], at[0], at[1]));
    }
    for (int entry = 0; entry < 2; entry++) {
      tree.append(
          "_schema_log_TID_A/%d = v1\\n{\"tableId\":\"TID_A\",\"deltaCommitVersion\":%d,\"dataSchemaJson\":\"{}\",\"partitionSchemaJson\":\"{}\",\"sourceMetadataPath\":\"file:ROOT/chk/sources/0\"}\n"
              .formatted(entry, entry == 0 ? 2 : 3));
    }
    TreeFile.expand(tree.toString(), root);

    TreeMap<Integer, Long> entries = new TreeMap<>();
    for (int batch = 4; batch < 8; batch++) {
      Files.writeString(root.resolve("plan.yaml"), yaml("batch: " + batch, "new" + batch));
      assertThat(run("apply", "plan.yaml")).as(last.out() + last.err()).isZero();
      entries.put(
          batch,
          files(root.resolve("new" + batch)).stream()
              .filter(f -> f.contains("_schema_log"))
              .count());
    }

    // At (3,-1) nothing of version 3 is read, and its schema is not in force.
    assertThat(entries).containsExactlyInAnyOrderEntriesOf(Map.of(4, 1L, 5, 1L, 6, 2L, 7, 2L));
    assertThat(Files.readString(root.resolve("new7/_schema_log_" + TreeFile.TABLE_A + "/1")))
        .contains("/new7/sources/0");
  }

  @Test
  void whatOperatorsBecameLaterIsLeftOut() throws IOException {
    plan("batch: 5");
    String schemas = "state/0/_stateSchema/default/";
    String metadata =
        "state/0/_metadata/v2/%d = v2\\n{\"operatorInfo\":{\"operatorId\":0,\"operatorName\":\"transformWithStateExec\"},\"stateStoreInfo\":[{\"storeName\":\"default\",\"numColsPrefixKey\":0,\"numPartitions\":1,\"stateSchemaFilePaths\":[\"file:ROOT/chk/"
            + schemas
            + "%s\"]}],\"operatorPropertiesJson\":\"{}\"}\n";
    TreeFile.expand(
        """
        metadata = M
        offsets/{4..7} = v1\\nH(shuffle=1,provider=RocksDBStateStoreProvider)\\n{"t":{"0":5}}
        commits/{4..7} = CM
        state/0/0/{6,7,8}.zip = ZIP {"sstFiles":[],"logFiles":[],"numKeys":0}
        """
            + schemas
            + "{0_a,6_b} = BYTES 3\n"
            + metadata.formatted(0, "0_a")
            + metadata.formatted(6, "6_b"),
        root);

    apply();

    assertThat(written())
        .containsExactlyInAnyOrder(
            "metadata",
            "offsets/4",
            "offsets/5",
            "commits/5",
            "state/0/0/6.zip",
            schemas + "0_a",
            "state/0/_metadata/v2/0");
    assertThat(Files.readString(root.resolve("new/state/0/_metadata/v2/0")))
        .contains("/new/" + schemas + "0_a");
  }

  @Test
  void backAndOnAgain() throws IOException {
    TreeFile.expand(KAFKA, root);
    apply();
    assertThat(run("status", "plan.yaml")).isZero();
    assertThat(last.out()).contains("done");

    assertThat(run("rollback", "plan.yaml")).as(last.err()).isZero();
    assertThat(last.out()).contains("is as it was");
    assertThat(root.resolve("new")).doesNotExist();
    apply();
    TreeFile.expand(
        "/new/offsets/41 = v1\\nH(shuffle=2)\\n{\"t\":{\"0\":5000}}\n/new/commits/41 = CM", root);
    assertThat(run("rollback", "plan.yaml")).isEqualTo(3);
    assertThat(last.out().replaceAll("\\s+", " "))
        .contains("NEW_BATCHES_LOST", "go on where it stood");
    assertThat(run("prove", "plan.yaml")).as(last.out() + last.err()).isZero();
    assertThat(run("rollback", "plan.yaml", "--forward")).as(last.out() + last.err()).isZero();
    assertThat(files(root.resolve("chk_forward")))
        .containsExactly("commits/41", "metadata", "offsets/40", "offsets/41");
  }

  @Test
  void theLogOfAFileSinkThatMovedIsCut() throws IOException {
    plan(
        "batch: 40\nsink: {files: moved}\nrewrite: [{from: "
            + root
            + "/out, to: "
            + root
            + "/moved}]");
    StringBuilder tree = new StringBuilder(KAFKA);
    String entry = "{\"path\":\"file://ROOT/out/%d\",\"size\":1,\"action\":\"add\"}";
    tree.append("/out/_spark_metadata/39.compact = v1\\n").append(entry.formatted(39)).append("\n");
    for (int batch = 40; batch <= 42; batch++) {
      tree.append(
          "/out/_spark_metadata/%1$d = v1\\n%2$s\n".formatted(batch, entry.formatted(batch)));
    }
    TreeFile.expand(tree + "/{out,moved}/{39..42} = 1", root);

    JsonNode stream = planned(0);
    apply();

    assertThat(stream.path("exactness").asText()).isEqualTo("EXACT");
    assertThat(files(root.resolve("moved/_spark_metadata"))).containsExactly("39.compact", "40");
    assertThat(Files.readString(root.resolve("moved/_spark_metadata/40"))).contains("/moved/40");
    assertThat(run("rollback", "plan.yaml")).as(last.err()).isZero();
    assertThat(root.resolve("moved/_spark_metadata")).doesNotExist();
    assertThat(root.resolve("out/_spark_metadata/42")).exists();

    plan(
        "batch: 38\nsink: {files: moved}\nrewrite: [{from: "
            + root
            + "/out, to: "
            + root
            + "/moved}]");
    assertThat(codes(planned(3))).contains("FILE_SINK_LOG_AHEAD:error");
  }

  @Test
  void theArchiveIsOfAllThatIsThere() throws IOException {
    plan("batch: 40\narchive: {to: archive}");
    TreeFile.expand(KAFKA, root);
    apply();
    String archive =
        files(root.resolve("archive")).stream()
            .filter(f -> f.endsWith(".zst"))
            .findFirst()
            .orElseThrow();

    assertThat(run("restore", "archive/" + archive, "--to", "back")).as(last.err()).isZero();

    assertThat(files(root.resolve("back"))).isEqualTo(files(root.resolve("chk")));
  }

  private static String files(int lastPlanned, int lastCommitted) {
    StringBuilder tree = new StringBuilder("metadata = M\n");
    for (int batch = 0; batch <= lastPlanned; batch++) {
      tree.append("offsets/%1$d = v1\\nH\\n{\"logOffset\":%1$d}\n".formatted(batch));
    }
    return tree + "commits/{0..%d} = CM\n".formatted(lastCommitted);
  }

  private static String line(long entry) {
    return "{\"path\":\"file://ROOT/in/%1$d.json\",\"timestamp\":1,\"batchId\":%1$d}"
        .formatted(entry);
  }

  private static String entries(int first, int last) {
    StringBuilder tree = new StringBuilder();
    for (int entry = first; entry <= last; entry++) {
      tree.append("sources/0/%d = v1\\n%s\n".formatted(entry, line(entry)));
    }
    return tree.toString();
  }

  private static String input(int first, int last) {
    return "/in/{%d..%d}.json = 1\n".formatted(first, last);
  }

  private void plan(String lines) throws IOException {
    Files.writeString(root.resolve("plan.yaml"), yaml(lines, "new"));
  }

  private static String yaml(String lines, String to) {
    return "version: 1\nname: to-"
        + to
        + "\nstreams:\n  - name: s\n    strategy: rewind\n"
        + "    checkpoint: {from: chk, to: "
        + to
        + "}\n"
        + lines.indent(4);
  }

  private JsonNode planned(int exit) throws IOException {
    assertThat(run("plan", "plan.yaml", "-o", "json")).as(last.out() + last.err()).isEqualTo(exit);
    return new ObjectMapper().readTree(last.out()).path("streams").get(0);
  }

  private void apply() {
    assertThat(run("apply", "plan.yaml")).as(last.out() + last.err()).isZero();
  }

  private JsonNode json(String... line) throws IOException {
    List<String> args = new ArrayList<>(List.of(line));
    args.addAll(List.of("-o", "json"));
    assertThat(run(args.toArray(String[]::new))).as(last.err()).isZero();
    return new ObjectMapper().readTree(last.out());
  }

  private int run(String... line) {
    last = CommandRun.of(root, List.of(line), new LocalStore());
    return last.exit();
  }

  private static List<String> codes(JsonNode stream) {
    return new ArrayList<>(JsonSubset.findings(stream));
  }

  private void sameAsBefore(String... paths) {
    for (String path : paths) {
      assertThat(root.resolve("new").resolve(path))
          .hasSameBinaryContentAs(root.resolve("chk").resolve(path));
    }
  }

  private Set<String> written() throws IOException {
    return files(root.resolve("new"));
  }

  private static Set<String> files(Path directory) throws IOException {
    Set<String> files = new TreeSet<>();
    try (Stream<Path> paths = Files.walk(directory)) {
      paths
          .filter(Files::isRegularFile)
          .forEach(path -> files.add(directory.relativize(path).toString()));
    }
    return files;
  }
}
