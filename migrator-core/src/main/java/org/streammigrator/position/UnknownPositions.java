package org.streammigrator.position;

import java.util.List;
import java.util.stream.Collectors;
import org.streammigrator.checkpoint.source.SourceKind;
import org.streammigrator.checkpoint.source.SourceOffset;
import org.streammigrator.checkpoint.source.SourceOffsets;
import org.streammigrator.checkpoint.source.UnknownOffset;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;

/** Positions that are not told by what is recorded. */
final class UnknownPositions {
  private UnknownPositions() {}

  static SourcePosition nothingDelivered(RecordedSource source, SourceOffset offset) {
    return source.unknown(
        offset,
        "nothing",
        "this source has delivered nothing yet: start it as it was started first",
        List.of(
            Finding.info(
                FindingCode.SOURCE_HAS_NO_OFFSET,
                source.subject(),
                "the log has - for this source: it has delivered nothing yet",
                "start it from its own default")));
  }

  static SourcePosition of(RecordedSource source, UnknownOffset offset) {
    List<SourceKind> readings = SourceOffsets.readings(offset.raw());
    String candidates = readings.stream().map(SourceKind::label).collect(Collectors.joining(", "));
    String message;
    if (source.told()) {
      message = "the offset is none that a source of the kind that you named writes";
    } else if (readings.isEmpty()) {
      message = "the offset is of no kind that this program knows";
    } else {
      message =
          "several sources write such an offset ("
              + candidates
              + ", and others), each with another meaning";
    }
    return source.unknown(
        offset,
        "unknown",
        "only the source's own connector knows what this text means; it is never guessed",
        List.of(
            Finding.warning(
                FindingCode.SOURCE_UNKNOWN,
                source.subject(),
                message,
                "archive and relocate still work; if you know the kind, say it with --source "
                    + source.id()
                    + "=KIND")));
  }
}
