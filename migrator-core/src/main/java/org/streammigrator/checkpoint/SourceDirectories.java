package org.streammigrator.checkpoint;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.streammigrator.checkpoint.source.KinesisOffset;
import org.streammigrator.checkpoint.source.SourceKind;
import org.streammigrator.checkpoint.source.SourceOffset;
import org.streammigrator.checkpoint.source.SourceOffsets;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;

/**
 * Reads what the sources keep for themselves in {@code sources/<id>}, and tells by it what kind of
 * source it is.
 *
 * <ul>
 *   <li>{@code sources/<id>} is a file: MongoDB ({@code MongoOffsetStore.java});
 *   <li>{@code offsets/0}: Iceberg ({@code SparkMicroBatchStream.InitialOffsetStore});
 *   <li>{@code rocksdb/}: Auto Loader;
 *   <li>{@code shard-commit/}, {@code shard-source/}: Kinesis ({@code
 *       HDFSMetadataCommitter.scala});
 *   <li>{@code 0} with {@code v1} and a number: rate ({@code RateStreamMicroBatchStream}); with
 *       {@code v1} and paths: files ({@code FileStreamSourceLog}); with {@code v1} and an offset:
 *       the source that writes such an offset ({@code KafkaSourceInitialOffsetWriter}, {@code
 *       HoodieMetadataLog}, {@code PulsarSourceInitialOffsetWriter}).
 * </ul>
 */
final class SourceDirectories {
  private static final List<String> SHARD_COMMITS = List.of("shard-commit", "shard-source");
  private static final int LARGEST_OFFSET = 64 << 20;
  private static final int LARGEST_SHARD_COMMIT = 64 << 10;
  private static final int HEAD_BYTES = 16 << 10;

  private final Store store;
  private final Location checkpoint;
  private final BiConsumer<String, byte[]> whenRead;

  /**
   * A reader for one checkpoint.
   *
   * @param whenRead told of the path and the bytes of each file that a position may stand in
   */
  SourceDirectories(Store store, Location checkpoint, BiConsumer<String, byte[]> whenRead) {
    this.store = requireNonNull(store, "store");
    this.checkpoint = requireNonNull(checkpoint, "checkpoint");
    this.whenRead = requireNonNull(whenRead, "whenRead");
  }

  /**
   * Reads the directories, by source id.
   *
   * @param files everything in the checkpoint, sorted by path
   * @param plans the plans whose positions somebody may ask for
   */
  Map<String, SourceDirectory> read(List<CheckpointFile> files, List<OffsetLog> plans) {
    Map<String, SourceDirectory> directories = new TreeMap<>();
    bySource(files)
        .forEach((source, own) -> directories.put(source, directory(source, own, plans)));
    return directories;
  }

  private static Map<String, List<CheckpointFile>> bySource(List<CheckpointFile> files) {
    Map<String, List<CheckpointFile>> bySource = new TreeMap<>();
    for (CheckpointFile file : files) {
      String[] parts = file.path().split("/", 3);
      if (parts.length < 2 || !parts[0].equals("sources") || parts[1].startsWith(".")) {
        continue;
      }
      bySource.computeIfAbsent(parts[1], id -> new ArrayList<>()).add(file);
    }
    return bySource;
  }

  private SourceDirectory directory(
      String source, List<CheckpointFile> files, List<OffsetLog> plans) {
    TreeMap<String, CheckpointFile> own = new TreeMap<>();
    String root = "sources/" + source;
    for (CheckpointFile file : files) {
      own.put(file.path().substring(root.length()), file);
    }
    Optional<CheckpointFile> first = first(own);
    byte[] head = first.map(this::head).orElse(new byte[0]);
    Optional<String> initial =
        first.filter(file -> !isLogEntry(head)).flatMap(file -> initialOffset(file, head));
    Optional<SourceKind> hint = hint(own, head, initial);
    Optional<ShardCommits> commits =
        SHARD_COMMITS.stream()
            .filter(name -> hasDirectory(own, name))
            .findFirst()
            .map(name -> shardCommits(source, name, own, plans));
    FileSourceLog log =
        new FileSourceLogReader(store, checkpoint, files)
            .read(source, hint.equals(Optional.of(SourceKind.FILES)));
    return new SourceDirectory(source, hint, initial, log, commits);
  }

  private static boolean hasDirectory(TreeMap<String, CheckpointFile> own, String name) {
    String below = own.ceilingKey("/" + name + "/");
    CheckpointFile itself = own.get("/" + name);
    return below != null && below.startsWith("/" + name + "/")
        || itself != null && itself.isDirectory();
  }

  /** The file that tells the kind: where the source starts, or else the first entry of a log. */
  private static Optional<CheckpointFile> first(TreeMap<String, CheckpointFile> own) {
    return Stream.of("", "/offsets/0", "/0")
        .map(own::get)
        .filter(file -> file != null && file.isFile())
        .findFirst()
        .or(
            () ->
                own.entrySet().stream()
                    .filter(
                        file ->
                            file.getValue().isFile()
                                && file.getKey().matches("/[0-9]+(\\.compact)?"))
                    .map(Map.Entry::getValue)
                    .findFirst());
  }

