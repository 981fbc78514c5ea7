package org.streammigrator.position;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.streammigrator.checkpoint.SourceDirectory;
import org.streammigrator.checkpoint.source.SourceOffset;
import org.streammigrator.facts.Facts;
import org.streammigrator.finding.Exactness;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;

/**
 * What the rules of positions look at besides an offset.
 *
 * @param id the source's position or name in the log
 * @param directory what the source keeps for itself
 * @param told whether the user said what kind of source it is
 * @param initial whether the offset is where the first batch starts, and no batch's end
 * @param facts what is known of the world
 * @param batchTimestampMs when the offset's batch was planned, milliseconds since the epoch
 */
record RecordedSource(
    String id,
    SourceDirectory directory,
    boolean told,
    boolean initial,
    Facts facts,
    OptionalLong batchTimestampMs) {
  RecordedSource {
    requireNonNull(id, "id");
    requireNonNull(directory, "directory");
    requireNonNull(facts, "facts");
    requireNonNull(batchTimestampMs, "batchTimestampMs");
  }

  /** The subject of findings. */
  String subject() {
    return "source " + id;
  }

  /** Says that no option can say the position. */
  Finding inexact() {
    return Finding.warning(
        FindingCode.INEXACT_POSITION,
        subject(),
        "no reader option can say this position",
        "use strategy seed or relocate");
  }

  /** A position that options can say. */
  SourcePosition at(
      SourceOffset offset,
      Exactness exactness,
      Map<String, String> options,
      String consumed,
      String explanation,
      List<Finding> findings) {
    return new SourcePosition(
        id, offset.kind(), exactness, options, consumed, offset.json(), explanation, findings);
  }

  /** A position that no option can say. */
  SourcePosition notExpressible(
      SourceOffset offset, String consumed, String explanation, List<Finding> findings) {
    return at(offset, Exactness.NOT_EXPRESSIBLE, Map.of(), consumed, explanation, findings);
  }

  /** A position that nobody can tell. */
  SourcePosition unknown(
      SourceOffset offset, String consumed, String explanation, List<Finding> findings) {
    return at(offset, Exactness.UNKNOWN, Map.of(), consumed, explanation, findings);
  }
}
