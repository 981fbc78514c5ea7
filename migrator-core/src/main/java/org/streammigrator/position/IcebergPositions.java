package org.streammigrator.position;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.streammigrator.checkpoint.source.IcebergOffset;
import org.streammigrator.finding.Exactness;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;

/**
 * Positions of Iceberg sources ({@code SparkMicroBatchStream.java}): the only starting option is a
 * time ({@code stream-from-timestamp}), which names neither a snapshot nor a place within one.
 */
final class IcebergPositions {
  private static final int MOST_SHOWN = 20;

  private IcebergPositions() {}

  static SourcePosition of(RecordedSource source, IcebergOffset offset) {
    String explanation =
        "no reader option names a snapshot and a place in it: stream-from-timestamp is a time, and"
            + " it is looked at on a restart, too, so leave it out there. Only a seeded checkpoint is"
            + " exact";
    List<Long> known = source.facts().icebergSnapshots().get(source.id());
    if (offset.snapshotId() == IcebergOffset.BEFORE_FIRST_SNAPSHOT) {
      return source.notExpressible(
          offset,
          "nothing (the position is before the table's first snapshot)",
          explanation,
          List.of(source.inexact()));
    }
    if (known != null && !known.contains(offset.snapshotId())) {
      return source.at(
          offset,
          Exactness.LOSS,
          Map.of(),
          consumed(offset),
          "the snapshot that the position stands in is gone, and with it what would lead from there"
              + " to those that are left",
          List.of(
              Finding.error(
                  FindingCode.SNAPSHOT_EXPIRED,
                  source.subject(),
                  "the snapshot "
                      + offset.snapshotId()
                      + " is not in the table any more ("
                      + known(known)
                      + "); the query stops with \"Cannot load current offset\", and what was added"
                      + " between it and the oldest snapshot that is left cannot be told",
                  "start a new checkpoint at the oldest snapshot that descends from it, with a MERGE"
                      + " at the sink, or read the table in full")));
    }
    return source.notExpressible(offset, consumed(offset), explanation, List.of(source.inexact()));
  }

  private static String known(List<Long> snapshots) {
    return snapshots.isEmpty()
        ? "it has none"
        : "it has "
            + snapshots.stream()
                .limit(MOST_SHOWN)
                .map(String::valueOf)
                .collect(Collectors.joining(", "))
            + (snapshots.size() > MOST_SHOWN
                ? " and " + (snapshots.size() - MOST_SHOWN) + " more"
                : "");
  }

  private static String consumed(IcebergOffset offset) {
    return "the first "
        + offset.position()
        + (offset.scanAllFiles() ? " of all files of snapshot " : " files added by snapshot ")
        + offset.snapshotId();
  }
}
