package org.streammigrator.position;

import java.util.List;
import java.util.Map;
import org.streammigrator.checkpoint.source.PaimonOffset;
import org.streammigrator.finding.Exactness;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;

/**
 * Positions of Paimon sources ({@code PaimonMicroBatchStream.scala}, {@code StreamHelper.inRange}).
 * {@code scan.snapshot-id} with {@code scan.mode} from-snapshot begins with the first split of what
 * that snapshot added ({@code ContinuousFromSnapshotStartingScanner}); nothing says a later split.
 */
final class PaimonPositions {
  private PaimonPositions() {}

  static SourcePosition of(RecordedSource source, PaimonOffset offset) {
    Map<String, String> options =
        Map.of(
            "scan.mode", "from-snapshot", "scan.snapshot-id", Long.toString(offset.snapshotId()));
    if (offset.scanSnapshot()) {
      return source.notExpressible(
          offset,
          offset.index() < 0
              ? "nothing"
              : "splits 0.."
                  + offset.index()
                  + " of all that snapshot "
                  + offset.snapshotId()
                  + " holds",
          "no reader option says \"the rest of a snapshot\"; only a seeded checkpoint does",
          List.of(inside(source, offset, "the query was still reading all of it")));
    }
    if (offset.index() < 0) {
      return source.at(
          offset,
          Exactness.EXACT,
          options,
          offset.snapshotId() <= 1 ? "nothing" : "snapshot " + (offset.snapshotId() - 1),
          "nothing of snapshot " + offset.snapshotId() + " is read yet, and reading begins with it",
          List.of());
    }
    return source.at(
        offset,
        Exactness.OVERLAP,
        options,
        "split " + offset.index() + " of snapshot " + offset.snapshotId(),
        "a reader option cannot point inside a snapshot; this one reads "
            + (offset.index() + 1)
            + " splits of it again. Only a seeded checkpoint is exact",
        List.of(
            inside(
                source,
                offset,
                "splits 0.."
                    + offset.index()
                    + " of it are done, and whether it has more is not recorded")));
  }

  private static Finding inside(RecordedSource source, PaimonOffset offset, String state) {
    return Finding.warning(
        FindingCode.INEXACT_POSITION,
        source.subject(),
        "the position is inside snapshot " + offset.snapshotId() + ": " + state,
        "use strategy seed or relocate, or start at the snapshot and MERGE the overlap away");
  }
}
