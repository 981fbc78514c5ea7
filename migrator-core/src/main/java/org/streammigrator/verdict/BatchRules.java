package org.streammigrator.verdict;

import static org.streammigrator.finding.FindingCode.ASYNC_PROGRESS;
import static org.streammigrator.finding.FindingCode.BATCH_GAP;
import static org.streammigrator.finding.FindingCode.COMMIT_WITHOUT_OFFSETS;
import static org.streammigrator.finding.FindingCode.NO_COMMITTED_BATCH;
import static org.streammigrator.finding.FindingCode.PENDING_BATCH;
import static org.streammigrator.finding.FindingCode.STATE_FILE_MISSING;
import static org.streammigrator.finding.FindingCode.STATE_PARTITION_MISMATCH;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SortedSet;
import java.util.TreeSet;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.checkpoint.CommitLog;
import org.streammigrator.checkpoint.LogFile;
import org.streammigrator.checkpoint.OffsetHeader;
import org.streammigrator.checkpoint.OffsetLog;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.Severity;

/**
 * Rules about the numbers in {@code offsets/} and {@code commits/}. With L the newest plan and C
 * the newest commit, Spark looks at L, L - 1 and C and at nothing else ({@code
 * MicroBatchExecution.populateStartOffsets}, the same from 3.1 to 4.2).
 */
final class BatchRules {
  private final Checkpoint checkpoint;
  private final Restart restart;
  private final SortedSet<Long> planned;
  private final SortedSet<Long> committed;
  private final long newest;

  private BatchRules(Checkpoint checkpoint, Restart restart) {
    this.checkpoint = checkpoint;
    this.restart = restart;
    this.planned = checkpoint.offsets().batches();
    this.committed = checkpoint.commits().batches();
    this.newest = planned.last();
  }

  /** Checks a checkpoint that has at least one plan. */
  static void check(Checkpoint checkpoint, Restart restart) {
    BatchRules rules = new BatchRules(checkpoint, restart);
    rules.gaps();
    rules.commitsAhead();
    rules.pending();
    rules.unfinishedRepartition();
    rules.stateGone();
  }

  /** What becomes of the checkpoint if its newest plan is set aside. */
  static String withoutNewest(Checkpoint checkpoint) {
    SortedSet<Long> planned = checkpoint.offsets().batches();
    long newest = planned.last();
    String path = checkpoint.offsets().path(newest);
    SortedSet<Long> before = planned.headSet(newest);
    if (before.isEmpty()) {
      return "set "
          + path
          + " aside (keep a copy): there is no older plan, so that the query then starts anew";
    }
    long next = before.last();
    String commit =
        checkpoint.commits().batches().contains(newest)
            ? " together with " + checkpoint.commits().path(newest)
            : "";
    if (next > 0 && !planned.contains(next - 1)) {
      return "setting "
          + path
          + " aside is NOT enough: then batch "
          + next
          + " is the newest, and "
          + checkpoint.offsets().path(next - 1)
          + " is needed and missing. Start a new checkpoint at the position (strategy seed)";
    }
    boolean done = checkpoint.commits().batches().contains(next);
    return "set "
        + path
        + commit
        + " aside (keep a copy): then batch "
        + next
        + " is the newest, "
        + (done ? "it is committed" : "it is pending and runs again")
        + (next > 0 ? ", and " + checkpoint.offsets().path(next - 1) + " is there" : "")
        + (checkpoint.stateful() ? "; its state has to be there, too" : "");
  }

