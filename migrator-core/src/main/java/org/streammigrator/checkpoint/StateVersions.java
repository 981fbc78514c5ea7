package org.streammigrator.checkpoint;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.streammigrator.checkpoint.json.Json;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;

/**
 * Finds the files that a version of the state is built from.
 *
 * <p>Rules from Spark (4.2.0):
 *
 * <ul>
 *   <li>{@code HDFSBackedStateStoreProvider}: the newest snapshot at or below the version, and
 *       every delta after it; without a snapshot all deltas from 1.
 *   <li>{@code RocksDBFileManager}: the newest zip at or below the version with every file that its
 *       inner {@code metadata} names, in the size it names, and every changelog after it.
 *   <li>State format 2: the same by ids. The id of the version stands in the commit of the batch
 *       before; the lineage stands in the changelogs, which are not read here, so that all of the
 *       store's files count as needed.
 *   <li>A provider that this program does not know: nothing can be said, nothing is missing.
 * </ul>
 */
final class StateVersions {
  private static final long LARGEST_METADATA = 16L << 20;
  private static final int MOST_PARTITIONS = 100_000;

  private final Store store;
  private final Location checkpoint;
  private final List<OperatorState> operators;
  private final Map<String, List<List<String>>> ids;

  StateVersions(
      Store store,
      Location checkpoint,
      List<OperatorState> operators,
      Map<String, List<List<String>>> ids) {
    this.store = requireNonNull(store, "store");
    this.checkpoint = requireNonNull(checkpoint, "checkpoint");
    this.operators = requireNonNull(operators, "operators");
    this.ids = requireNonNull(ids, "ids");
  }

  /** What a version takes, if the given number of partitions is pinned. */
  StateVersion find(long version, OptionalInt pinnedPartitions) {
    Collected collected = new Collected();
    for (OperatorState operator : operators) {
      if (operator.provider() == StateProvider.UNKNOWN) {
        continue;
      }
      Map<Integer, List<StateStoreFiles>> byPartition =
          operator.stores().stream().collect(Collectors.groupingBy(StateStoreFiles::partition));
      List<String> names = operator.storeNames();
      for (int partition : expected(operator, pinnedPartitions)) {
        List<StateStoreFiles> stores = byPartition.getOrDefault(partition, List.of());
        if (stores.isEmpty() && version > 0) {
          collected.missing(
              operator.operator(),
              "state/"
                  + operator.operator()
                  + "/"
                  + partition
                  + "/"
                  + firstFile(operator, version));
        }
        for (StateStoreFiles files : stores) {
          collected.operator = operator.operator();
          collect(operator, files, version, collected);
        }
        for (String name : names) {
          if (!stores.isEmpty()
              && version > 0
              && stores.stream().noneMatch(files -> files.store().equals(name))) {
            collected.missing(
                operator.operator(),
                "state/"
                    + operator.operator()
                    + "/"
                    + partition
                    + "/"
                    + name
                    + "/"
                    + firstFile(operator, version));
          }
        }
      }
    }
    return new StateVersion(
        version, List.copyOf(collected.files), collected.missing, collected.corrupt);
  }

  private static TreeSet<Integer> expected(OperatorState operator, OptionalInt pinned) {
    TreeSet<Integer> partitions = new TreeSet<>(operator.partitions());
    if (operator.singlePartition()) {
      partitions.retainAll(List.of(0));
      partitions.add(0);
    } else if (pinned.isPresent() && pinned.getAsInt() > 0) {
      partitions.tailSet(pinned.getAsInt()).clear();
      for (int i = 0; i < Math.min(pinned.getAsInt(), MOST_PARTITIONS); i++) {
        partitions.add(i);
      }
    }
    return partitions;
  }

  private static String firstFile(OperatorState operator, long version) {
    return operator.provider() == StateProvider.ROCKSDB ? version + ".zip" : "1.delta";
  }

  private void collect(
      OperatorState operator, StateStoreFiles files, long version, Collected into) {
    if (version == 0) {
      return;
    }
    if (files.hasIds()) {
      withIds(files, version, into);
    } else if (operator.provider() == StateProvider.ROCKSDB) {
      chain(files, version, StateStoreFiles.Form.ZIP, StateStoreFiles.Form.CHANGELOG, into);
    } else {
      chain(files, version, StateStoreFiles.Form.SNAPSHOT, StateStoreFiles.Form.DELTA, into);
    }
  }

