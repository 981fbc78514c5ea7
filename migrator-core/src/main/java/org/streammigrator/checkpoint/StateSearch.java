package org.streammigrator.checkpoint;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.TreeSet;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;

/**
 * Looks for the versions of the state that a restart could need: L for the newest batch L while it
 * is pending, L + 1 when it is committed, and C + 1. If the one it needs now cannot be loaded, it
 * looks for the newest one below that can.
 */
final class StateSearch {
  private static final int MOST_VERSIONS_TRIED = 200;

  private final Store store;
  private final Location checkpoint;
  private final List<OperatorState> operators;
  private final OptionalInt pinned;
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
    this.pinned = header.map(OffsetHeader::statePartitions).orElse(OptionalInt.empty());
    this.commits = commits;
  }

  Map<Long, StateVersion> search(BatchLog<OffsetLog> offsets) {
    Map<Long, StateVersion> found = new TreeMap<>();
    if (offsets.newest().isEmpty()) {
      return found;
    }
    long planned = offsets.newest().getAsLong();
    TreeSet<Long> committed = new TreeSet<>(offsets.batches());
    committed.retainAll(commits.batches());
    TreeSet<Long> wanted = new TreeSet<>(List.of(planned, planned + 1));
    if (!committed.isEmpty()) {
      wanted.add(committed.last() + 1);
    }
    wanted.forEach(version -> found.put(version, find(version)));
    boolean pending = committed.isEmpty() || committed.last() < planned;
    long required = pending ? planned : planned + 1;
    if (!found.get(required).loadable() && !withIds()) {
      addNewestLoadable(required, found);
    }
    return found;
  }

  private StateVersion find(long version) {
    Map<String, List<List<String>>> ids =
        commits.file(version - 1).readable().map(CommitLog::stateUniqueIds).orElse(Map.of());
    return new StateVersions(store, checkpoint, operators, ids).find(version, pinned);
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
      StateVersion state = found.containsKey(version) ? found.get(version) : find(version);
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