  private void gaps() {
    TreeSet<Long> gaps = new TreeSet<>();
    long expected = planned.first();
    for (long batch : planned) {
      for (long missing = expected; missing < batch && gaps.size() < 1000; missing++) {
        gaps.add(missing);
      }
      expected = batch + 1;
    }
    boolean stops =
        newest > 0 && checkpoint.offsets().file(newest - 1) instanceof LogFile.Missing<OffsetLog>;
    boolean async = sameGaps();
    if (stops) {
      restart.stop(
          Finding.error(
              BATCH_GAP,
              checkpoint.offsets().path(newest - 1),
              "it is missing and every start needs it, since "
                  + newest
                  + " is the newest plan: Spark stops with \"batch "
                  + (newest - 1)
                  + " doesn't exist\""
                  + position(),
              async
                  ? "see ASYNC_PROGRESS"
                  : "restore it from a copy; " + withoutNewest(checkpoint)));
    } else if (!gaps.isEmpty()) {
      restart.note(
          Finding.info(
              BATCH_GAP,
              "offsets",
              gaps.size()
                  + " older "
                  + (gaps.size() == 1 ? "plan is" : "plans are")
                  + " missing (the first is batch "
                  + gaps.first()
                  + "); a restart does not look at them",
              "nothing to do; a rewind across the gap is not possible"));
    }
    if (async) {
      restart.note(
          new Finding(
              ASYNC_PROGRESS,
              stops ? Severity.ERROR : Severity.INFO,
              "offsets",
              "both logs leave out the same batches, as asynchronous progress tracking does by"
                  + " design; without that option Spark needs every plan's predecessor",
              "run the query with asyncProgressTrackingEnabled=true and"
                  + " asyncProgressTrackingCheckpointIntervalMs=0 for two batches or more, stop it,"
                  + " and then switch the option off"));
    }
  }

  private String position() {
    OptionalLong last = checkpoint.lastCommitted();
    return last.isPresent() ? ". The position is known: the end of batch " + last.getAsLong() : "";
  }

  /** Asynchronous progress tracking leaves out the same batches in both logs. */
  private boolean sameGaps() {
    if (committed.isEmpty()) {
      return false;
    }
    long from = Math.max(planned.first(), committed.first());
    long to = Math.min(planned.last(), committed.last());
    if (from >= to) {
      return false;
    }
    SortedSet<Long> plans = new TreeSet<>(planned).subSet(from, true, to, true);
    return plans.equals(new TreeSet<>(committed).subSet(from, true, to, true))
        && plans.size() - 1 < to - from;
  }

  private void commitsAhead() {
    if (checkpoint.commitsAhead().isEmpty()) {
      return;
    }
    restart.stop(
        Finding.error(
            COMMIT_WITHOUT_OFFSETS,
            checkpoint.commits().path(committed.last()),
            "batch "
                + committed.last()
                + " is committed and its plan is gone, the newest plan is batch "
                + newest
                + ": every Spark version runs batch "
                + newest
                + " again, which repeats it in the sink, and then stops with"
                + " CONCURRENT_STREAM_LOG_UPDATE, at every start",
            "restore "
                + checkpoint.offsets().path(committed.last())
                + " from a copy; or look whether the sink has the batches after "
                + newest
                + ", and set the commits above it aside"));
  }

  private void pending() {
    SortedSet<Long> pending = checkpoint.pending();
    if (pending.isEmpty()) {
      return;
    }
    OptionalLong last = checkpoint.lastCommitted();
    restart.note(
        Finding.warning(
            PENDING_BATCH,
            checkpoint.offsets().path(newest),
            (pending.size() == 1
                    ? "batch " + newest + " is planned and not committed"
                    : "batches "
                        + pending.first()
                        + ".."
                        + newest
                        + " are planned and not committed")
                + ": a restart runs batch "
                + newest
                + " again, exactly as planned. It may be in the sink already",
            "look whether the sink has batch "
                + newest
                + " (a Delta sink: its txn record) before you move the position"));
    if (last.isEmpty()) {
      restart.note(
          Finding.warning(
              NO_COMMITTED_BATCH,
              "commits",
              "no batch is committed"
                  + (newest == 0
                      ? ": while batch 0 is pending its start is in sources/<id>/0 where the source"
                          + " keeps it, else the sources' starting options are asked again"
                      : ""),
              "keep the sources' starting options as they were at the first start"));
    }
    long firstLost = last.isPresent() ? last.getAsLong() + 1 : planned.first();
    if (newest - firstLost >= 1 && !withoutCommitLog()) {
      restart.note(
          Finding.error(
              BATCH_GAP,
              "commits",
              "Spark reruns batch "
                  + newest
                  + " only: "
                  + (newest - firstLost == 1
                      ? "batch " + firstLost + " is"
                      : "batches " + firstLost + ".." + (newest - 1) + " are")
                  + " planned, not committed, and never run; their data is lost without an error",
              last.isPresent()
                  ? "do not restart it like this: take the position at the end of batch "
                      + last.getAsLong()
                      + " (resume, or strategy seed)"
                  : "restore commits/ from a copy before you restart it"));
    }
  }

