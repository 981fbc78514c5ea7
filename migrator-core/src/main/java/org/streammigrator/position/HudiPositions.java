package org.streammigrator.position;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.streammigrator.checkpoint.source.HudiOffset;
import org.streammigrator.finding.Exactness;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;

/**
 * Positions of Hudi sources. A batch reads the instants after its start up to and including its end
 * ({@code HoodieStreamSourceV2.getBatch}: {@code RangeType.OPEN_CLOSED}), and {@code
 * hoodie.datasource.streaming.startOffset} becomes such a start as it is ({@code
 * HoodieSpecifiedOffsetRangeLimit}): the last consumed instant is copied unchanged.
 */
final class HudiPositions {
  private static final String OPTION = "hoodie.datasource.streaming.startOffset";

  private HudiPositions() {}

  static SourcePosition of(RecordedSource source, HudiOffset offset) {
    if (!offset.plain()) {
      return source.notExpressible(
          offset,
          "instant " + offset.instant() + ", perhaps in part",
          "the offset says more than an instant, and no reader option does",
          List.of(
              Finding.warning(
                  FindingCode.INEXACT_POSITION,
                  source.subject(),
                  "the offset has fields besides the instant that Apache Hudi does not write",
                  "use strategy seed or relocate")));
    }
    if (offset.beforeFirstInstant()) {
      return source.at(
          offset,
          Exactness.EXACT,
          Map.of(OPTION, "earliest"),
          "nothing",
          "the position is the beginning of the timeline, which the option calls earliest",
          List.of());
    }
    List<Finding> findings = new ArrayList<>();
    Exactness exactness = Exactness.EXACT;
    String earliest = source.facts().hudiEarliestInstants().get(source.id());
    if (earliest != null && offset.instant().compareTo(earliest) < 0) {
      exactness = Exactness.LOSS;
      findings.add(
          Finding.error(
              FindingCode.SNAPSHOT_EXPIRED,
              source.subject(),
              "the table's timeline begins at instant "
                  + earliest
                  + ", and the query has read up to "
                  + offset.instant()
                  + ": what commits after "
                  + offset.instant()
                  + " and before "
                  + earliest
                  + " wrote cannot be read incrementally any more",
              "read the table in full and MERGE, or find in the archived timeline that there was no"
                  + " commit between the two"));
    }
    return source.at(
        offset,
        exactness,
        Map.of(OPTION, offset.instant()),
        "instant " + offset.instant(),
        "the recorded instant is the last one read and the option is exclusive, so it is copied"
            + " unchanged. It counts the begin of commits up to table version 6 and their completion"
            + " from 8 on: read with the same hoodie.datasource.read.streaming.table.version",
        findings);
  }
}
