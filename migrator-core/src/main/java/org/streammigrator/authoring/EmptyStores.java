package org.streammigrator.authoring;

import static java.util.Objects.requireNonNull;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.streammigrator.checkpoint.CommitLog;
import org.streammigrator.checkpoint.OffsetHeader;
import org.streammigrator.checkpoint.StateProvider;
import org.streammigrator.checkpoint.StateSchema;
import org.streammigrator.checkpoint.codec.StateCodec;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;

/**
 * State that holds nothing: Spark refuses to start after batch 0 where it finds none ({@code
 * STREAMING_STATEFUL_OPERATOR_MISSING_STATE_DIRECTORY}).
 *
 * <p>An HDFS-backed store is a snapshot that holds only its end mark, -1 as four bytes, in the
 * pinned codec ({@code HDFSBackedStateStoreProvider.writeSnapshotFile}). A RocksDB store is a zip
 * of nothing but its metadata, which names no file ({@code
 * RocksDBFileManager.loadCheckpointFromDfs}): RocksDB makes a new database then. Both are tried
 * with real Spark in {@code EmptyStoresTest}.
 */
public final class EmptyStores {
  private static final List<String> ONE_STORE = List.of(StateSchema.DEFAULT);

  /** Those of a join of two streams ({@code SymmetricHashJoinStateManager.allStateStoreNames}). */
  private static final List<String> FOUR_STORES =
      List.of(
          "left-keyToNumValues",
          "left-keyWithIndexToValue",
          "right-keyToNumValues",
          "right-keyWithIndexToValue");

  private static final int MOST_PARTITIONS = 100_000;
  private static final String JOIN_FORMAT = "spark.sql.streaming.join.stateFormatVersion";
  private static final byte[] END_OF_FILE = {-1, -1, -1, -1};
  private static final byte[] NO_FILES =
      "v1\n{\"sstFiles\":[],\"numKeys\":0}".getBytes(StandardCharsets.UTF_8);
  private static final String DEFAULT_PROVIDER = "HDFSBackedStateStoreProvider";

  private final OffsetHeader header;
  private final CommitLog commit;
  private final List<Boolean> joins;

  /**
   * @param header the plan of the batch after which the stores are empty, with what it pins
   * @param commit that batch's commit
   * @param joins for each stateful operator, from the one nearest the sink on, whether it is a join
   *     of two streams
   */
  public EmptyStores(OffsetHeader header, CommitLog commit, List<Boolean> joins) {
    this.header = requireNonNull(header, "header");
    this.commit = requireNonNull(commit, "commit");
    this.joins = List.copyOf(joins);
  }

  /** Why they cannot be made; empty if they can. */
  public Optional<Finding> problem() {
    if (header.statePartitions().orElse(0) > MOST_PARTITIONS) {
      return Optional.of(
          unavailable(
              "the old checkpoint pins "
                  + header.statePartitions().getAsInt()
                  + " state partitions, and empty stores are made for "
                  + MOST_PARTITIONS
                  + " at most"));
    }
    if (header.statePartitions().isEmpty() || header.statePartitions().getAsInt() < 1) {
      return Optional.of(
          unavailable(
              "the old checkpoint pins no number of state partitions ("
                  + OffsetHeader.SHUFFLE_PARTITIONS
                  + "), so that nobody knows how many stores the new query will look for"));
    }
    if (hasIds() && joins.contains(true)) {
      return Optional.of(
          unavailable(
              "the old query kept its state in checkpoint format 2, whose stores are found by ids, and"
                  + " empty ones of a join cannot be made for it in this version"));
    }
    if (joins.contains(true) && !isJoinOfFourStores()) {
      return Optional.of(
          unavailable(
              "the old checkpoint pins "
                  + JOIN_FORMAT
                  + " "
                  + header.conf().get(JOIN_FORMAT)
                  + ": Spark then starts a join only where state/<operator>/_metadata/v2 describes"
                  + " its state, and a description is not made in this version"));
    }
    try {
      StateCodec.store(codec(), END_OF_FILE);
    } catch (IOException unknown) {
      return Optional.of(unavailable(unknown.getMessage()));
    }
    return provider() == StateProvider.UNKNOWN
        ? Optional.of(
            unavailable(
                "the old checkpoint pins the state store "
                    + header.conf().get(OffsetHeader.STATE_PROVIDER)
                    + ", which is none of Spark's own"))
        : Optional.empty();
  }

