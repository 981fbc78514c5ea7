package org.streammigrator.verdict;

import static org.streammigrator.finding.FindingCode.STATE_FILE_CORRUPT;
import static org.streammigrator.finding.FindingCode.STATE_FILE_MISSING;
import static org.streammigrator.finding.FindingCode.STATE_FORMAT_V2;
import static org.streammigrator.finding.FindingCode.STATE_PARTITION_MISMATCH;
import static org.streammigrator.finding.FindingCode.STATE_PROVIDER_UNKNOWN;

import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.checkpoint.OffsetHeader;
import org.streammigrator.checkpoint.OperatorState;
import org.streammigrator.checkpoint.StateProvider;
import org.streammigrator.checkpoint.StateStoreFiles;
import org.streammigrator.checkpoint.StateVersion;
import org.streammigrator.finding.Finding;

/**
 * Rules about {@code state/}. Batch b reads version b of every store of every partition and writes
 * b + 1; the number of partitions is read from the newest plan's pinned conf and from nowhere else.
 */
final class StateRules {
  private static final int MOST_NAMED = 10;

  private final Checkpoint checkpoint;
  private final Restart restart;
  private final long required;

  private StateRules(Checkpoint checkpoint, Restart restart) {
    this.checkpoint = checkpoint;
    this.restart = restart;
    this.required = checkpoint.requiredStateVersion();
  }

  static void check(Checkpoint checkpoint, Restart restart) {
    StateRules rules = new StateRules(checkpoint, restart);
    OptionalInt pinned =
        checkpoint.restartHeader().map(OffsetHeader::statePartitions).orElse(OptionalInt.empty());
    for (OperatorState operator : checkpoint.operators()) {
      rules.partitions(operator, pinned);
      rules.provider(operator);
      StateMetadataRules.check(checkpoint, operator, restart);
      rules.files(operator);
    }
    StateMetadataRules.ofVersion2(checkpoint, restart);
    rules.format();
  }

  private void partitions(OperatorState operator, OptionalInt pinned) {
    String subject = "state/" + operator.operator();
    if (pinned.isEmpty()) {
      boolean second = checkpoint.plannedOffsets().map(plan -> plan.version() == 2).orElse(false);
      if (second) {
        restart.note(
            Finding.warning(
                STATE_PARTITION_MISMATCH,
                subject,
                "the newest plan (version 2) pins no spark.sql.shuffle.partitions: the first restart"
                    + " takes the session's value, and another one than "
                    + operator.partitions().size()
                    + " gives missing files or wrong results",
                "set spark.sql.shuffle.partitions to "
                    + operator.partitions().size()
                    + " in the session that restarts it"));
      }
      return;
    }
    int wanted = pinned.getAsInt();
    int there = operator.partitions().size();
    if (there > 0 && operator.partitions().last() >= wanted) {
      restart.note(
          Finding.error(
              STATE_PARTITION_MISMATCH,
              subject,
              "it has "
                  + there
                  + " partitions (up to number "
                  + operator.partitions().last()
                  + ") and the newest plan pins "
                  + wanted
                  + ": Spark leaves the others out and gives wrong results without any error",
              "put the number back in "
                  + checkpoint.offsets().path(checkpoint.lastPlanned().orElse(0))
                  + "; it can only be changed by the job repartition (Spark 4.2, RocksDB) or by"
                  + " rebuilding the state (replay)"));
    } else if (there < wanted && !operator.singlePartition()) {
      restart.note(mismatch(operator, wanted, "Spark stops with a missing state file"));
    } else if (there < wanted && operator.singlePartitionAssumed()) {
      restart.note(
          mismatch(
              operator,
              wanted,
              "that is right for a global aggregate or a limit, which keep all state in partition 0;"
                  + " for any other operator Spark stops with a missing state file"));
    }
  }

  private static Finding mismatch(OperatorState operator, int wanted, String consequence) {
    int there = operator.partitions().size();
    return Finding.warning(
        STATE_PARTITION_MISMATCH,
        "state/" + operator.operator(),
        "it has "
            + there
            + (there == 1 ? " partition" : " partitions")
            + " and the newest plan pins "
            + wanted
            + recorded(operator)
            + ": "
            + consequence,
        "compare with a copy of the checkpoint: either partitions are lost or the number was edited");
  }

  /** What the operator's metadata says; a repartition does not correct it. */
  private static String recorded(OperatorState operator) {
    return operator.metadata().readable().stream()
        .flatMap(metadata -> metadata.stores().stream())
        .findFirst()
        .map(store -> "; the operator's metadata was written when it had " + store.numPartitions())
        .orElse("");
  }

  private void provider(OperatorState operator) {
    if (operator.provider() == StateProvider.UNKNOWN) {
      restart.note(
          Finding.warning(
              STATE_PROVIDER_UNKNOWN,
              "state/" + operator.operator(),
              "its state store provider is none of Spark's own; whether the state can be loaded is not"
                  + " checked",
              "move it only with relocate, which takes all of its files along"));
    }
  }

