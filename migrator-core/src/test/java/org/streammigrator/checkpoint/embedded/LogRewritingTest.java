package org.streammigrator.checkpoint.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.streammigrator.storage.Location;

class LogRewritingTest {

  @Test
  void onlyTheValueOfPathChanges() {
    assertRewritten(
        EmbeddedIn.FILE_LOG,
        rules("hdfs://nn/in", "s3a://new/in"),
        "v1\n"
            + "{ \"batchId\":0, \"path\" : \"hdfs://nn/in/dt=2026-03-01/my%20file%C3%A9.json\","
            + "\"timestamp\":1.70000e12,\"path2\":\"hdfs://nn/in/a\",\"x\":{\"path\":\"hdfs://nn/in/a\"}}\r\n"
            + "{\"path\":\"hdfs://nn/in/100%25.json\",\"timestamp\":1,\"note\":\"\\u00e9\\/é\"}",
        "v1\n"
            + "{ \"batchId\":0, \"path\" : \"s3a://new/in/dt=2026-03-01/my%20file%C3%A9.json\","
            + "\"timestamp\":1.70000e12,\"path2\":\"hdfs://nn/in/a\",\"x\":{\"path\":\"hdfs://nn/in/a\"}}\r\n"
            + "{\"path\":\"s3a://new/in/100%25.json\",\"timestamp\":1,\"note\":\"\\u00e9\\/é\"}");
  }

  @Test
  void escapesOfJsonAreReadAndKept() {
    assertRewritten(
        EmbeddedIn.FILE_LOG,
        rules("/data/é", "/neu/ü x"),
        "v1\n{\"path\":\"file:\\/\\/\\u002fdata\\/\\u00e9\\/a\\u0020b\\/c.csv\"}\n",
        "v1\n{\"path\":\"file:///neu/ü%20x\\/a\\u0020b\\/c.csv\"}\n");
  }

  @Test
  void whatIsNoEntryStaysAndIsCounted() {
    PrefixMap rules = rules("/in", "/new");
    String text =
        "v1\n{\"path\":\"file:///in/a\"\nnot json\n\n[1]\n{\"path\":7}\n{\"x\":\"\\ud800\"}";
    Result result = rewrite(EmbeddedIn.FILE_LOG, rules, text.getBytes(StandardCharsets.UTF_8));
    assertThat(result.text()).isEqualTo(text);
    assertThat(result.counts().unreadable()).isEqualTo(6);
    assertThat(result.counts().entries()).isZero();
  }

  @Test
  void bytesThatAreNoTextSurvive() {
    byte[] line = "v1\n{\"path\":\"file:///in/a\",\"x\":\"??\"}".getBytes(StandardCharsets.UTF_8);
    line[line.length - 4] = (byte) 0xC3;
    Result result = rewrite(EmbeddedIn.FILE_LOG, rules("/in", "/new"), line);
    assertThat(result.bytes()).isEqualTo(line);
    assertThat(result.counts().unreadable()).isEqualTo(1);
  }

  @Test
  void emptyFilesAndBareVersionsStay() {
    for (String text : List.of("", "v1", "v1\n", "{\"path\":\"file:///in/a\"}")) {
      assertRewritten(EmbeddedIn.FILE_LOG, rules("/in", "/new"), text, text);
    }
  }

  @Test
  void countsAndSamples() {
    Result result =
        rewrite(
            EmbeddedIn.FILE_LOG,
            rules("/in", "/new", "/same", "file:/same"),
            ("v1\n{\"path\":\"file:///other/x\"}\n{\"path\":\"file:///in/a%20b\"}\n"
                    + "{\"path\":\"file:///in/b\"}\n{\"path\":\"file:///same/c\"}")
                .getBytes(StandardCharsets.UTF_8));
    RewriteCounts counts = result.counts();
    assertThat(counts.entries()).isEqualTo(4);
    assertThat(counts.rewritten()).isEqualTo(2);
    assertThat(counts.uncovered()).isEqualTo(1);
    assertThat(counts.firstUncovered()).contains("file:///other/x");
    assertThat(counts.sample())
        .contains(new RewriteCounts.Sample("file:///in/a%20b", "file:///new/a%20b"));
    assertThat(counts.bytes()).isEqualTo(result.bytes().length);
  }

  @Test
  void theSchemaLogOfADeltaSourceIsNotEncoded() {
    assertRewritten(
        EmbeddedIn.SCHEMA_LOG,
        rules("/old/my chk", "/new/\"chk\""),
        "v1\n{\"tableId\":\"T\",\"dataSchemaJson\":\"{\\\"a\\\":\\\"/old/my chk\\\"}\","
            + "\"sourceMetadataPath\":\"file:/old/my chk/sources/0\",\"previousMetadataSeqNum\":0}",
        "v1\n{\"tableId\":\"T\",\"dataSchemaJson\":\"{\\\"a\\\":\\\"/old/my chk\\\"}\","
            + "\"sourceMetadataPath\":\"file:/new/\\\"chk\\\"/sources/0\",\"previousMetadataSeqNum\":0}");
  }

  @Test
  void allSchemaFilesOfAllStoresAreRewritten() {
    assertRewritten(
        EmbeddedIn.OPERATOR_METADATA,
        rules("/old", "s3a://b/new"),
        "v2\n{\"operatorInfo\":{\"operatorId\":0,\"operatorName\":\"transformWithStateExec\"},"
            + "\"stateStoreInfo\":[{\"storeName\":\"default\",\"numColsPrefixKey\":0,"
            + "\"numPartitions\":2,\"stateSchemaFilePaths\":[\"file:/old/state/0/a\",\"file:/old/state/0/b\"]},"
            + "{\"storeName\":\"file:/old/x\",\"stateSchemaFilePaths\":[]}],"
            + "\"operatorPropertiesJson\":\"{\\\"x\\\":\\\"file:/old\\\"}\"}",
        "v2\n{\"operatorInfo\":{\"operatorId\":0,\"operatorName\":\"transformWithStateExec\"},"
            + "\"stateStoreInfo\":[{\"storeName\":\"default\",\"numColsPrefixKey\":0,"
            + "\"numPartitions\":2,\"stateSchemaFilePaths\":[\"s3a://b/new/state/0/a\",\"s3a://b/new/state/0/b\"]},"
            + "{\"storeName\":\"file:/old/x\",\"stateSchemaFilePaths\":[]}],"
            + "\"operatorPropertiesJson\":\"{\\\"x\\\":\\\"file:/old\\\"}\"}");
  }

  private static void assertRewritten(EmbeddedIn kind, PrefixMap rules, String old, String now) {
    Result result = rewrite(kind, rules, old.getBytes(StandardCharsets.UTF_8));
    assertThat(result.text()).isEqualTo(now);
    assertThat(result.counts().bytes()).isEqualTo(result.bytes().length);
  }

  record Result(byte[] bytes, RewriteCounts counts) {
    String text() {
      return new String(bytes, StandardCharsets.UTF_8);
    }
  }

  static Result rewrite(EmbeddedIn kind, PrefixMap rules, byte[] old) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      RewriteCounts counts =
          new LogRewriting(kind, rules).rewrite(new ByteArrayInputStream(old), out);
      return new Result(out.toByteArray(), counts);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  static PrefixMap rules(String... pairs) {
    List<PrefixMap.Rule> rules = new ArrayList<>();
    for (int i = 0; i < pairs.length; i += 2) {
      rules.add(new PrefixMap.Rule(place(pairs[i]), place(pairs[i + 1])));
    }
    return new PrefixMap(rules);
  }

  static Location place(String text) {
    return Location.parse(text, Path.of("/"));
  }
}
