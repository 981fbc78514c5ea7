package org.streammigrator.checkpoint;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;

/**
 * Finds the operators, partitions and stores below {@code state/}: {@code
 * state/<operator>/<partition>/[<store>/]} ({@code StateStore.StateStoreId} in Spark), with {@code
 * _metadata} beside the partitions and in partition 0.
 */
final class StateLayout {
  private static final int LARGEST_METADATA = 16 << 20;
  private static final int MOST_DIGITS = 9;
  private static final String STATE = "state";
  private static final Set<String> SHARED = Set.of("SSTs", "logs");

  private final Store store;
  private final Location checkpoint;
  private final List<CheckpointFile> files;
  private final Map<Integer, TreeSet<Integer>> partitions = new TreeMap<>();
  private final Map<Integer, Map<String, StoreBuilder>> stores = new HashMap<>();
  private StoreBuilder last;

  /** A layout of what is listed, sorted by path. */
  StateLayout(Store store, Location checkpoint, List<CheckpointFile> sorted) {
    this.store = requireNonNull(store, "store");
    this.checkpoint = requireNonNull(checkpoint, "checkpoint");
    this.files = CheckpointFiles.below(sorted, STATE);
  }

  List<OperatorState> operators(Optional<OffsetHeader> header) {
    files.forEach(this::place);
    List<OperatorState> operators = new ArrayList<>();
    partitions.forEach((operator, numbers) -> operators.add(operator(operator, numbers, header)));
    return operators;
  }

  /** Puts an entry to the partition and the store that it belongs to. */
  private void place(CheckpointFile file) {
    String path = file.path();
    if (last != null && file.isFile() && last.holds(path)) {
      last.add(file);
      return;
    }
    int operatorEnd = path.indexOf('/', STATE.length() + 1);
    if (operatorEnd < 0) {
      return;
    }
    int partitionEnd = path.indexOf('/', operatorEnd + 1);
    int operator = number(path, STATE.length() + 1, operatorEnd);
    int partition = number(path, operatorEnd + 1, partitionEnd < 0 ? path.length() : partitionEnd);
    if (operator < 0 || partition < 0 || (partitionEnd < 0 && !file.isDirectory())) {
      return;
    }
    partitions.computeIfAbsent(operator, key -> new TreeSet<>()).add(partition);
    if (file.isFile()) {
      placeInStore(file, operator, partition, partitionEnd);
    }
  }

  private void placeInStore(CheckpointFile file, int operator, int partition, int partitionEnd) {
    String path = file.path();
    int nameEnd = path.indexOf('/', partitionEnd + 1);
    String first = nameEnd < 0 ? "" : path.substring(partitionEnd + 1, nameEnd);
    boolean named = nameEnd >= 0 && !SHARED.contains(first);
    if (first.equals("_metadata")) {
      return;
    }
    int directoryEnd = named ? nameEnd : partitionEnd;
    int inner = path.indexOf('/', directoryEnd + 1);
    if (inner >= 0
        && (!SHARED.contains(path.substring(directoryEnd + 1, inner))
            || path.indexOf('/', inner + 1) >= 0)) {
      return;
    }
    String directory = path.substring(0, directoryEnd);
    last =
        stores
            .computeIfAbsent(operator, key -> new TreeMap<>())
            .computeIfAbsent(
                directory,
                key ->
                    new StoreBuilder(
                        operator, partition, named ? first : StateSchema.DEFAULT, directory));
    last.add(file);
  }

  /** A number of at most nine digits; -1 for everything else. */
  private static int number(String text, int from, int to) {
    if (to <= from || to - from > MOST_DIGITS) {
      return -1;
    }
    int number = 0;
    for (int at = from; at < to; at++) {
      int digit = text.charAt(at) - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      number = number * 10 + digit;
    }
    return number;
  }