  private void files(OperatorState operator) {
    StateVersion version = checkpoint.stateVersions().get(required);
    if (version == null) {
      return;
    }
    List<String> bad = version.missing().getOrDefault(operator.operator(), List.of());
    List<String> missing =
        bad.stream().filter(path -> !version.corrupt().containsKey(path)).toList();
    List<String> corrupt = bad.stream().filter(version.corrupt()::containsKey).distinct().toList();
    String subject = "state/" + operator.operator();
    String what =
        "state version "
            + required
            + " of operator "
            + operator.operator()
            + operator.name().map(name -> " (" + name + ")").orElse("");
    if (!missing.isEmpty()) {
      restart.stop(
          Finding.error(
              STATE_FILE_MISSING,
              subject,
              what
                  + " cannot be built in "
                  + partitions(missing)
                  + ", it lacks "
                  + named(missing)
                  + ": the first batch of a restart fails with CANNOT_LOAD_STATE_STORE ("
                  + (operator.provider() == StateProvider.ROCKSDB
                      ? "CANNOT_READ_STREAMING_STATE_FILE"
                      : "CANNOT_READ_DELTA_FILE_NOT_EXISTS")
                  + ")",
              remedy()));
    }
    passedOver(operator, version, what);
    if (!corrupt.isEmpty()) {
      restart.stop(
          Finding.error(
              STATE_FILE_CORRUPT,
              subject,
              what
                  + " cannot be built in "
                  + partitions(corrupt)
                  + ": "
                  + corrupt.stream()
                      .limit(MOST_NAMED)
                      .map(path -> path + ": " + version.corrupt().get(path))
                      .collect(Collectors.joining("; "))
                  + ". Spark fails with CANNOT_LOAD_STATE_STORE (UNEXPECTED_FILE_SIZE, or"
                  + " CANNOT_READ_STREAMING_STATE_FILE). Files of the right size with other content"
                  + " are not checkable here",
              remedy()));
    }
  }

  private void passedOver(OperatorState operator, StateVersion version, String what) {
    String prefix = "state/" + operator.operator() + "/";
    List<String> broken =
        version.passedOver().keySet().stream().filter(path -> path.startsWith(prefix)).toList();
    if (!broken.isEmpty()) {
      restart.stop(
          Finding.warning(
              STATE_FILE_CORRUPT,
              "state/" + operator.operator(),
              what
                  + " has a snapshot that cannot be used in "
                  + partitions(broken)
                  + ": "
                  + broken.stream()
                      .limit(MOST_NAMED)
                      .map(path -> path + ": " + version.passedOver().get(path))
                      .collect(Collectors.joining("; "))
                  + ". Spark 4.2 passes over it and builds the version from what is older"
                  + " (stateStore.autoSnapshotRepair); up to 4.1 the query stops",
              "take the snapshot away: every version of Spark then builds the state from what is"
                  + " older; relocate leaves it out"),
          List.of("3.5", "4.0", "4.1"));
    }
  }

  private static String partitions(List<String> paths) {
    TreeSet<Integer> numbers = new TreeSet<>();
    paths.forEach(path -> numbers.add(Integer.valueOf(path.split("/")[2])));
    return (numbers.size() == 1 ? "partition " : "partitions ")
        + numbers.stream().limit(MOST_NAMED).map(String::valueOf).collect(Collectors.joining(", "))
        + (numbers.size() > MOST_NAMED ? ", …" : "");
  }

  private static String named(List<String> paths) {
    return paths.stream().limit(MOST_NAMED).collect(Collectors.joining(", "))
        + (paths.size() > MOST_NAMED ? " and " + (paths.size() - MOST_NAMED) + " more" : "");
  }

  private String remedy() {
    OptionalLong loadable =
        checkpoint.stateVersions().values().stream()
            .filter(version -> version.loadable() && version.version() < required)
            .mapToLong(StateVersion::version)
            .max();
    String older =
        loadable.isPresent()
            ? "the newest version that can be loaded is "
                + loadable.getAsLong()
                + ", which batch "
                + loadable.getAsLong()
                + " reads"
            : "no older version can be loaded in all partitions";
    return "restore the files from a copy; "
        + older
        + "; the sources' positions are known all the same, so that the state can be rebuilt"
        + " from them";
  }

  private void format() {
    boolean ids =
        checkpoint.operators().stream()
            .anyMatch(operator -> operator.stores().stream().anyMatch(StateStoreFiles::hasIds));
    boolean said =
        restart.findings().stream().anyMatch(finding -> finding.code() == STATE_FORMAT_V2);
    if (ids && !said) {
      restart.stop(
          Finding.info(
              STATE_FORMAT_V2,
              "state",
              "the state files carry ids: state checkpoint format 2 (Spark 4.0 and later)",
              "keep spark.sql.streaming.stateStore.checkpointFormatVersion=2 in the session"),
          List.of("3.5"));
    }
  }
}
