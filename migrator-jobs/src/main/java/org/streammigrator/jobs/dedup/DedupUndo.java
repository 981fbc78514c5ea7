package org.streammigrator.jobs.dedup;

import java.util.List;
import org.streammigrator.job.DedupResult;
import org.streammigrator.job.DedupSpec;
import org.streammigrator.jobs.lake.LakeTable;

/**
 * Puts back what a run removed: exactly those rows are read as they were before it, and appended in
 * one commit. So whatever came later stays, and a stream that reads the table sees new rows and no
 * files that vanish, as it would after a RESTORE.
 */
final class DedupUndo {
  private static final String ID = "migrator-dedup-undo-";

  private DedupUndo() {}

  static DedupResult undone(LakeTable table, DedupSpec spec, DedupJob.Took took) {
    long undone = spec.undo().version();
    String id = ID + undone;
    long version = table.version();
    if (table.recorded(id) >= 0) {
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
