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
 * @param metadata the operator's metadata file, in its newest version; missing before Spark 4.0
 * @param provider the kind of state store
 * @param partitions the partitions that have a directory
 * @param stores every store of every partition
 * @param singlePartition whether the operator keeps all its state in partition 0: a global limit,
 *     or an aggregate without grouping keys
 * @param singlePartitionAssumed whether nothing but the lack of other partitions says so
 */
public record OperatorState(
    int operator,
    LogFile<OperatorMetadata> metadata,
    StateProvider provider,
    SortedSet<Integer> partitions,
    List<StateStoreFiles> stores,
    boolean singlePartition,
    boolean singlePartitionAssumed) {

  public OperatorState {
    requireNonNull(metadata, "metadata");
    requireNonNull(provider, "provider");
    partitions = java.util.Collections.unmodifiableSortedSet(new TreeSet<>(partitions));
    stores = List.copyOf(stores);
  }

  /** The operator's name in its metadata; empty before Spark 4.0, or if that file is damaged. */
  public Optional<String> name() {
    return metadata.readable().map(OperatorMetadata::name);
  }

  /** The stores' names, sorted. */
  public List<String> storeNames() {
    return stores.stream().map(StateStoreFiles::store).distinct().sorted().toList();
  }
}
