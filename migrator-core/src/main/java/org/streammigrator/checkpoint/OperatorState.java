package org.streammigrator.checkpoint;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What {@code state/<operator>} holds.
 *
 * @param operator the operator's number; 0 is the one nearest the sink
 * @param name the operator's name in its {@code _metadata}; empty before Spark 4.0
 * @param provider the kind of state store
 * @param partitions the partitions that have a directory
 * @param stores every store of every partition
 * @param singlePartition whether the operator keeps all its state in partition 0: a global limit,
 *     or an aggregate without grouping keys
 */
public record OperatorState(
    int operator,
    Optional<String> name,
    StateProvider provider,
    SortedSet<Integer> partitions,
    List<StateStoreFiles> stores,
    boolean singlePartition) {

  public OperatorState {
    requireNonNull(name, "name");
    requireNonNull(provider, "provider");
    partitions = java.util.Collections.unmodifiableSortedSet(new TreeSet<>(partitions));
    stores = List.copyOf(stores);
  }

  /** The stores' names, sorted. */
  public List<String> storeNames() {
    return stores.stream().map(StateStoreFiles::store).distinct().sorted().toList();
  }
}
