package org.streammigrator.position;

import java.util.List;
import org.streammigrator.checkpoint.source.LastIndexOffset;
import org.streammigrator.checkpoint.source.RateMicroBatchOffset;
import org.streammigrator.checkpoint.source.RateOffset;
import org.streammigrator.checkpoint.source.SourceKind;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;

/**
 * Positions of Spark's sources for tests: {@code RateStreamMicroBatchStream}, {@code
 * RatePerMicroBatchStream}, {@code TextSocketMicroBatchStream} and {@code MemoryStream}.
 */
final class GeneratedPositions {
  private GeneratedPositions() {}

  static SourcePosition of(RecordedSource source, RateOffset offset) {
    return source.notExpressible(
        offset,
        offset.seconds() == 0 ? "nothing" : "second " + (offset.seconds() - 1),
        "the rate source has no starting option; seed or relocate carries its position",
        List.of(source.inexact()));
  }

  static SourcePosition of(RecordedSource source, RateMicroBatchOffset offset) {
    return source.notExpressible(
        offset,
        offset.offset() == 0 ? "nothing" : "row " + (offset.offset() - 1),
        "the rate-micro-batch source has no starting row option (startTimestamp sets the time of row"
            + " 0); seed or relocate carries its position",
        List.of(source.inexact()));
  }

  static SourcePosition of(RecordedSource source, LastIndexOffset offset) {
    String unit = offset.kind() == SourceKind.SOCKET ? "line " : "batch of added rows ";
    return source.notExpressible(
        offset,
        offset.last() < 0 ? "nothing" : unit + offset.last(),
        "what this source has taken in lies in the driver's memory only: after a restart there is"
            + " nothing behind the recorded number, and counting begins again",
        List.of(
            Finding.warning(
                FindingCode.INEXACT_POSITION,
                source.subject(),
                "the "
                    + offset.kind().label()
                    + " source cannot be read again after a restart, from any position",
                "use a source that keeps its data")));
  }
}
