package org.streammigrator.jobs.dedup;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.apache.spark.sql.SparkSession;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.job.DedupResult;
import org.streammigrator.job.DedupSpec;
import org.streammigrator.job.InvalidJobSpecException;
import org.streammigrator.job.JobJson;
import org.streammigrator.job.JobRefusedException;
import org.streammigrator.jobs.lake.LakeTable;

/**
 * Removes rows of a Delta table until every key has one row, in one commit that touches only files
 * with rows that go; or puts back what such a commit removed.
 *
 * <p>Everything is decided on one version of the table. At the commit every row that goes and every
 * row that stays for it is still where it was, or the job starts again on the newest version. What
 * a stream appends meanwhile is neither looked at nor touched.
 */
public final class DedupJob {
  /** How often the job starts again since others changed the files it looked at. */
  private static final int ATTEMPTS = 10;

  /** How often a commit is tried as long as the files are the same. */
  private static final int COMMITS = 100;

  private static final String ID = "migrator-dedup-";

  private DedupJob() {}

  /**
   * Runs the job.
   *
   * @throws InvalidJobSpecException if the table, a column or a version is not there
   * @throws JobRefusedException if it is not safe
   * @throws IOException if others changed the same files all the time; nothing was written
   */
  public static DedupResult run(SparkSession spark, DedupSpec spec) throws IOException {
    SparkSession session = spark.newSession();
    session.conf().set("spark.sql.session.timeZone", "UTC");
    // A row that cannot be read might be the one that stays.
    session.conf().set("spark.sql.files.ignoreMissingFiles", "false");
    session.conf().set("spark.sql.files.ignoreCorruptFiles", "false");
    SparkSession before = SparkSession.active();
    SparkSession.setActiveSession(session);
    try {
      return repeated(session, spec);
    } finally {
      SparkSession.setActiveSession(before);
    }
  }