  /**
   * Their files.
   *
   * @param version the state's version: that of the batch that runs next
   * @param modified their time
   * @throws IllegalStateException if there is a {@link #problem}
   */
  public List<TargetFile> files(long version, Instant modified) {
    if (problem().isPresent()) {
      throw new IllegalStateException(problem().get().message());
    }
    boolean hdfs = provider() == StateProvider.HDFS;
    ByteBuffer bytes = ByteBuffer.wrap(hdfs ? snapshot() : zip()).asReadOnlyBuffer();
    List<TargetFile> files = new ArrayList<>();
    for (int operator = 0; operator < joins.size(); operator++) {
      for (int partition = 0; partition < header.statePartitions().getAsInt(); partition++) {
        String directory = "state/" + operator + "/" + partition + "/";
        String name =
            version
                + (hasIds() ? "_" + id(operator, partition) : "")
                + (hdfs ? ".snapshot" : ".zip");
        for (String store : joins.get(operator) ? FOUR_STORES : ONE_STORE) {
          String place = store.equals(StateSchema.DEFAULT) ? directory : directory + store + "/";
          files.add(new TargetFile.Made(place + name, bytes, modified));
        }
      }
    }
    return files;
  }

  /**
   * The commit of the batch after which the stores are empty: in state format 2 it names them by
   * ids, which are the same each time.
   */
  public CommitLog commit() {
    if (!hasIds()) {
      return commit;
    }
    Map<String, List<List<String>>> ids = new LinkedHashMap<>();
    for (int operator = 0; operator < joins.size(); operator++) {
      List<List<String>> partitions = new ArrayList<>();
      for (int partition = 0; partition < header.statePartitions().getAsInt(); partition++) {
        partitions.add(List.of(id(operator, partition)));
      }
      ids.put(Integer.toString(operator), partitions);
    }
    return commit.withStateUniqueIds(ids);
  }

  private boolean hasIds() {
    return !commit.stateUniqueIds().isEmpty();
  }

  /** Another one than any store of the old query has, which are random. */
  private String id(int operator, int partition) {
    String name = commit.text() + "/" + operator + "/" + partition;
    return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)).toString();
  }

  /**
   * Until format 2, and where none is pinned. From format 3 on a join has column families of one
   * store, and Spark reads what it wrote of them before batch n when it starts batch n ({@code
   * StateStoreErrors.failedToReadOperatorMetadata}).
   */
  private boolean isJoinOfFourStores() {
    String format = header.conf().getOrDefault(JOIN_FORMAT, "1");
    return format.equals("1") || format.equals("2");
  }

  private String codec() {
    return header.conf().getOrDefault(StateCodec.CONF, StateCodec.DEFAULT);
  }

  private StateProvider provider() {
    return StateProvider.ofClass(
        header.conf().getOrDefault(OffsetHeader.STATE_PROVIDER, DEFAULT_PROVIDER));
  }

  private byte[] snapshot() {
    try {
      return StateCodec.store(codec(), END_OF_FILE);
    } catch (IOException unknown) {
      throw new UncheckedIOException(unknown);
    }
  }

  /** The same bytes each time: nothing is compressed, and the entry has no time of its own. */
  private static byte[] zip() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      ZipEntry metadata = new ZipEntry("metadata");
      CRC32 checksum = new CRC32();
      checksum.update(NO_FILES);
      metadata.setMethod(ZipEntry.STORED);
      metadata.setSize(NO_FILES.length);
      metadata.setCrc(checksum.getValue());
      metadata.setTimeLocal(java.time.LocalDateTime.of(1980, 1, 1, 0, 0));
      zip.putNextEntry(metadata);
      zip.write(NO_FILES);
      zip.closeEntry();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return bytes.toByteArray();
  }

  private static Finding unavailable(String message) {
    return Finding.error(
        FindingCode.NOT_AVAILABLE,
        "state",
        message,
        "relocate the checkpoint if the operators are unchanged");
  }
}
