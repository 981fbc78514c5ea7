package org.streammigrator.migration;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import java.util.Set;
import org.streammigrator.backfill.Boundary;
import org.streammigrator.backfill.Guard;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.job.JobJson;
import org.streammigrator.plan.OutputMode;
import org.streammigrator.plan.StreamPlan;
import org.streammigrator.storage.Location;

/** What speaks against rolling back, or is told of it. */
final class RollbackFindings {
  private RollbackFindings() {}

  /**
   * What a backfill may have merged into the sink. The old query has those windows in its state,
   * and writes them again.
   */
  static Optional<Finding> merged(Journal journal, Set<FindingCode> accepted, StreamPlan stream) {
    Optional<JsonNode> boundary = journal.last(stream.name(), Backfills.BOUNDARY);
    if (boundary.isEmpty() || journal.last(stream.name(), Backfills.STARTED).isEmpty()) {
      return Optional.empty();
    }
    boolean isUpdate = stream.query().outputMode().filter(OutputMode.UPDATE::equals).isPresent();
    String message =
        "the backfill has merged windows into the table, which a rollback leaves there; "
            + (isUpdate
                ? "in update mode the old query writes those again that get further events"
                : "in append mode the old query writes them again");
    String remedy =
        isUpdate
            ? "look whether the old query's rows have what the job's have; RESTORE of the table takes"
                + " back what came since, too"
            : "before the old query is started, and only if it appends: "
                + Guard.deleting(
                    stream, JobJson.value(boundary.get().path(Backfills.BOUNDARY), Boundary.class));
    return Optional.of(
        accepted.contains(FindingCode.BACKFILL_ROWS_STAY)
            ? Finding.warning(FindingCode.BACKFILL_ROWS_STAY, "sink", message, remedy)
            : Finding.error(
                FindingCode.BACKFILL_ROWS_STAY,
                "sink",
                message,
                remedy + "; then roll back with --accept BACKFILL_ROWS_STAY"));
  }

  /** Without the old checkpoint there is nothing to roll back to, and what is there is all. */
  static Finding onlyCopy(Location from, Location to) {
    return Finding.error(
        FindingCode.OLD_CHECKPOINT_GROWS,
        from.toString(),
        "the old checkpoint is not there any more; what was written for "
            + to
            + " is all that is left of it",
        "restore the old one from its archive to its place, and roll back then");
  }

  /** What stays, since it is not what the plan wrote. */
  static Finding foreign(Location to, String message) {
    return Finding.warning(
        FindingCode.TARGET_NOT_AS_WRITTEN,
        to.toString(),
        message,
        "look at it yourself; nothing of it was removed");
  }
}