  /**
   * Spark 2.1 kept no {@code commits/} and pinned no settings: there a plan meant that every batch
   * before it was done.
   */
  private boolean withoutCommitLog() {
    boolean pinsNothing =
        checkpoint
            .plannedOffsets()
            .flatMap(OffsetLog::header)
            .map(header -> header.conf().isEmpty())
            .orElse(false);
    return pinsNothing && checkpoint.entry("commits").isEmpty();
  }

  /** Spark 4.2 recognises an unfinished repartition by nothing but this. */
  private void unfinishedRepartition() {
    if (!checkpoint.pending().contains(newest)) {
      return;
    }
    OptionalInt now = partitions(checkpoint.plannedOffsets());
    OptionalInt then = partitions(checkpoint.offsets().file(newest - 1).readable());
    if (now.isPresent() && then.isPresent() && now.getAsInt() != then.getAsInt()) {
      restart.stop(
          Finding.error(
              STATE_PARTITION_MISMATCH,
              checkpoint.offsets().path(newest),
              "the pending batch pins "
                  + now.getAsInt()
                  + " shuffle partitions and the batch before it "
                  + then.getAsInt()
                  + ": Spark 4.2 takes that for an unfinished repartition"
                  + " (STREAMING_UNFINISHED_REPARTITION_DETECTED)",
              "finish the repartition, or set "
                  + checkpoint.offsets().path(newest)
                  + " aside if it failed or was edited"),
          List.of("4.2"));
    }
  }

  /** What the logs say of state where there is none; a watermark alone proves nothing. */
  private void stateGone() {
    if (checkpoint.stateful()) {
      return;
    }
    Optional<CommitLog> commit =
        committed.isEmpty()
            ? Optional.empty()
            : checkpoint.commits().file(committed.last()).readable();
    boolean watermark =
        commit.map(CommitLog::nextBatchWatermarkMs).orElse(0L) > 0
            || checkpoint.restartHeader().map(OffsetHeader::batchWatermarkMs).orElse(0L) > 0;
    String remedy = "restore state/ from a copy, or rebuild the state from the sources' positions";
    if (commit.map(log -> !log.stateUniqueIds().isEmpty()).orElse(false)) {
      restart.stop(
          Finding.error(
              STATE_FILE_MISSING,
              "state",
              checkpoint.commits().path(committed.last())
                  + " names the state of operators "
                  + String.join(", ", commit.get().stateUniqueIds().keySet())
                  + ", and there is no state/: Spark 4.2 stops with"
                  + " STREAMING_STATEFUL_OPERATOR_MISSING_STATE_DIRECTORY, older versions with"
                  + " CANNOT_LOAD_STATE_STORE",
              remedy));
    } else if (watermark) {
      restart.note(
          Finding.info(
              STATE_FILE_MISSING,
              "state",
              "the query has a watermark and there is no state/: if it has a stateful operator, its"
                  + " state is lost, and Spark 4.2 stops with"
                  + " STREAMING_STATEFUL_OPERATOR_MISSING_STATE_DIRECTORY",
              "nothing to do if the query keeps no state; else " + remedy));
    }
  }

  private static OptionalInt partitions(Optional<OffsetLog> plan) {
    return plan.flatMap(OffsetLog::header)
        .map(OffsetHeader::statePartitions)
        .orElse(OptionalInt.empty());
  }
}
