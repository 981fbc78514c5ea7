package org.streammigrator.migration;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.streammigrator.finding.Exactness;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.finding.Severity;
import org.streammigrator.plan.Strategy;
import org.streammigrator.plan.StreamPlan;

/**
 * Findings that a user takes knowingly, and what a migration may then still be called.
 *
 * @param onCommandLine the codes accepted on the command line, besides those in the plan
 */
record AcceptedFindings(Set<FindingCode> onCommandLine) {

  /**
   * The findings that a user may take knowingly, and what is then the best that the migration can
   * be called; every other error stays one. A new id (METADATA_MISSING) moves no position.
   */
  private static final Map<FindingCode, Exactness> ACCEPTABLE =
      Map.ofEntries(
          Map.entry(FindingCode.PENDING_BATCH, Exactness.OVERLAP),
          Map.entry(FindingCode.STATE_DROPPED, Exactness.LOSS),
          Map.entry(FindingCode.REPLAY_INEXACT, Exactness.UNKNOWN),
          Map.entry(FindingCode.REPLAY_RANGE_GONE, Exactness.LOSS),
          Map.entry(FindingCode.REPLAY_NOT_VERIFIED, Exactness.UNKNOWN),
          Map.entry(FindingCode.FILE_CHANGED_IN_PLACE, Exactness.UNKNOWN),
          Map.entry(FindingCode.METADATA_MISSING, Exactness.EXACT),
          Map.entry(FindingCode.SINK_BEHIND, Exactness.LOSS),
          Map.entry(FindingCode.SINK_ROWS_REPEATED, Exactness.OVERLAP),
          Map.entry(FindingCode.DELTA_VERSION_MISSING, Exactness.LOSS),
          Map.entry(FindingCode.KAFKA_RETENTION_LOSS, Exactness.LOSS),
          Map.entry(FindingCode.STATE_PARTITION_MISMATCH, Exactness.UNKNOWN));

  static boolean isAcceptable(FindingCode code) {
    return ACCEPTABLE.containsKey(code);
  }

  AcceptedFindings {
    onCommandLine = Set.copyOf(onCommandLine);
  }

  /** The findings, with those that are taken as warnings. */
  List<Finding> settle(StreamPlan stream, List<Finding> findings) {
    List<Finding> settled = new ArrayList<>();
    for (Finding finding : findings) {
      settled.add(taken(stream, finding) ? accepted(finding) : finding);
    }
    return settled;
  }

  private boolean taken(StreamPlan stream, Finding finding) {
    // A seed without an id would have no metadata; identity: new gives it one, and a rewind, too.
    boolean needed =
        finding.code() == FindingCode.METADATA_MISSING
            && (stream.strategy().seeds() || stream.strategy() == Strategy.REWIND);
    return finding.severity() == Severity.ERROR
        && ACCEPTABLE.containsKey(finding.code())
        && !needed
        && (onCommandLine.contains(finding.code()) || stream.accept().contains(finding.code()));
  }

  /** The best that may still be said of a stream, with what its user took knowingly. */
  Exactness bestLabel(StreamPlan stream, List<Finding> findings) {
    return Exactness.worst(
        findings.stream()
            .filter(finding -> taken(stream, finding))
            .map(finding -> ACCEPTABLE.get(finding.code()))
            .toList());
  }

  private static Finding accepted(Finding finding) {
    return Finding.warning(
        finding.code(), finding.subject(), finding.message() + " (accepted)", finding.remedy());
  }
}