  private static Optional<SourceKind> hint(
      TreeMap<String, CheckpointFile> own, byte[] head, Optional<String> initial) {
    if (hasDirectory(own, "rocksdb")) {
      return Optional.of(SourceKind.AUTOLOADER);
    }
    if (SHARD_COMMITS.stream().anyMatch(name -> hasDirectory(own, name))) {
      return Optional.of(SourceKind.KINESIS);
    }
    if (isLogEntry(head)) {
      return Optional.of(SourceKind.FILES);
    }
    if (initial.isPresent()) {
      SourceKind kind = SourceOffsets.decode(initial.get(), Optional.empty()).kind();
      // Event Hubs keeps the same text as Kafka.
      return kind == SourceKind.KAFKA ? Optional.empty() : Optional.of(kind);
    }
    return new String(head, StandardCharsets.UTF_8).matches("v1\\r?\\n[0-9]+\\s*")
        ? Optional.of(SourceKind.RATE)
        : Optional.empty();
  }

  /** Whether a file begins as an entry of a file source's log does. */
  private static boolean isLogEntry(byte[] head) {
    String start = new String(head, 0, Math.min(head.length, 32), StandardCharsets.UTF_8);
    return start.matches("(?s)v1\\r?\\n\\{\"path\":.*");
  }

  /**
   * The offset in a file that says where a source starts: with or without a byte that is skipped
   * (NUL; the length in Spark 2.1), with or without a version line.
   */
  private Optional<String> initialOffset(CheckpointFile file, byte[] head) {
    if (file.size() > LARGEST_OFFSET) {
      return Optional.empty();
    }
    byte[] bytes = head;
    if (file.size() > head.length) {
      try {
        bytes = store.readAll(checkpoint.child(file.path()));
      } catch (IOException unreadable) {
        return Optional.empty();
      }
    }
    for (int skipped = 0; skipped < 2 && skipped < bytes.length; skipped++) {
      String text = new String(bytes, skipped, bytes.length - skipped, StandardCharsets.UTF_8);
      String offset = (text.startsWith("v1\n") ? text.substring(3) : text).strip();
      if (keepsItsStart(SourceOffsets.decode(offset, Optional.empty()).kind())) {
        whenRead.accept(file.path(), bytes);
        return Optional.of(offset);
      }
    }
    return Optional.empty();
  }

  private static boolean keepsItsStart(SourceKind kind) {
    return switch (kind) {
      case KAFKA, EVENTHUBS, ICEBERG, HUDI, PULSAR, MONGODB -> true;
      case DELTA,
          DELTA_SHARING,
          FILES,
          AUTOLOADER,
          KINESIS,
          PAIMON,
          RATE,
          RATE_MICRO_BATCH,
          SOCKET,
          MEMORY,
          PUBSUB,
          PUBSUB_LITE,
          NONE,
          UNKNOWN ->
          false;
    };
  }

  private ShardCommits shardCommits(
      String source, String name, TreeMap<String, CheckpointFile> own, List<OffsetLog> plans) {
    TreeSet<Long> batches = new TreeSet<>();
    String prefix = "/" + name + "/";
    for (Map.Entry<String, CheckpointFile> entry : own.tailMap(prefix).entrySet()) {
      if (!entry.getKey().startsWith(prefix)) {
        break;
      }
      String[] parts = entry.getKey().substring(prefix.length()).split("/", 2);
      if (parts.length == 2
          && entry.getValue().isFile()
          && parts[0].matches("0|[1-9][0-9]{0,17}")) {
        batches.add(Long.parseLong(parts[0]));
      }
    }
    Map<Long, SortedMap<String, String>> read = new TreeMap<>();
    for (OffsetLog plan : plans) {
      Optional<SourceOffset> offset =
          plan.source(source)
              .map(line -> SourceOffsets.decode(line.raw(), Optional.of(SourceKind.KINESIS)));
      if (offset.isPresent()
          && offset.get() instanceof KinesisOffset kinesis
          && kinesis.batch().isPresent()
          && batches.contains(kinesis.batch().getAsLong())) {
        long batch = kinesis.batch().getAsLong();
        read.computeIfAbsent(batch, b -> shards(prefix + b + "/", own));
      }
    }
    return new ShardCommits("sources/" + source + "/" + name, batches, read);
  }

  private SortedMap<String, String> shards(String prefix, Map<String, CheckpointFile> own) {
    SortedMap<String, String> shards = new TreeMap<>();
    own.forEach(
        (path, file) -> {
          if (path.startsWith(prefix)
              && file.isFile()
              && !file.name().startsWith(".")
              && file.size() <= LARGEST_SHARD_COMMIT) {
            shards.put(path.substring(prefix.length()), text(file));
          }
        });
    return shards;
  }

  private String text(CheckpointFile file) {
    try {
      return new String(store.readAll(checkpoint.child(file.path())), StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      return "";
    }
  }

  private byte[] head(CheckpointFile file) {
    try (InputStream in = store.open(checkpoint.child(file.path()))) {
      return in.readNBytes(HEAD_BYTES);
    } catch (IOException unreadable) {
      return new byte[0];
    }
  }
}
