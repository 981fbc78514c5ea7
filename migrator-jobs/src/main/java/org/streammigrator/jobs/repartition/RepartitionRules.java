package org.streammigrator.jobs.repartition;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.checkpoint.OffsetHeader;
import org.streammigrator.checkpoint.OffsetLog;
import org.streammigrator.checkpoint.OperatorState;
import org.streammigrator.checkpoint.StateProvider;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;

/**
 * What forbids a repartition. Spark writes the plan of its repartition before it looks at most of
 * this ({@code OfflineStateRepartitionRunner}), and leaves that behind where it fails: the
 * checkpoint then does not start.
 */
final class RepartitionRules {
  private static final int FIRST_MAJOR = 4;
  private static final int FIRST_MINOR = 2;
  private static final int FEW = 10;
  private static final String REPLAY =
      "rebuild the state under another number with strategy replay (docs/replay.md)";

  private final Checkpoint checkpoint;
  private final List<Finding> findings = new ArrayList<>();

  private RepartitionRules(Checkpoint checkpoint) {
    this.checkpoint = checkpoint;
  }

  /**
   * All that forbids it; empty if nothing does.
   *
   * @param partitions the number that is wanted
   * @param sparkVersion of the Spark that is to do it
   */
  static List<Finding> check(Checkpoint checkpoint, int partitions, String sparkVersion) {
    RepartitionRules rules = new RepartitionRules(checkpoint);
    rules.version(sparkVersion);
    if (checkpoint.isCheckpoint()) {
      rules.batches();
      rules.number(partitions);
      checkpoint.operators().forEach(rules::operator);
    }
    return List.copyOf(rules.findings);
  }

  /** The number of partitions that the newest plan pins. */
  static OptionalInt pinned(Checkpoint checkpoint) {
    return checkpoint
        .restartHeader()
        .map(OffsetHeader::statePartitions)
        .orElse(OptionalInt.empty());
  }

  private void version(String spark) {
    String[] parts = spark.split("[.-]");
    int major = number(parts, 0);
    if (major < FIRST_MAJOR || major == FIRST_MAJOR && number(parts, 1) < FIRST_MINOR) {
      refuse(
          FindingCode.NOT_AVAILABLE,
          "Spark " + spark,
          "state can be repartitioned by Spark 4.2 and later",
          "run the job with Spark 4.2, or " + REPLAY);
    }
  }

  private static int number(String[] parts, int at) {
    return at < parts.length && parts[at].matches("[0-9]{1,6}") ? Integer.parseInt(parts[at]) : 0;
  }

  private void batches() {
    if (!checkpoint.pending().isEmpty()) {
      refuse(
          FindingCode.PENDING_BATCH,
          "offsets/" + checkpoint.pending().last(),
          "it is planned and not committed, and Spark repartitions what a committed batch has left",
          "start the query once more at the old checkpoint, let the batch end, and stop it between"
              + " two batches");
    } else if (checkpoint.lastCommitted().isEmpty()) {
      refuse(
          FindingCode.NO_COMMITTED_BATCH,
          "commits",
          "no batch is committed, so that there is no state to repartition",
          "start the query anew with spark.sql.shuffle.partitions as you want it");
    }
    if (checkpoint.plannedOffsets().map(OffsetLog::version).orElse(1) != 1) {
      refuse(
          FindingCode.LOG_VERSION_UNSUPPORTED,
          checkpoint.offsets().path(checkpoint.lastPlanned().orElse(0)),
          "offset logs of version 2 do not hold the number of partitions, and Spark's repartition"
              + " fails on them",
          REPLAY);
    }
  }

  private void number(int wanted) {
    OptionalInt pinned = pinned(checkpoint);
    if (checkpoint.operators().isEmpty()) {
      refuse(
          FindingCode.NOT_AVAILABLE,
          "state",
          "the query keeps no state, so that there is nothing to repartition",
          "from Spark 4.1 on a query without state takes the session's"
              + " spark.sql.shuffle.partitions; before that, seed a new checkpoint");
    } else if (pinned.isEmpty()) {
      refuse(
          FindingCode.STATE_PARTITION_MISMATCH,
          checkpoint.offsets().path(checkpoint.lastPlanned().orElse(0)),
          "it does not say how many partitions the state has",
          REPLAY);
    } else if (pinned.getAsInt() == wanted) {
      refuse(
          FindingCode.JOB_SPEC_INVALID,
          "partitions",
          "the state has " + wanted + " partitions already",
          "give another number, or relocate the checkpoint as it is");
    }
  }

  private void operator(OperatorState operator) {
    String subject = "state/" + operator.operator();
    if (operator.provider() != StateProvider.ROCKSDB) {
      refuse(
          FindingCode.NOT_AVAILABLE,
          subject,
          operator.provider() == StateProvider.HDFS
              ? "its state is in the HDFS-backed store, and Spark repartitions RocksDB's only"
              : "its state is in a store that is none of Spark's own",
          REPLAY);
    }
    if (operator.metadata().readable().isEmpty()) {
      refuse(
          FindingCode.NOT_AVAILABLE,
          subject + "/_metadata",
          "the operator's description, without which Spark repartitions nothing, is missing or"
              + " damaged",
          "if Spark before 4.0 began the checkpoint, run a batch with Spark 4.2 first; else "
              + REPLAY);
    }
    if (operator.singlePartition()) {
      refuse(
          FindingCode.NOT_AVAILABLE,
          subject,
          "it keeps all of its state in partition 0"
              + operator.name().map(name -> " (" + name + ")").orElse("")
              + ": an aggregate without grouping keys or a limit, which no number of partitions"
              + " changes",
          "leave the number as it is, or " + REPLAY);
      return;
    }
    int pinned = pinned(checkpoint).orElse(0);
    if (pinned > 0 && !operator.partitions().equals(numbers(pinned))) {
      refuse(
          FindingCode.STATE_PARTITION_MISMATCH,
          subject,
          "it has the partitions "
              + operator.partitions().stream()
                  .limit(FEW)
                  .map(String::valueOf)
                  .collect(Collectors.joining(", "))
              + (operator.partitions().size() > FEW ? ", ..." : "")
              + ", and the newest plan pins "
              + pinned,
          "compare with a copy of the checkpoint: either partitions are lost or the number was"
              + " edited");
    }
  }

  private static TreeSet<Integer> numbers(int partitions) {
    return IntStream.range(0, partitions).boxed().collect(Collectors.toCollection(TreeSet::new));
  }

  private void refuse(FindingCode code, String subject, String message, String remedy) {
    findings.add(Finding.error(code, subject, message, remedy));
  }
}
