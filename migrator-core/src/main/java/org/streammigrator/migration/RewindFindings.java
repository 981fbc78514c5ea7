package org.streammigrator.migration;

import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.plan.SinkPlan;

/** What is to be said of sinks that do not have what a rewind goes on from. */
final class RewindFindings {
  private RewindFindings() {}

  /** A sink that lacks what a rewind does not write again. */
  static Finding behind(SinkPlan sink, long last, long batch) {
    return Finding.error(
        FindingCode.SINK_BEHIND,
        sink.address().text(),
        "it ends at batch "
            + last
            + ", so that it lacks what the batches "
            + (last + 1)
            + ".."
            + batch
            + " wrote, which a rewind to batch "
            + batch
            + " does not write again",
        "go back to batch " + last + " if that is retained");
  }

  /** A sink where nothing is. */
  static Finding notFound(SinkPlan sink, boolean isKept, long batch) {
    return isKept
        ? Finding.error(
            FindingCode.SINK_NOT_FOUND,
            sink.address().text(),
            "the query goes on into this sink, and nothing is there",
            "check `sink`; for another sink say identity: new")
        : Finding.info(
            FindingCode.SINK_NOT_FOUND,
            sink.address().text(),
            "nothing is there yet: the new sink begins with batch " + (batch + 1),
            "nothing to do if that is what you want");
  }
}