  private void chain(
      StateStoreFiles files,
      long version,
      StateStoreFiles.Form full,
      StateStoreFiles.Form change,
      Collected into) {
    NavigableMap<Long, CheckpointFile> fulls = new TreeMap<>();
    NavigableMap<Long, CheckpointFile> changes = new TreeMap<>();
    for (StateStoreFiles.Versioned file : files.versioned()) {
      if (file.form() == full) {
        fulls.put(file.version(), file.file());
      } else if (file.form() == change) {
        changes.put(file.version(), file.file());
      }
    }
    Map.Entry<Long, CheckpointFile> base = fulls.floorEntry(version);
    if (base == null && changes.isEmpty() && full == StateStoreFiles.Form.ZIP) {
      into.missing(files.path() + "/" + version + ".zip");
      return;
    }
    long from = base == null ? 0 : base.getKey();
    if (base != null) {
      take(base.getValue(), into);
      if (full == StateStoreFiles.Form.ZIP && base.getValue().size() > 0) {
        takeNamedInZip(files, base.getValue(), into);
      }
    }
    String ending = change == StateStoreFiles.Form.DELTA ? ".delta" : ".changelog";
    for (long v = from + 1; v <= version && into.room(); v++) {
      CheckpointFile file = changes.get(v);
      if (file == null) {
        into.missing(files.path() + "/" + v + ending);
      } else {
        take(file, into);
      }
    }
  }

  private static void take(CheckpointFile file, Collected into) {
    if (file.size() == 0) {
      into.corrupt(file.path(), "it has 0 bytes");
    } else {
      into.files.add(file.path());
    }
  }

  private void withIds(StateStoreFiles files, long version, Collected into) {
    List<List<String>> partitions = ids.getOrDefault(Integer.toString(files.operator()), List.of());
    List<String> wanted =
        files.partition() < partitions.size() ? partitions.get(files.partition()) : List.of();
    boolean there =
        files.versioned().stream()
            .anyMatch(
                f ->
                    f.version() == version
                        && (wanted.isEmpty() || wanted.contains(f.id().orElse(""))));
    if (!there) {
      String id = wanted.size() == 1 ? wanted.get(0) : "<id>";
      into.missing(files.path() + "/" + version + "_" + id + ".zip or .changelog");
    }
    files.files().values().forEach(file -> into.files.add(file.path()));
    for (StateStoreFiles.Versioned file : files.versioned()) {
      if (file.form() == StateStoreFiles.Form.ZIP
          && file.version() == version
          && wanted.contains(file.id().orElse(""))) {
        takeNamedInZip(files, file.file(), into);
      }
    }
  }

  private void takeNamedInZip(StateStoreFiles files, CheckpointFile zip, Collected into) {
    JsonNode metadata;
    try {
      metadata = zipMetadata(zip);
    } catch (IOException | LogFormatException failure) {
      into.corrupt(zip.path(), "its inner metadata cannot be read: " + failure.getMessage());
      return;
    }
    named(files, metadata.path("sstFiles"), "dfsSstFileName", "SSTs", zip, into);
    named(files, metadata.path("logFiles"), "dfsLogFileName", "logs", zip, into);
  }

  private static void named(
      StateStoreFiles files,
      JsonNode list,
      String nameField,
      String directory,
      CheckpointFile zip,
      Collected into) {
    for (JsonNode entry : list) {
      String name = entry.path(nameField).asText();
      CheckpointFile file = files.files().get(directory + "/" + name);
      OptionalLong size = Json.exactLong(entry.get("sizeBytes"));
      if (file == null) {
        into.missing(files.path() + "/" + directory + "/" + name);
      } else if (size.isPresent() && size.getAsLong() != file.size()) {
        into.corrupt(
            file.path(),
            "it has " + file.size() + " bytes and " + zip.path() + " wants " + size.getAsLong());
      } else {
        into.files.add(file.path());
      }
    }
  }

  private JsonNode zipMetadata(CheckpointFile zip) throws IOException, LogFormatException {
    try (InputStream in = store.open(checkpoint.child(zip.path()));
        ZipInputStream entries = new ZipInputStream(in)) {
      for (ZipEntry entry = entries.getNextEntry(); entry != null; entry = entries.getNextEntry()) {
        if (entry.getName().equals("metadata")) {
          byte[] bytes = entries.readNBytes((int) LARGEST_METADATA);
          String text = new String(bytes, StandardCharsets.UTF_8);
          int line = text.indexOf('\n');
          return Json.parseObject(text.substring(line + 1))
              .orElseThrow(
                  () -> new LogFormatException(FindingCode.STATE_FILE_CORRUPT, "it holds no JSON"));
        }
      }
    } catch (IllegalArgumentException badName) {
      throw new IOException("not a zip file", badName);
    }
    throw new IOException("it is no zip file, or one without an entry called metadata");
  }

  private static final class Collected {
    private static final int MOST_MISSING = 1000;

    private final TreeSet<String> files = new TreeSet<>();
    private final Map<Integer, List<String>> missing = new TreeMap<>();
    private final Map<String, String> corrupt = new TreeMap<>();
    private int operator;

    private boolean room() {
      return missing.getOrDefault(operator, List.of()).size() < MOST_MISSING;
    }

    private void missing(String path) {
      missing(operator, path);
    }

    private void missing(int ofOperator, String path) {
      missing.computeIfAbsent(ofOperator, key -> new ArrayList<>()).add(path);
    }

    private void corrupt(String path, String reason) {
      missing(path);
      corrupt.put(path, reason);
    }
  }
}
