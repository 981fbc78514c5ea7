package org.streammigrator.verdict;

import static org.streammigrator.checkpoint.OffsetLog.SourceLine.NONE;
import static org.streammigrator.finding.FindingCode.COMMIT_CORRUPT;
import static org.streammigrator.finding.FindingCode.DELTA_TABLE_REPLACED;
import static org.streammigrator.finding.FindingCode.LOG_VERSION_UNSUPPORTED;
import static org.streammigrator.finding.FindingCode.OFFSETS_CORRUPT;

import java.util.Optional;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.checkpoint.CommitLog;
import org.streammigrator.checkpoint.OffsetHeader;
import org.streammigrator.checkpoint.OffsetLog;
import org.streammigrator.checkpoint.OffsetLog.SourceLine;
import org.streammigrator.checkpoint.source.DeltaOffset;
import org.streammigrator.checkpoint.source.SourceOffsets;
import org.streammigrator.finding.Finding;

/**
 * Rules about single lines of the two plans that a start reads, and of the newest commit. Sources
 * parse their lines strictly; Spark's own lines are read by json4s, which takes nearly everything.
 */
final class LineRules {
  private final Checkpoint checkpoint;
  private final Restart restart;

  private LineRules(Checkpoint checkpoint, Restart restart) {
    this.checkpoint = checkpoint;
    this.restart = restart;
  }

  static void check(Checkpoint checkpoint, Restart restart) {
    LineRules rules = new LineRules(checkpoint, restart);
    long newest = checkpoint.lastPlanned().orElseThrow();
    String path = checkpoint.offsets().path(newest);
    Optional<OffsetLog> plan = checkpoint.offsets().file(newest).readable();
    Optional<OffsetLog> before = checkpoint.offsets().file(newest - 1).readable();
    plan.flatMap(OffsetLog::header).ifPresent(header -> rules.header(path, header));
    plan.ifPresent(log -> rules.lines(path, log));
    before.ifPresent(log -> rules.lines(checkpoint.offsets().path(newest - 1), log));
    if (plan.isPresent() && before.isPresent()) {
      rules.compare(path, plan.get(), before.get());
    }
  }

  /** What is odd about a commit that Spark can read. */
  static void commit(String path, CommitLog commit, Restart restart) {
    if (!commit.isAsSparkWritesIt()) {
      restart.note(
          Finding.error(
              COMMIT_CORRUPT,
              path,
              "its line 2 is not as Spark writes it; Spark reads it all the same, and takes "
                  + commit.nextBatchWatermarkMs()
                  + " for the watermark of the next batch, in milliseconds",
              "restore it from a copy"));
    }
  }

  private void header(String path, OffsetHeader header) {
    if (!header.isAsSparkWritesIt()) {
      restart.note(
          Finding.error(
              OFFSETS_CORRUPT,
              path,
              "its line 2 is not as Spark writes it; Spark reads it all the same, takes "
                  + header.batchWatermarkMs()
                  + " for the watermark, in milliseconds, and "
                  + header.conf().size()
                  + " pinned settings",
              restore(path)));
    }
  }

  private void lines(String path, OffsetLog plan) {
    for (SourceLine line : plan.sources()) {
      if (!line.hasSourceId()) {
        restart.note(
            Finding.error(
                OFFSETS_CORRUPT,
                path,
                "no source is called \""
                    + line.id()
                    + "\": Spark passes over the line, and the source that it stood for starts at the"
                    + " plan before, or at its beginning",
                restore(path)));
      } else if (line.isBrokenJson()) {
        broken(path, line.id(), "begins as JSON and is cut off or edited");
      } else if (SourceOffsets.decode(line.raw(), Optional.empty()) instanceof DeltaOffset delta
          && !delta.readable()) {
        restart.stop(
            Finding.error(
                LOG_VERSION_UNSUPPORTED,
                path,
                "the offset of source "
                    + line.id()
                    + " has sourceVersion "
                    + delta.sourceVersion()
                    + ", and Delta knows 1 and "
                    + DeltaOffset.NEWEST_SOURCE_VERSION,
                "run the query with a Delta as new as the one that wrote it, or " + restore(path)));
      }
    }
  }

  private void compare(String path, OffsetLog plan, OffsetLog before) {
    for (SourceLine then : before.sources()) {
      Optional<SourceLine> now = plan.source(then.id());
      if (now.isEmpty() || then.raw().equals(NONE)) {
        continue;
      }
      if (now.get().raw().equals(NONE)) {
        restart.note(
            Finding.error(
                OFFSETS_CORRUPT,
                path,
                "source "
                    + then.id()
                    + " has no offset in it and one in the plan before: a restart reads the source"
                    + " from there on, so that what batch "
                    + checkpoint.lastPlanned().orElseThrow()
                    + " read comes twice",
                "restore the line from a copy"));
      } else if (otherTable(then, now.get())) {
        restart.stop(
            Finding.error(
                DELTA_TABLE_REPLACED,
                path,
                "source "
                    + then.id()
                    + " read another Delta table than in the plan before; a start compares both with"
                    + " the table that is there, and stops with"
                    + " DIFFERENT_DELTA_TABLE_READ_BY_STREAMING_SOURCE",
                restore(path)));
      } else if (now.get().breaksFormOf(then)) {
        broken(path, then.id(), "is of another form than in the plan before");
      }
    }
  }

  private static boolean otherTable(SourceLine then, SourceLine now) {
    return SourceOffsets.decode(then.raw(), Optional.empty()) instanceof DeltaOffset before
        && SourceOffsets.decode(now.raw(), Optional.empty()) instanceof DeltaOffset after
        && !before.tableId().equals(after.tableId());
  }

  private void broken(String path, String source, String how) {
    restart.stop(
        Finding.error(
            OFFSETS_CORRUPT,
            path,
            "the offset of source " + source + " " + how + "; the source stops with a parse error",
            restore(path)));
  }

  private static String restore(String path) {
    return "restore " + path + " from a copy, or start a new checkpoint at the position";
  }
}
