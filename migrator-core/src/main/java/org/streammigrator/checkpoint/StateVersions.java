package org.streammigrator.checkpoint;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Finds the files that a version of the whole state is built from: one {@link StateChain} for every
 * store of every partition. Nothing can be said of a provider that this program does not know;
 * nothing of it is missing.
 */
final class StateVersions {
  private static final int MOST_PARTITIONS = 100_000;

  /** The stores of a join, in the order in which a commit of format 2 lists their ids. */
  private static final List<String> JOIN_STORES =
      List.of(
          "left-keyToNumValues",
          "left-keyWithIndexToValue",
          "right-keyToNumValues",
          "right-keyWithIndexToValue");

  private final List<OperatorState> operators;
  private final StateChains chains;

  StateVersions(List<OperatorState> operators, StateChains chains) {
    this.operators = requireNonNull(operators, "operators");
    this.chains = requireNonNull(chains, "chains");
  }

  /**
   * What a version takes.
   *
   * @param ids state format 2: what the commit of the batch before says
   * @param pinned the number of partitions that the newest plan pins
   */
  StateVersion find(long version, Map<String, List<List<String>>> ids, OptionalInt pinned) {
    Collected collected = new Collected();
    if (version > 0) {
      for (OperatorState operator : operators) {
        if (operator.provider() != StateProvider.UNKNOWN) {
          collected.operator = operator.operator();
          find(operator, version, ids, pinned, collected);
        }
      }
    }
    return new StateVersion(
        version,
        collected.files,
        collected.missing,
        collected.corrupt,
        collected.passedOver,
        collected.keys);
  }

  private void find(
      OperatorState operator,
      long version,
      Map<String, List<List<String>>> ids,
      OptionalInt pinned,
      Collected into) {
    Map<Integer, Map<String, StateStoreFiles>> byPartition = new HashMap<>();
    for (StateStoreFiles files : operator.stores()) {
      byPartition
          .computeIfAbsent(files.partition(), key -> new HashMap<>())
          .put(files.store(), files);
    }
    List<String> names = storeNames(operator);
    List<List<String>> ofOperator =
        ids.getOrDefault(Integer.toString(operator.operator()), List.of());
    boolean withIds = operator.stores().stream().anyMatch(StateStoreFiles::hasIds);
    for (int partition : expected(operator, pinned)) {
      Map<String, StateStoreFiles> stores = byPartition.getOrDefault(partition, Map.of());
      if (stores.isEmpty()) {
        into.missing(path(operator, partition) + "/" + firstFile(operator, version));
        continue;
      }
      for (String name : names) {
        StateStoreFiles files = stores.get(name);
        if (files == null) {
          into.missing(path(operator, partition) + "/" + name + "/" + firstFile(operator, version));
        } else if (operator.provider() == StateProvider.HDFS) {
          into.add(chains.hdfs(files, version));
        } else if (withIds) {
          into.add(chains.rocks(files, version, id(ofOperator, partition, name)));
        } else {
          into.add(chains.rocks(files, version));
        }
      }
    }
  }

  /** The id of a store's version: a join's stores stand in a fixed order, other stores alone. */
  private static Optional<String> id(List<List<String>> ids, int partition, String store) {
    List<String> stores = partition < ids.size() ? ids.get(partition) : List.of();
    int place = Math.max(0, JOIN_STORES.indexOf(store));
    return place < stores.size() ? Optional.of(stores.get(place)) : Optional.empty();
  }

  /** The stores that each partition has to have: those of any partition, and all four of a join. */
  private static List<String> storeNames(OperatorState operator) {
    TreeSet<String> names = new TreeSet<>(operator.storeNames());
    if (JOIN_STORES.stream().anyMatch(names::contains)) {
      names.addAll(JOIN_STORES);
    }
    return List.copyOf(names);
  }

  private static String path(OperatorState operator, int partition) {
    return "state/" + operator.operator() + "/" + partition;
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

  private static final class Collected {
    private static final int MOST_MISSING = 1000;

    private final List<CheckpointFile> files = new ArrayList<>();
    private final Map<Integer, List<String>> missing = new TreeMap<>();
    private final Map<String, String> corrupt = new TreeMap<>();
    private final Map<String, String> passedOver = new LinkedHashMap<>();
    private final Map<Integer, Long> keys = new TreeMap<>();
    private int operator;

    private void missing(String path) {
      List<String> paths = missing.computeIfAbsent(operator, key -> new ArrayList<>());
      if (paths.size() < MOST_MISSING) {
        paths.add(path);
      }
    }

    private void add(StateChain chain) {
      files.addAll(chain.files());
      chain.missing().forEach(this::missing);
      corrupt.putAll(chain.corrupt());
      passedOver.putAll(chain.passedOver());
      keys.merge(
          operator,
          chain.keys(),
          (before, more) ->
              before < 0 || more < 0 ? Long.valueOf(-1) : Long.valueOf(before + more));
    }
  }
}
