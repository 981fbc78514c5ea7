package org.streammigrator.checkpoint;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import org.streammigrator.checkpoint.StateReading.Damage;
import org.streammigrator.checkpoint.StateReading.OperatorReading;
import org.streammigrator.checkpoint.codec.StateCodec;
import org.streammigrator.storage.Store;

/**
 * Reads every byte of the state that a restart loads. Where that shows a snapshot to be damaged,
 * the files that Spark 4.2 takes instead are looked for and read as well.
 */
public final class StateReader {
  private static final int MOST_ROUNDS = 100;
  private static final int MOST_KEYS = 1_000_000;

  private final Store store;

  public StateReader(Store store) {
    this.store = requireNonNull(store, "store");
  }

  /** Reads the state; empty if the checkpoint has none that a restart would load. */
  public Optional<StateReading> read(Checkpoint checkpoint) {
    StateVersion version = checkpoint.stateVersions().get(checkpoint.requiredStateVersion());
    if (version == null) {
      return Optional.empty();
    }
    Optional<OffsetHeader> header = checkpoint.plannedOffsets().flatMap(OffsetLog::header);
    String codec =
        header
            .map(h -> h.conf().getOrDefault(StateCodec.CONF, StateCodec.DEFAULT))
            .orElse(StateCodec.DEFAULT);
    StateSearch search =
        new StateSearch(
            store, checkpoint.location(), checkpoint.operators(), header, checkpoint.commits());
    Rounds rounds =
        new Rounds(
            new StateFileReader(
                store, checkpoint.location(), checkpoint.files(), new StateFileContent(codec)));
    for (int i = 0; rounds.read(version) && i < MOST_ROUNDS; i++) {
      version = search.find(version.version(), rounds.damaged);
    }
    return Optional.of(
        new StateReading(
            version,
            rounds.operators(version),
            new StateSchemaReader(store).read(checkpoint).damaged()));
  }

  private static int operatorOf(String path) {
    return Integer.parseInt(path.split("/", 3)[1]);
  }

  /** The files read so far, and what was found in them. */
  private static final class Rounds {
    private final StateFileReader reader;
    private final Map<String, StateFileReader.Result> results = new TreeMap<>();
    private final Map<String, String> damaged = new TreeMap<>();
    private final Map<Integer, List<KeyCount>> keys = new HashMap<>();

    private Rounds(StateFileReader reader) {
      this.reader = reader;
    }

    /** Reads what a version takes; whether that showed damage that was not known. */
    private boolean read(StateVersion version) {
      int known = damaged.size();
      keys.clear();
      String directory = "";
      KeyCount count = KeyCount.NONE;
      for (CheckpointFile file : version.files()) {
        boolean counted = file.path().endsWith(".delta") || file.path().endsWith(".snapshot");
        String parent = file.path().substring(0, file.path().lastIndexOf('/'));
        if (counted && !parent.equals(directory)) {
          directory = parent;
          count = new KeyCount(MOST_KEYS);
          keys.computeIfAbsent(operatorOf(file.path()), key -> new ArrayList<>()).add(count);
        }
        if (counted || !results.containsKey(file.path())) {
          StateFileReader.Result result = reader.read(file, count);
          results.put(file.path(), result);
          result.damage().ifPresent(reason -> damaged.put(file.path(), reason));
        }
      }
      return damaged.size() > known;
    }

    private Map<Integer, OperatorReading> operators(StateVersion version) {
      Map<Integer, OperatorReading> operators = new TreeMap<>();
      for (Set<String> paths :
          List.of(results.keySet(), version.corrupt().keySet(), version.passedOver().keySet())) {
        for (String path : paths) {
          operators.computeIfAbsent(operatorOf(path), number -> operator(number, version));
        }
      }
      return operators;
    }

    private OperatorReading operator(int number, StateVersion version) {
      long files = 0;
      long bytes = 0;
      Map<String, String> broken = new TreeMap<>();
      List<String> altered = new ArrayList<>();
      for (Map.Entry<String, StateFileReader.Result> entry : results.entrySet()) {
        if (operatorOf(entry.getKey()) == number) {
          files++;
          bytes += entry.getValue().bytes();
          entry.getValue().damage().ifPresent(reason -> broken.put(entry.getKey(), reason));
          if (entry.getValue().altered()) {
            altered.add(entry.getKey());
          }
        }
      }
      // What the listing and the headers show already need not have been read again.
      for (Map<String, String> known : List.of(version.corrupt(), version.passedOver())) {
        known.forEach(
            (path, reason) -> {
              if (operatorOf(path) == number) {
                broken.putIfAbsent(path, reason);
              }
            });
      }
      List<Damage> damages = new ArrayList<>();
      broken.forEach((path, reason) -> damages.add(new Damage(path, reason)));
      OptionalLong count =
          version.missing().containsKey(number) ? OptionalLong.empty() : keys(number, version);
      return new OperatorReading(files, bytes, count, damages, altered);
    }

    private OptionalLong keys(int operator, StateVersion version) {
      List<KeyCount> counts = keys.get(operator);
      if (counts == null) {
        long counted = version.keys().getOrDefault(operator, -1L);
        return counted < 0 ? OptionalLong.empty() : OptionalLong.of(counted);
      }
      long sum = 0;
      for (KeyCount count : counts) {
        if (count.count().isEmpty()) {
          return OptionalLong.empty();
        }
        sum += count.count().getAsLong();
      }
      return OptionalLong.of(sum);
    }
  }
}
