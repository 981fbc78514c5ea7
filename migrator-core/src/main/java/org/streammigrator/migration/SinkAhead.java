package org.streammigrator.migration;

import java.util.stream.Collectors;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.plan.Identity;
import org.streammigrator.plan.SinkPlan;
import org.streammigrator.plan.Strategy;
import org.streammigrator.plan.StreamPlan;

/**
 * A sink that has batches of the query which its checkpoint does not know: a seed plans them anew.
 * The same rule holds as for a rewind ({@link RewindSinks}): under a new id nothing is skipped, and
 * MERGE on keys takes up what comes twice.
 */
final class SinkAhead {
  private SinkAhead() {}

  /** Whether the plan says how the rows that come twice are taken up, at every sink. */
  static boolean isAbsorbed(StreamPlan stream) {
    return stream.strategy() == Strategy.SEED
        && stream.identity().filter(Identity.NEW::equals).isPresent()
        && !stream.sink().isEmpty()
        && stream.sink().stream().allMatch(SinkAhead::absorbs);
  }

  /** A fixed txnAppId outlives the id. */
  private static boolean absorbs(SinkPlan sink) {
    return sink.txnAppId().isEmpty() && sink.merges();
  }

  /** What is to be known of it. */
  static Finding absorbed(StreamPlan stream, Checkpoint checkpoint) {
    return Finding.warning(
        FindingCode.ARCHIVE_BEHIND_SINK,
        "sink",
        "the sink has batches of the old query id after batch "
            + checkpoint.lastPlanned().orElse(-1)
            + ", the last that the checkpoint knows, and gets their rows once more; MERGE on "
            + stream.sink().stream()
                .map(sink -> String.join(", ", sink.keys()))
                .distinct()
                .collect(Collectors.joining("; "))
            + " puts them in the place of what is there, and a row that only those batches had"
            + " written stays",
        "make sure that the query writes with MERGE on these columns, and without a txnAppId that the"
            + " table knows");
  }
}
