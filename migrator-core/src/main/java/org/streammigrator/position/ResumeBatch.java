package org.streammigrator.position;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.SortedSet;
import java.util.TreeSet;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.checkpoint.OffsetLog;
import org.streammigrator.facts.Facts;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;

/**
 * The batch whose end is the query's position, after a look at what the sink has.
 *
 * <p>The position is the end of the last committed batch. A pending batch may be in the sink all
 * the same: a record of it there says so, a record below it says it is not, and no record says
 * nothing.
 *
 * @param batch the batch; empty if the position is before the first one
 * @param pending the planned batches after it
 * @param sink what the sink says about the pending batches
 * @param findings what was noticed
 */
public record ResumeBatch(
    OptionalLong batch, SortedSet<Long> pending, Sink sink, List<Finding> findings) {

  public ResumeBatch {
    requireNonNull(batch, "batch");
    requireNonNull(sink, "sink");
    findings = List.copyOf(findings);
  }

  /** What the sink says about the pending batches. */
  public enum Sink {
    /** There is no pending batch. */
    NOTHING_PENDING,
    /** The newest pending batch is in the sink; {@link #batch} is that one. */
    IN,
    /** No pending batch after {@link #batch} is in the sink. */
    NOT_IN,
    /** The sink has no record, or nobody asked it. */
    UNKNOWN
  }

  /** Finds the batch for a checkpoint. */
  public static ResumeBatch of(Checkpoint checkpoint, Facts facts) {
    List<Finding> findings = new ArrayList<>();
    OptionalLong committed = checkpoint.lastCommitted();
    SortedSet<Long> pending = checkpoint.pending();
    OptionalLong recorded =
        checkpoint
            .queryId()
            .filter(facts.sinkTxn()::containsKey)
            .map(id -> OptionalLong.of(facts.sinkTxn().get(id)))
            .orElse(facts.fileSinkLastBatch());
    if (recorded.isPresent()) {
      compareWithSink(checkpoint, recorded.getAsLong(), findings);
    }
    if (pending.isEmpty()) {
      return new ResumeBatch(committed, pending, Sink.NOTHING_PENDING, findings);
    }
    if (recorded.isEmpty()) {
      findings.add(
          pendingFinding(
              pending,
              "whether the sink already has it is unknown; the position is before it",
              "look into the sink: plan with its table under `sink`, or pass its record as"
                  + " `sinkTxn` in a facts file; until then that range may come twice"));
      return new ResumeBatch(committed, pending, Sink.UNKNOWN, findings);
    }
    long reached = committed.orElse(-1);
    for (long batch : pending) {
      boolean next = batch == reached + 1 || batch == pending.last();
      OffsetLog plan = checkpoint.offsets().file(batch).readable().orElse(null);
      if (batch <= recorded.getAsLong() && next && plan != null) {
        reached = batch;
      }
    }
    SortedSet<Long> after = new TreeSet<>(pending).tailSet(reached, false);
    if (!after.isEmpty() && after.first() <= recorded.getAsLong()) {
      findings.add(
          pendingFinding(
              after,
              "the sink already has it (its record is at batch "
                  + recorded.getAsLong()
                  + "), but its plan cannot be read, so the position is before it and its range is"
                  + " read twice",
              "restore the plan from a copy of the checkpoint, or MERGE what comes twice away"));
      return new ResumeBatch(
          reached < 0 ? OptionalLong.empty() : OptionalLong.of(reached),
          after,
          Sink.UNKNOWN,
          findings);
    }
    if (after.isEmpty()) {
      findings.add(
          pendingFinding(
              pending,
              "the sink already has it (its record is at batch "
                  + recorded.getAsLong()
                  + "), so"
                  + " the position is after it",
              "nothing to do; a restart of the old checkpoint would have skipped it in the sink"));
      return new ResumeBatch(OptionalLong.of(reached), after, Sink.IN, findings);
    }
    findings.add(
        pendingFinding(
            after,
            "the sink does not have it (its record is at batch "
                + recorded.getAsLong()
                + "), so"
                + " the position is before it",
            "nothing to do; its range is read again, once"));
    return new ResumeBatch(
        reached < 0 ? OptionalLong.empty() : OptionalLong.of(reached),
        after,
        Sink.NOT_IN,
        findings);
  }

  private static void compareWithSink(
      Checkpoint checkpoint, long recorded, List<Finding> findings) {
    long newest = checkpoint.lastPlanned().orElse(-1);
    OptionalLong committed = checkpoint.lastCommitted();
    if (recorded > newest) {
      findings.add(
          Finding.error(
              FindingCode.ARCHIVE_BEHIND_SINK,
              "sink",
              "the sink has batch "
                  + recorded
                  + " of this query and the checkpoint ends at batch "
                  + newest
                  + ": batches "
                  + (newest + 1)
                  + ".."
                  + recorded
                  + " would be planned again with other ranges and skipped by the sink",
              "use the newest checkpoint of the query; if there is none, take a new query id and"
                  + " remove or MERGE away what those batches wrote"));
    } else if (committed.isPresent() && recorded < committed.getAsLong()) {
      findings.add(
          Finding.error(
              FindingCode.SINK_BEHIND,
              "sink",
              "the checkpoint has committed batch "
                  + committed.getAsLong()
                  + " and the sink has recorded only batch "
                  + recorded
                  + " of this query",
              "check that this is the query's sink; if it was restored or rolled back, what batches "
                  + (recorded + 1)
                  + ".."
                  + committed.getAsLong()
                  + " wrote is missing there and has to be written again"));
    }
  }

  private static Finding pendingFinding(SortedSet<Long> pending, String state, String remedy) {
    String which =
        pending.size() == 1
            ? "batch " + pending.first() + " is planned and not committed"
            : "batches "
                + pending.first()
                + ".."
                + pending.last()
                + " are planned and not committed";
    return Finding.warning(
        FindingCode.PENDING_BATCH, "offsets/" + pending.last(), which + "; " + state, remedy);
  }
}
