package org.streammigrator.position;

import java.time.Instant;
import java.util.List;
import org.streammigrator.checkpoint.source.AutoLoaderOffset;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;

/**
 * Positions of Auto Loader: a number into a list of files that only Databricks reads. No option of
 * {@code cloudFiles} takes such a number.
 */
final class AutoLoaderPositions {
  private AutoLoaderPositions() {}

  static SourcePosition of(RecordedSource source, AutoLoaderOffset offset) {
    String since =
        (source.batchTimestampMs().isPresent() && source.batchTimestampMs().getAsLong() > 0
                ? "the gap holds at least the files modified since the last batch was planned ("
                    + Instant.ofEpochMilli(source.batchTimestampMs().getAsLong())
                    + "); "
                : "")
            + (offset.lastBackfillFinishMs().isPresent()
                ? "the last listing of the whole input ended at "
                    + Instant.ofEpochMilli(offset.lastBackfillFinishMs().getAsLong())
                : "when the whole input was listed last is not recorded");
    return source.notExpressible(
        offset,
        "sequence number " + offset.sequenceNumber(),
        "the number counts files in the list in sources/"
            + source.id()
            + "/rocksdb and means nothing without it. Ways on: (1) copy the whole checkpoint; (2) a"
            + " new checkpoint with cloudFiles.includeExistingFiles=false, and the files that arrived"
            + " in between read once by an explicit list (or by modifiedAfter). cloud_files_state"
            + " of this checkpoint gives the exact list of what is known; "
            + since,
        List.of(
            Finding.warning(
                FindingCode.AUTOLOADER_NOT_PORTABLE,
                source.subject(),
                "seqNum "
                    + offset.sequenceNumber()
                    + " is not portable: a new checkpoint reads every file again, or with"
                    + " includeExistingFiles=false skips those that arrived between the last batch and"
                    + " its start",
                "copy the whole checkpoint (strategy relocate with copy: all), or compare"
                    + " cloud_files_state with a listing and read the difference by name")));
  }
}
