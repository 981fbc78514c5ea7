package org.streammigrator.checkpoint;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;

/**
 * Finds the operators, partitions and stores below {@code state/}: {@code
 * state/<operator>/<partition>/[<store>/]} ({@code StateStore.StateStoreId} in Spark), with {@code
 * _metadata} beside the partitions and in partition 0.
 */
final class StateLayout {
  private static final Pattern STORE_FILE =
      Pattern.compile("state/([0-9]{1,9})/([0-9]{1,9})(?:/([^/]+))?/([^/]+|(?:SSTs|logs)/[^/]+)");
  private static final Pattern PARTITION = Pattern.compile("state/([0-9]{1,9})/([0-9]{1,9})");
  private static final Pattern METADATA_2 =
      Pattern.compile("state/[0-9]{1,9}/_metadata/v2/([0-9]{1,18})");
  private static final int LARGEST_METADATA = 16 << 20;

  private final Store store;
  private final Location checkpoint;
  private final Map<String, CheckpointFile> files = new LinkedHashMap<>();

  StateLayout(Store store, Location checkpoint, Collection<CheckpointFile> files) {
    this.store = requireNonNull(store, "store");
    this.checkpoint = requireNonNull(checkpoint, "checkpoint");
    files.forEach(file -> this.files.put(file.path(), file));
  }

  List<OperatorState> operators(Optional<OffsetHeader> header) {
    Map<Integer, TreeSet<Integer>> partitions = new TreeMap<>();
    Map<String, StoreBuilder> stores = new TreeMap<>();
    for (CheckpointFile file : files.values()) {
      Matcher partition = PARTITION.matcher(file.path());
      if (file.isDirectory() && partition.matches()) {
        partitions
            .computeIfAbsent(Integer.parseInt(partition.group(1)), key -> new TreeSet<>())
            .add(Integer.parseInt(partition.group(2)));
      }
      if (file.isFile()) {
        addToStore(file, stores);
      }
    }
    List<OperatorState> operators = new ArrayList<>();
    partitions.forEach(
        (operator, numbers) -> operators.add(operator(operator, numbers, stores.values(), header)));
    return operators;
  }

  private static void addToStore(CheckpointFile file, Map<String, StoreBuilder> stores) {
    Matcher matcher = STORE_FILE.matcher(file.path());
    if (!matcher.matches()) {
      return;
    }
    String name = matcher.group(3) == null ? "default" : matcher.group(3);
    String inner = matcher.group(4);
    if (name.equals("SSTs") || name.equals("logs")) {
      inner = name + "/" + inner;
      name = "default";
    }
    if (name.equals("_metadata")) {
      return;
    }
    String path = file.path().substring(0, file.path().length() - inner.length() - 1);
    int operator = Integer.parseInt(matcher.group(1));
    int partition = Integer.parseInt(matcher.group(2));
    String storeName = name;
    stores
        .computeIfAbsent(path, key -> new StoreBuilder(operator, partition, storeName, path))
        .files
        .put(inner, file);
  }

  private OperatorState operator(
      int operator,
      TreeSet<Integer> partitions,
      Collection<StoreBuilder> builders,
      Optional<OffsetHeader> header) {
    List<StateStoreFiles> stores =
        builders.stream()
            .filter(builder -> builder.operator == operator)
            .map(StoreBuilder::build)
            .filter(built -> !built.isEmpty())
            .toList();
    LogFile<OperatorMetadata> metadata = metadata(operator);
    Optional<String> name = metadata.readable().map(OperatorMetadata::name);
    boolean onlyFirst =
        partitions.equals(new TreeSet<>(List.of(0)))
            && stores.stream().allMatch(store -> store.store().equals("default"));
    Optional<Boolean> keys =
        name.equals(Optional.of("globalLimit"))
            ? Optional.of(false)
            : onlyFirst ? hasGroupingKeys(operator) : Optional.of(true);
    return new OperatorState(
        operator,
        metadata,
        provider(stores, header),
        partitions,
        stores,
        onlyFirst && !keys.orElse(false),
        onlyFirst && keys.isEmpty());
  }

  private static StateProvider provider(
      List<StateStoreFiles> stores, Optional<OffsetHeader> header) {
    Optional<StateProvider> pinned =
        header.map(h -> h.conf().get(OffsetHeader.STATE_PROVIDER)).map(StateProvider::ofClass);
    if (pinned.isPresent()) {
      return pinned.get();
    }
    for (StateStoreFiles files : stores) {
      for (StateStoreFiles.Versioned file : files.versioned()) {
        return switch (file.form()) {
          case DELTA, SNAPSHOT -> StateProvider.HDFS;
          case ZIP, CHANGELOG -> StateProvider.ROCKSDB;
        };
      }
    }
    return StateProvider.UNKNOWN;
  }

  /**
   * The operator's metadata: of version 2 the file with the highest number, else version 1, which
   * stays beside it as it was written first.
   */
  private LogFile<OperatorMetadata> metadata(int operator) {
    String directory = "state/" + operator + "/_metadata/";
    String path = directory + "metadata";
    long newest = -1;
    for (CheckpointFile file : files.values()) {
      Matcher matcher = METADATA_2.matcher(file.path());
      if (file.isFile() && file.path().startsWith(directory) && matcher.matches()) {
        newest = Math.max(newest, Long.parseLong(matcher.group(1)));
      }
    }
    if (newest >= 0) {
      path = directory + "v2/" + newest;
    }
    CheckpointFile file = files.get(path);
    if (file == null || !file.isFile()) {
      return new LogFile.Missing<>();
    }
    if (file.size() > LARGEST_METADATA) {
      return new LogFile.Damaged<>(
          FindingCode.STATE_FILE_CORRUPT, "it has " + file.size() + " bytes");
    }
    try {
      return new LogFile.Readable<>(
          OperatorMetadata.parse(path, store.readAll(checkpoint.child(path))));
    } catch (LogFormatException malformed) {
      return new LogFile.Damaged<>(malformed.code(), malformed.getMessage());
    } catch (IOException unreadable) {
      return new LogFile.Damaged<>(FindingCode.UNREADABLE, "it cannot be read");
    }
  }

  /** Whether the key schema of the operator's store has a field; empty where no schema says so. */
  private Optional<Boolean> hasGroupingKeys(int operator) {
    String path = "state/" + operator + "/0/_metadata/schema";
    Optional<byte[]> bytes = read(path);
    if (bytes.isEmpty()) {
      return Optional.empty();
    }
    try {
      List<StateSchema> schemas =
          new StateSchemaFile(operator, StateSchema.DEFAULT, path).parse(bytes.get());
      return Optional.of(schemas.stream().anyMatch(s -> !s.key().path("fields").isEmpty()));
    } catch (LogFormatException damaged) {
      return Optional.empty();
    }
  }

  private Optional<byte[]> read(String path) {
    CheckpointFile file = files.get(path);
    if (file == null || !file.isFile() || file.size() > LARGEST_METADATA) {
      return Optional.empty();
    }
    try {
      return Optional.of(store.readAll(checkpoint.child(path)));
    } catch (IOException unreadable) {
      return Optional.empty();
    }
  }

  private static final class StoreBuilder {
    private final int operator;
    private final int partition;
    private final String name;
    private final String path;
    private final Map<String, CheckpointFile> files = new TreeMap<>();

    private StoreBuilder(int operator, int partition, String name, String path) {
      this.operator = operator;
      this.partition = partition;
      this.name = name;
      this.path = path;
    }

    private StateStoreFiles build() {
      return new StateStoreFiles(operator, partition, name, path, files);
    }
  }
}
