package org.streammigrator.jobs.dedup;

import java.util.List;
import java.util.OptionalLong;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.job.DedupResult;
import org.streammigrator.job.DedupSpec;
import org.streammigrator.jobs.lake.LakeTable;

/**
 * Puts back what a run removed: exactly those rows are read as they were before it, and appended in
 * one commit. So whatever came later stays, and a stream that reads the table sees new rows and no
 * files that vanish, as it would after a RESTORE.
 */
final class DedupUndo {
  private static final String ID = "migrator-undo-";

  private DedupUndo() {}

  /** Under which the table records that a version is undone. */
  static String id(long version) {
    return ID + version;
  }

  static DedupResult undone(LakeTable table, DedupSpec spec, DedupJob.Took took) {
    long undone = spec.undo().version();
    String id = id(undone);
    long version = table.version();
    boolean isUndone = table.recorded(id) >= 0;
    requireNotRestored(
        table,
        isUndone ? table.done(id).map(LakeTable.Done::version).orElse(version) : undone,
        spec);
    if (isUndone) {
      return result(
          "unchanged",
          "version %d is undone already".formatted(undone),
          0,
          0,
          version,
          version,
          took);
    }
    LakeTable.Removed removed = table.removed(undone);
    long rows = removed.rows().count();
    if (spec.dryRun()) {
      return result("dry-run", "nothing was written", rows, 0, version, version, took);
    }
    RunNote note = new RunNote(RunNote.UNDO, id, 0, 0, rows, 0, version);
    LakeTable.Commit commit = table.restore(removed, new LakeTable.Mark(id, version, note.json()));
    return result(
        "undone",
        "%d rows are back".formatted(rows),
        rows,
        commit.bytes(),
        version,
        commit.version(),
        took);
  }

  /** After a RESTORE the rows may be there, or be gone although the table remembers the undo. */
  private static void requireNotRestored(LakeTable table, long made, DedupSpec spec) {
    OptionalLong restored = table.restoredSince(made);
    if (restored.isPresent()) {
      throw DedupJob.refused(
          FindingCode.TXN_APP_ID_REUSED,
          spec,
          "version %d restored the table to before version %d, or may have"
              .formatted(restored.getAsLong(), made),
          "look whether the rows of version %d are there; if not, restore them from an earlier version"
              .formatted(spec.undo().version()));
    }
  }

  private static DedupResult result(
      String status,
      String message,
      long rows,
      long bytes,
      long before,
      long after,
      DedupJob.Took took) {
    return new DedupResult(
        true, status, message, 0, 0, rows, 0, 0, bytes, before, after, List.of(), took.ms());
  }
}