  private OperatorState operator(
      int operator, TreeSet<Integer> partitions, Optional<OffsetHeader> header) {
    List<StateStoreFiles> stores =
        this.stores.getOrDefault(operator, Map.of()).values().stream()
            .filter(builder -> !builder.versioned.isEmpty())
            .map(StoreBuilder::build)
            .toList();
    LogFile<OperatorMetadata> metadata = metadata(operator);
    Optional<String> name = metadata.readable().map(OperatorMetadata::name);
    boolean onlyFirst =
        partitions.equals(new TreeSet<>(List.of(0)))
            && stores.stream().allMatch(store -> store.store().equals(StateSchema.DEFAULT));
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
      return switch (files.versioned().get(0).form()) {
        case DELTA, SNAPSHOT -> StateProvider.HDFS;
        case ZIP, CHANGELOG -> StateProvider.ROCKSDB;
      };
    }
    return StateProvider.UNKNOWN;
  }

  /**
   * The operator's metadata: of version 2 the file with the highest number, else version 1, which
   * stays beside it as it was written first.
   */
  private LogFile<OperatorMetadata> metadata(int operator) {
    String directory = STATE + "/" + operator + "/_metadata";
    String path = directory + "/metadata";
    int newest = -1;
    for (CheckpointFile file : CheckpointFiles.below(files, directory + "/v2")) {
      if (file.isFile()) {
        newest =
            Math.max(newest, number(file.path(), directory.length() + 4, file.path().length()));
      }
    }
    if (newest >= 0) {
      path = directory + "/v2/" + newest;
    }
    Optional<CheckpointFile> file =
        CheckpointFiles.find(files, path).filter(CheckpointFile::isFile);
    if (file.isEmpty()) {
      return new LogFile.Missing<>();
    }
    try {
      return new LogFile.Readable<>(OperatorMetadata.parse(path, read(file.get())));
    } catch (LogFormatException malformed) {
      return new LogFile.Damaged<>(malformed.code(), malformed.getMessage());
    } catch (IOException unreadable) {
      return new LogFile.Damaged<>(FindingCode.UNREADABLE, "it cannot be read");
    }
  }

  /** Whether the key schema of the operator's store has a field; empty where no schema says so. */
  private Optional<Boolean> hasGroupingKeys(int operator) {
    String path = STATE + "/" + operator + "/0/_metadata/schema";
    Optional<CheckpointFile> file =
        CheckpointFiles.find(files, path).filter(CheckpointFile::isFile);
    if (file.isEmpty()) {
      return Optional.empty();
    }
    try {
      List<StateSchema> schemas =
          new StateSchemaFile(operator, StateSchema.DEFAULT, path).parse(read(file.get()));
      return Optional.of(schemas.stream().anyMatch(s -> !s.key().path("fields").isEmpty()));
    } catch (LogFormatException | IOException damaged) {
      return Optional.empty();
    }
  }

  private byte[] read(CheckpointFile file) throws IOException {
    if (file.size() > LARGEST_METADATA) {
      throw new IOException(file.path() + " has " + file.size() + " bytes");
    }
    return store.readAll(checkpoint.child(file.path()));
  }

  private static final class StoreBuilder {
    private final int operator;
    private final int partition;
    private final String name;
    private final String path;
    private final List<StateStoreFiles.Versioned> versioned = new ArrayList<>();
    private final Map<String, CheckpointFile> shared = new HashMap<>();

    private StoreBuilder(int operator, int partition, String name, String path) {
      this.operator = operator;
      this.partition = partition;
      this.name = name;
      this.path = path;
    }

    /** Whether a path lies directly in the store's directory. */
    private boolean holds(String file) {
      return file.length() > path.length()
          && file.charAt(path.length()) == '/'
          && file.startsWith(path)
          && file.indexOf('/', path.length() + 1) < 0;
    }

    private void add(CheckpointFile file) {
      if (holds(file.path())) {
        StateStoreFiles.Versioned.of(file).ifPresent(versioned::add);
      } else {
        shared.put(file.path().substring(path.length() + 1), file);
      }
    }

    private StateStoreFiles build() {
      return new StateStoreFiles(operator, partition, name, path, versioned, shared);
    }
  }
}
