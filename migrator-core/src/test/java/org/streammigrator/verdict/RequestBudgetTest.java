package org.streammigrator.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.streammigrator.checkpoint.CheckpointReader;
import org.streammigrator.storage.CountingStore;
import org.streammigrator.storage.Location;

/** How much an inspection asks of an object store: one listing, and few reads. */
class RequestBudgetTest {
  private static final Location ROOT =
      Location.parse("s3a://bucket/chk", java.nio.file.Path.of("/"));

  private static String header(int partitions, String provider) {
    return "{\"batchWatermarkMs\":0,\"batchTimestampMs\":1,\"conf\":{"
        + "\"spark.sql.streaming.stateStore.providerClass\":\"x."
        + provider
        + "\",\"spark.sql.shuffle.partitions\":\""
        + partitions
        + "\"}}";
  }

  private static CountingStore logs(int planned, int committed, String header) {
    CountingStore store = new CountingStore(ROOT);
    store.put("metadata", "{\"id\":\"6f1c1c52-6d1c-4c3c-9c55-3f1d4d0a7b11\"}");
    for (int batch = 0; batch <= planned; batch++) {
      store.put("offsets/" + batch, "v1\n" + header + "\n{\"t\":{\"0\":" + batch + "}}");
    }
    for (int batch = 0; batch <= committed; batch++) {
      store.put("commits/" + batch, "v1\n{\"nextBatchWatermarkMs\":0}");
    }
    return store;
  }

  private static Inspection inspect(CountingStore store) throws IOException {
    return Inspector.inspect(new CheckpointReader(store).read(ROOT), Map.of());
  }

  /** A join of 200 partitions with 4 stores of 125 versions: 100,000 state files. */
  private static CountingStore join(int planned, int committed) {
    CountingStore store = logs(planned, committed, header(200, "HDFSBackedStateStoreProvider"));
    for (int partition = 0; partition < 200; partition++) {
      for (String side : List.of("left", "right")) {
        for (String kind : List.of("keyToNumValues", "keyWithIndexToValue")) {
          for (int version = planned - 123; version <= planned + 1; version++) {
            String form = version == planned - 123 ? ".snapshot" : ".delta";
            store.put("state/0/" + partition + "/" + side + "-" + kind + "/" + version + form, "x");
          }
        }
      }
    }
    store.put(
        "state/0/_metadata/metadata",
        "v1\n{\"operatorInfo\":{\"operatorId\":0,\"operatorName\":\"symmetricHashJoin\"},"
            + "\"stateStoreInfo\":[]}");
    return store;
  }

  @Test
  void healthyTakesOneListingAndFiveReads() throws IOException {
    CountingStore store = join(499, 499);
    Inspection inspection = inspect(store);
    assertThat(inspection.restartable()).as(inspection.findings().toString()).isTrue();
    assertThat(inspection.state().get(0).loadable()).isTrue();
    assertThat(inspection.files().count()).isEqualTo(100_000 + 1_002);
    assertThat(store.pages()).isEqualTo(102);
    assertThat(store.stats()).isZero();
    assertThat(store.reads())
        .containsExactlyInAnyOrder(
            "metadata", "offsets/499", "offsets/498", "commits/499", "state/0/_metadata/metadata");
  }

  @Test
  void pendingBatchTakesOneReadMore() throws IOException {
    CountingStore store = join(499, 498);
    assertThat(inspect(store).batches().pending()).containsExactly(499L);
    assertThat(store.pages()).isEqualTo(102);
    assertThat(store.reads()).hasSizeLessThanOrEqualTo(6);
  }

  /** The longest a log gets read: 32 pending batches, however many there are. */
  @Test
  void readsAreBoundedWhateverIsPending() throws IOException {
    CountingStore store = logs(999, 3, header(4, "HDFSBackedStateStoreProvider"));
    inspect(store);
    assertThat(store.pages()).isEqualTo(2);
    assertThat(store.reads()).hasSizeLessThanOrEqualTo(40);
    CountingStore none = logs(999, -1, header(4, "HDFSBackedStateStoreProvider"));
    inspect(none);
    assertThat(none.reads()).hasSizeLessThanOrEqualTo(40);
  }

  /** A RocksDB snapshot's inner metadata names the files that it needs: one read a live store. */
  @Test
  void rocksTakesOneReadAStore() throws IOException {
    CountingStore store = logs(99, 99, header(20, "RocksDBStateStoreProvider"));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      zip.putNextEntry(new ZipEntry("metadata"));
      zip.write("v1\n{\"sstFiles\":[],\"numKeys\":0}".getBytes(StandardCharsets.UTF_8));
    }
    for (int partition = 0; partition < 20; partition++) {
      for (int version = 1; version <= 100; version++) {
        store.put("state/0/" + partition + "/" + version + ".zip", bytes.toByteArray());
      }
    }
    Inspection inspection = inspect(store);
    assertThat(inspection.state().get(0).loadable()).isTrue();
    assertThat(store.reads()).hasSize(4 + 20);
  }
}