  private static DedupResult repeated(SparkSession session, DedupSpec spec) throws IOException {
    long start = System.nanoTime();
    LakeTable.ConflictException last = null;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      try {
        LakeTable table = LakeTable.open(session, spec.table());
        Took took = () -> (System.nanoTime() - start) / 1_000_000;
        return spec.undo() == null
            ? removed(table, spec, took)
            : DedupUndo.undone(table, spec, took);
      } catch (LakeTable.ConflictException conflict) {
        last = conflict;
      }
    }
    throw new IOException(
        "other writers changed the same files %d times; nothing was written: run it again"
            .formatted(ATTEMPTS),
        last);
  }

  /** How long it took so far, in milliseconds. */
  @FunctionalInterface
  interface Took {
    long ms();
  }

  private static DedupResult removed(LakeTable table, DedupSpec spec, Took took) {
    DedupColumns columns = DedupColumns.of(spec, table.schema());
    String id = id(spec);
    if (spec.id() != null && table.recorded(id) >= 0) {
      Optional<LakeTable.Done> done = table.done(id);
      done.ifPresent(run -> requireStillDone(table, run.version(), spec));
      return done(done, took);
    }
    if (table.isAppendOnly()) {
      throw refused(
          FindingCode.TABLE_APPEND_ONLY,
          spec,
          "delta.appendOnly forbids to take rows away",
          "unset the property for the time of this job, if that is allowed");
    }
    DedupScope scope = DedupScope.of(spec.scope(), table);
    DuplicateSearch search = new DuplicateSearch(SparkSession.active(), spec, scope, columns);
    KeyScan scan = search.scan();
    if (scan.hasNullKeys() && !spec.nullIsValue()) {
      requireNoNulls(search.nullKeys(), spec);
    }
    Duplicates found = search.find(scan);
    requireChoice(found, spec);
    long version = table.version();
    if (found.keys() == 0) {
      return result("unchanged", "no key has two rows", found, 0, version, version, took);
    }
    if (spec.dryRun()) {
      return result(
          "dry-run", "nothing was written", found, estimate(table, found), version, version, took);
    }
    RunNote note =
        new RunNote(
            RunNote.JOB,
            id,
            found.keys(),
            found.tiedKeys(),
            found.rows().count(),
            found.rows().files().size(),
            version);
    LakeTable.Commit commit =
        committed(table, spec, found, new LakeTable.Mark(id, version, note.json()));
    return result(
        "done",
        "%d rows are gone".formatted(found.rows().count()),
        found,
        commit.bytes(),
        version,
        commit.version(),
        took);
  }

  /**
   * Commits, again if others did meanwhile: Delta takes what they add for a conflict in some
   * tables, which it is none as long as the files with the rows are the same.
   */
  private static LakeTable.Commit committed(
      LakeTable decided, DedupSpec spec, Duplicates found, LakeTable.Mark mark) {
    LakeTable table = decided;
    for (int attempt = 0; ; attempt++) {
      try {
        return table.remove(found.rows(), found.files(), mark);
      } catch (LakeTable.ConflictException conflict) {
        table = LakeTable.open(SparkSession.active(), spec.table());
        if (attempt == COMMITS
            || table.recorded(mark.id()) != decided.recorded(mark.id())
            || !table.holds(decided, found.files())) {
          throw conflict;
        }
      }
    }
  }

  /** The table remembers a run also when what it did has been taken back. */
  private static void requireStillDone(LakeTable table, long made, DedupSpec spec) {
    OptionalLong restored = table.restoredSince(made);
    boolean undone = table.recorded(DedupUndo.id(made)) >= 0;
    if (undone || restored.isPresent()) {
      throw refused(
          FindingCode.TXN_APP_ID_REUSED,
          spec,
          "a run with the id %s made version %d, but ".formatted(spec.id(), made)
              + (undone
                  ? "it was undone since"
                  : "version %d restored the table since".formatted(restored.getAsLong())),
          "give another id to remove duplicates again");
    }
  }

  /** What an earlier run with the same id did, as far as the log tells. */
  private static DedupResult done(Optional<LakeTable.Done> done, Took took) {
    Optional<RunNote> note = done.flatMap(commit -> RunNote.read(commit.note()));
    return new DedupResult(
        true,
        "unchanged",
        "a run with this id has been; these are its numbers, as far as the log tells",
        note.map(RunNote::keys).orElse(0L),
        note.map(RunNote::rows).orElse(0L),
        null,
        note.map(RunNote::tiedKeys).orElse(0L),
        note.map(RunNote::files).orElse(0L),
        0,
        note.map(RunNote::versionBefore).orElse(null),
        done.map(LakeTable.Done::version).orElse(null),
        List.of(),
        took.ms());
  }

  private static void requireNoNulls(DuplicateSearch.NullKeys nulls, DedupSpec spec) {
    if (nulls.count() > 0) {
      throw refused(
          FindingCode.NULL_KEYS,
          spec,
          "%d rows have a null in their key, such as %s"
              .formatted(nulls.count(), String.join(", ", nulls.sample())),
          "say nullKeys: value if null is a value that is equal to itself, or leave these rows out"
              + " by a predicate");
    }
  }

  private static void requireChoice(Duplicates found, DedupSpec spec) {
    if (spec.order().isEmpty() && spec.keep() == null && found.tiedKeys() > 0) {
      throw refused(
          FindingCode.ROWS_DIFFER,
          spec,
          "%d keys have rows that differ, such as %s, and nothing says which of them is right"
              .formatted(found.tiedKeys(), found.sample().get(0).key()),
          "name the columns that decide as order, or say keep: first to take the one with the"
              + " smallest values");
    }
  }

  static JobRefusedException refused(
      FindingCode code, DedupSpec spec, String message, String remedy) {
    return JobRefusedException.unsafe(Finding.error(code, spec.table(), message, remedy));
  }

  private static long estimate(LakeTable table, Duplicates found) {
    if (table.hasDeletionVectors()) {
      return found.rows().bytes();
    }
    Map<String, Long> files = table.files();
    return found.rows().files().stream().mapToLong(files::get).sum();
  }

  /** Of a run that has no name one that says what it does, whatever the machine and the day. */
  private static String id(DedupSpec spec) {
    if (spec.id() != null) {
      return ID + spec.id();
    }
    DedupSpec nameless =
        new DedupSpec(
            spec.table(),
            spec.keys(),
            spec.order(),
            spec.scope(),
            spec.keep(),
            spec.nullKeys(),
            null,
            null,
            null,
            null);
    return ID + UUID.nameUUIDFromBytes(JobJson.write(nameless).getBytes(StandardCharsets.UTF_8));
  }

  private static DedupResult result(
      String status,
      String message,
      Duplicates found,
      long bytes,
      Long before,
      Long after,
      Took took) {
    return new DedupResult(
        true,
        status,
        message,
        found.keys(),
        found.rows().count(),
        null,
        found.tiedKeys(),
        found.rows().files().size(),
        bytes,
        before,
        after,
        found.sample(),
        took.ms());
  }
}
