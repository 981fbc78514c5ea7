package org.streammigrator.authoring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.streammigrator.checkpoint.CommitLog;
import org.streammigrator.checkpoint.LogFormatException;
import org.streammigrator.checkpoint.OffsetHeader;
import org.streammigrator.checkpoint.OffsetLog;
import org.streammigrator.checkpoint.codec.StateCodec;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.storage.LocalStore;
import org.streammigrator.storage.Location;

class EmptyStoresTest {
  private static final Instant TIME = Instant.parse("2026-03-27T10:00:00Z");
  private static final OffsetHeader ONE_PARTITION =
      header(
          "{\"conf\":{\"spark.sql.shuffle.partitions\":\"1\","
              + "\"spark.sql.streaming.stateStore.providerClass\":\"RocksDBStateStoreProvider\"}}");

  @ParameterizedTest
  @ValueSource(
      strings = {"lz4", "snappy", "lzf", "zstd", "org.apache.spark.io.SnappyCompressionCodec"})
  void codecGivesTheBytesBack(String codec) throws IOException {
    byte[] bytes = {-1, -1, -1, -1};
    byte[] stored = StateCodec.store(codec, bytes);
    assertThat(StateCodec.open(codec, new ByteArrayInputStream(stored)).readAllBytes())
        .isEqualTo(bytes);
  }

  /** What Spark's own codec classes write in other blocks, to the letter where they do not. */
  @Test
  void lz4IsAsSparkWritesIt() throws IOException {
    assertThat(HexFormat.of().formatHex(StateCodec.store("lz4", new byte[] {-1, -1, -1, -1})))
        .startsWith(HexFormat.of().formatHex("LZ4Block".getBytes(StandardCharsets.US_ASCII)))
        .contains("150400000004000000")
        .endsWith("15000000000000000000000000");
  }

  @Test
  void eachPartitionOfEachOperatorHasOne() throws Exception {
    List<TargetFile> files = stores(3, "HDFSBackedStateStoreProvider", 2).files(42, TIME);
    assertThat(files)
        .extracting(TargetFile::path)
        .containsExactly(
            "state/0/0/42.snapshot",
            "state/0/1/42.snapshot",
            "state/0/2/42.snapshot",
            "state/1/0/42.snapshot",
            "state/1/1/42.snapshot",
            "state/1/2/42.snapshot");
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    files.get(0).content(new LocalStore(), Location.parse("/none", Path.of("/"))).writeTo(bytes);
    assertThat(bytes.size()).isEqualTo((int) files.get(0).size());
    assertThat(files).isEqualTo(stores(3, "HDFSBackedStateStoreProvider", 2).files(42, TIME));
  }

  @Test
  void joinHasFourUntilItsStateHasToBeDescribed() throws Exception {
    OffsetHeader second =
        header(
            "{\"conf\":{\"spark.sql.shuffle.partitions\":\"1\","
                + "\"spark.sql.streaming.join.stateFormatVersion\":\"2\"}}");
    assertThat(new EmptyStores(second, CommitLog.FIRST, List.of(false, true)).files(3, TIME))
        .extracting(TargetFile::path)
        .containsExactly(
            "state/0/0/3.snapshot",
            "state/1/0/left-keyToNumValues/3.snapshot",
            "state/1/0/left-keyWithIndexToValue/3.snapshot",
            "state/1/0/right-keyToNumValues/3.snapshot",
            "state/1/0/right-keyWithIndexToValue/3.snapshot");
    OffsetHeader third =
        header(
            "{\"conf\":{\"spark.sql.shuffle.partitions\":\"1\","
                + "\"spark.sql.streaming.join.stateFormatVersion\":\"3\"}}");
    assertThat(new EmptyStores(third, CommitLog.FIRST, List.of(false, true)).problem())
        .hasValueSatisfying(
            finding -> {
              assertThat(finding.code()).isEqualTo(FindingCode.NOT_AVAILABLE);
              assertThat(finding.message()).contains("join.stateFormatVersion 3");
            });
    assertThat(new EmptyStores(third, CommitLog.FIRST, List.of(false)).problem()).isEmpty();
    OffsetHeader old = header("{\"conf\":{\"spark.sql.shuffle.partitions\":\"1\"}}");
    assertThat(new EmptyStores(old, CommitLog.FIRST, List.of(true)).files(3, TIME)).hasSize(4);
  }

  @Test
  void rocksDbHasOneZip() throws Exception {
    List<TargetFile> files = stores(1, "RocksDBStateStoreProvider", 1).files(7, TIME);
    assertThat(files).extracting(TargetFile::path).containsExactly("state/0/0/7.zip");
    assertThat(files).isEqualTo(stores(1, "RocksDBStateStoreProvider", 1).files(7, TIME));
  }

  @Test
  void whatCannotBeMadeIsRefused() throws Exception {
    assertThat(stores(1, "com.example.OtherProvider", 1).problem())
        .hasValueSatisfying(
            finding -> {
              assertThat(finding.code()).isEqualTo(FindingCode.NOT_AVAILABLE);
              assertThat(finding.message()).contains("com.example.OtherProvider");
            });
    assertThat(new EmptyStores(header("{\"conf\":{}}"), CommitLog.FIRST, List.of(false)).problem())
        .isPresent();
    assertThat(new EmptyStores(ONE_PARTITION, formatTwo(), List.of(true)).problem())
        .hasValueSatisfying(finding -> assertThat(finding.message()).contains("format 2"));
  }

  /** In format 2 a commit names the stores. */
  @Test
  void storesOfFormatTwoAreFoundByTheIdsInTheCommit() throws Exception {
    EmptyStores stores = new EmptyStores(ONE_PARTITION, formatTwo(), List.of(false, false));
    CommitLog commit = CommitLog.parse(stores.commit().bytes());
    assertThat(commit.version()).isEqualTo(2);
    String id = commit.stateUniqueIds().get("1").get(0).get(0);
    assertThat(id).isNotEqualTo("some-id");
    assertThat(stores.files(7, TIME))
        .extracting(TargetFile::path)
        .contains("state/1/0/7_" + id + ".zip")
        .hasSize(2);
    assertThat(new EmptyStores(ONE_PARTITION, formatTwo(), List.of(false, false)).commit())
        .isEqualTo(stores.commit());
    assertThat(new EmptyStores(ONE_PARTITION, CommitLog.FIRST, List.of(false)).commit())
        .isEqualTo(CommitLog.FIRST);
  }

  private static CommitLog formatTwo() throws LogFormatException {
    return CommitLog.parse(
        "v2\n{\"nextBatchWatermarkMs\":5,\"stateUniqueIds\":{\"0\":[[\"some-id\"]]}}"
            .getBytes(StandardCharsets.UTF_8));
  }

  private static EmptyStores stores(int partitions, String provider, int operators)
      throws LogFormatException {
    return new EmptyStores(
        header(
            "{\"conf\":{\"spark.sql.shuffle.partitions\":\""
                + partitions
                + "\",\"spark.sql.streaming.stateStore.providerClass\":\""
                + provider
                + "\"}}"),
        CommitLog.FIRST,
        java.util.Collections.nCopies(operators, false));
  }

  private static OffsetHeader header(String line) {
    try {
      return OffsetLog.parse(("v1\n" + line + "\n-").getBytes(StandardCharsets.UTF_8))
          .header()
          .orElseThrow();
    } catch (LogFormatException impossible) {
      throw new IllegalArgumentException(line, impossible);
    }
  }
}
