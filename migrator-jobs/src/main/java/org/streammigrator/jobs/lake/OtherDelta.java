package org.streammigrator.jobs.lake;

import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.job.JobRefusedException;

/** An engine that lacks classes of the Delta that this was tested with. */
final class OtherDelta {
  /** The version of Delta with which this was tested. */
  static final String TESTED = "4.4.0";

  private OtherDelta() {}

  static JobRefusedException refused(String table, LinkageError lacking) {
    return JobRefusedException.unsafe(
        Finding.error(
            FindingCode.NOT_AVAILABLE,
            table,
            "this Spark has no Delta %s or one like it: %s".formatted(TESTED, lacking.getMessage()),
            "run the job with the runner local, or on a Spark with that Delta"));
  }
}
