package org.streammigrator.checkpoint;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;
import org.streammigrator.checkpoint.codec.StateCodec;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;

/**
 * Looks for the versions of the state that a restart could need: L + 1 when the newest batch L is
 * committed; while it is pending L, and L + 1 and C + 1, one of which a sink that has the batch
 * asks for. If the one it needs now cannot be loaded, it looks for the newest one below that can.
 */
final class StateSearch {
  private static final int MOST_VERSIONS_TRIED = 200;

  private final Store store;
  private final Location checkpoint;
  private final List<OperatorState> operators;
  private final Optional<OffsetHeader> header;
  private final BatchLog<CommitLog> commits;

  StateSearch(
      Store store,
      Location checkpoint,
      List<OperatorState> operators,
      Optional<OffsetHeader> header,
      BatchLog<CommitLog> commits) {
    this.store = store;
    this.checkpoint = checkpoint;
    this.operators = operators;
    this.header = header;
    this.commits = commits;
  }

  Map<Long, StateVersion> search(BatchLog<OffsetLog> offsets) {
    Map<Long, StateVersion> found = new TreeMap<>();
    if (offsets.newest().isEmpty()) {
      return found;
    }
    long planned = offsets.newest().getAsLong();
    OptionalLong committed = BatchLog.newestInBoth(offsets, commits);
    boolean pending = committed.isEmpty() || committed.getAsLong() < planned;
    TreeSet<Long> wanted = new TreeSet<>(List.of(planned + 1));
    if (pending) {
      wanted.add(planned);
      committed.ifPresent(batch -> wanted.add(batch + 1));
    }
    wanted.forEach(version -> found.put(version, find(version, Map.of())));
    long required = pending ? planned : planned + 1;
    if (!found.get(required).loadable() && !withIds()) {
      addNewestLoadable(required, found);
    }
    return found;
  }

  /**
   * What a version takes. In format 2 the ids of version v stand in commit v - 1; Spark takes those
   * of the newest commit, whichever that is, and does not find their files under another version.
   *
   * @param damaged files that were read whole and found damaged, with the reason
   */
  StateVersion find(long version, Map<String, String> damaged) {
    Map<String, List<List<String>>> ids =
        commits.file(version - 1).readable().map(CommitLog::stateUniqueIds).orElse(Map.of());
    String codec =
        header
            .map(h -> h.conf().getOrDefault(StateCodec.CONF, StateCodec.DEFAULT))
            .orElse(StateCodec.DEFAULT);
    OptionalInt pinned = header.map(OffsetHeader::statePartitions).orElse(OptionalInt.empty());
    return new StateVersions(operators, new StateChains(store, checkpoint, codec, damaged))
        .find(version, ids, pinned);
  }

  private boolean withIds() {
    return operators.stream()
        .anyMatch(operator -> operator.stores().stream().anyMatch(StateStoreFiles::hasIds));
  }

  private void addNewestLoadable(long required, Map<Long, StateVersion> found) {
    TreeSet<Long> versions = new TreeSet<>();
    for (OperatorState operator : operators) {
      for (StateStoreFiles files : operator.stores()) {
        files.versioned().forEach(file -> versions.add(file.version()));
      }
    }
    int tried = 0;
    for (long version : versions.headSet(required, false).descendingSet()) {
      StateVersion state =
          found.containsKey(version) ? found.get(version) : find(version, Map.of());
      if (state.loadable()) {
        found.put(version, state);
        return;
      }
      if (++tried == MOST_VERSIONS_TRIED) {
        return;
      }
    }
  }
}
