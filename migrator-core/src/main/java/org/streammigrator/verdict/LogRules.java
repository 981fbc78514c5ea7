package org.streammigrator.verdict;

import static org.streammigrator.finding.FindingCode.COMMIT_WITHOUT_OFFSETS;
import static org.streammigrator.finding.FindingCode.LOG_VERSION_UNSUPPORTED;
import static org.streammigrator.finding.FindingCode.METADATA_MISSING;
import static org.streammigrator.finding.FindingCode.NO_COMMITTED_BATCH;
import static org.streammigrator.finding.FindingCode.OFFSETS_CORRUPT;
import static org.streammigrator.finding.FindingCode.OFFSETS_EMPTY;
import static org.streammigrator.finding.FindingCode.TWO_WRITERS_SUSPECTED;
import static org.streammigrator.finding.FindingCode.UNREADABLE;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.checkpoint.CommitLog;
import org.streammigrator.checkpoint.LogFile;
import org.streammigrator.checkpoint.OffsetHeader;
import org.streammigrator.checkpoint.OffsetLog;
import org.streammigrator.checkpoint.QueryMetadata;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.storage.StoreEntry;

/**
 * Rules about {@code metadata}, {@code offsets/} and {@code commits/}, file by file. Origin:
 * Spark's {@code MicroBatchExecution.populateStartOffsets} and {@code HDFSMetadataLog}, and
 * restarts of damaged checkpoints under Spark 3.5, 4.0, 4.1 and 4.2.
 */
final class LogRules {
  private final Checkpoint checkpoint;
  private final Restart restart;

  private LogRules(Checkpoint checkpoint, Restart restart) {
    this.checkpoint = checkpoint;
    this.restart = restart;
  }

  static void check(Checkpoint checkpoint, Restart restart) {
    LogRules rules = new LogRules(checkpoint, restart);
    rules.metadata();
    NameRules.check(checkpoint, restart);
    if (checkpoint.lastPlanned().isEmpty()) {
      rules.nothingPlanned();
    } else if (ContinuousRules.apply(checkpoint)) {
      ContinuousRules.check(checkpoint, restart);
    } else {
      rules.newestPlan(checkpoint.lastPlanned().getAsLong());
      LineRules.check(checkpoint, restart);
      BatchRules.check(checkpoint, restart);
    }
    rules.newestCommit();
  }

  private void metadata() {
    LogFile<QueryMetadata> metadata = checkpoint.metadata();
    boolean hasBatches =
        checkpoint.lastPlanned().isPresent() || checkpoint.commits().newest().isPresent();
    if (metadata instanceof LogFile.Damaged<QueryMetadata> damaged) {
      restart.stop(
          Finding.error(
              damaged.code(),
              "metadata",
              damaged.message() + "; every Spark version fails at start() with a JSON parse error",
              putIdBack()));
    } else if (metadata instanceof LogFile.Missing<QueryMetadata> && hasBatches) {
      restart.stop(
          Finding.error(
              METADATA_MISSING,
              "metadata",
              "the file with the query id is missing: Spark 4.2 stops with"
                  + " STREAMING_CHECKPOINT_MISSING_METADATA_FILE; up to 4.1 Spark makes up a new id"
                  + " without a word, and a sink that remembers batches by the id takes a rerun batch"
                  + " for a new one",
              putIdBack()),
          List.of("4.2"));
    }
  }

  private String putIdBack() {
    String pending =
        checkpoint.pending().isEmpty()
            ? ""
            : "; without it batch " + checkpoint.pending().last() + " may be in the sink twice";
    return "put back {\"id\":\"...\"} with the ORIGINAL id: it stands in an archive's manifest, in"
        + " the Delta sink's history (StreamingUpdate.queryId) and in the query's listener events"
        + " and logs"
        + pending;
  }

  private void nothingPlanned() {
    boolean unreadable =
        checkpoint
            .entry("offsets")
            .filter(file -> file.kind() == StoreEntry.Kind.OTHER)
            .isPresent();
    if (unreadable) {
      return;
    }
    if (checkpoint.commits().newest().isPresent()) {
      restart.stop(
          Finding.error(
              COMMIT_WITHOUT_OFFSETS,
              "offsets",
              "offsets/ holds no batch and commits/ does (up to batch "
                  + checkpoint.commits().newest().getAsLong()
                  + "): Spark 3.5 and 4.0 run batch 0 again and then stop with"
                  + " CONCURRENT_STREAM_LOG_UPDATE, 4.1 stops with"
                  + " STATE_STORE_CHECKPOINT_LOCATION_NOT_EMPTY, 4.2 with \"assertion failed\"",
              "restore offsets/ from a copy; the position stands nowhere else. Without a copy start a"
                  + " new checkpoint and compare with the sink"));
      return;
    }
    boolean hasState = !checkpoint.filesBelow("state").isEmpty();
    if (hasState) {
      restart.stop(
          Finding.error(
              NO_COMMITTED_BATCH,
              "state",
              "no batch is planned and state/ is not empty: Spark from 4.1 on stops with"
                  + " STATE_STORE_CHECKPOINT_LOCATION_NOT_EMPTY, older ones start at batch 0 on top of"
                  + " old state",
              "restore offsets/ and commits/ from a copy, or start a new checkpoint"),
          List.of("4.1", "4.2"));
    } else {
      restart.note(
          Finding.warning(
              NO_COMMITTED_BATCH,
              "offsets",
              "no batch is planned: a start begins with batch 0, where the sources' own starting"
                  + " options say",
              "nothing to move; start the new query as this one was to be started"));
    }
  }

  private void newestPlan(long newest) {
    plan(newest, "newest");
    if (newest > 0) {
      plan(newest - 1, "second newest");
    }
    Optional<OffsetLog> plan = checkpoint.plannedOffsets();
    if (plan.isEmpty()) {
      return;
    }
    String path = checkpoint.offsets().path(newest);
    if (plan.get().header().isEmpty()) {
      restart.stop(
          Finding.error(
              OFFSETS_CORRUPT,
              path,
              "line 2 is blank; every Spark version from 2.2 on fails with a NullPointerException on"
                  + " watermarkTracker",
              "put the JSON line back, for example from "
                  + checkpoint.offsets().path(newest - 1)
                  + "; positions can be read all the same"));
    }
    if (plan.get().version() == 2) {
      restart.stop(
          Finding.info(
              LOG_VERSION_UNSUPPORTED,
              path,
              "the offset log has version v2, which Spark reads from 4.2 on; older ones stop with"
                  + " INVALID_LOG_VERSION",
              "restart it with Spark 4.2 or newer"),
          List.of("3.5", "4.0", "4.1"));
    }
    Optional<OffsetLog> before = checkpoint.offsets().file(newest - 1).readable();
    if (before.isPresent()) {
      compare(newest, plan.get(), before.get());
    }
  }

  private void plan(long batch, String which) {
    LogFile<OffsetLog> file = checkpoint.offsets().file(batch);
    String path = checkpoint.offsets().path(batch);
    if (!(file instanceof LogFile.Damaged<OffsetLog> damaged)) {
      return;
    }
    OptionalLong committed = checkpoint.lastCommitted();
    String position =
        committed.isPresent() && committed.getAsLong() < batch
            ? "; the position is the end of batch " + committed.getAsLong()
            : "";
    restart.stop(
        Finding.error(
            damaged.code(),
            path,
            damaged.message()
                + ". It is the "
                + which
                + " plan, which every start reads: "
                + sparkSays(damaged.code())
                + position,
            damaged.code() == UNREADABLE
                ? "give this user access to it, or " + restore(path)
                : which.equals("newest") ? BatchRules.withoutNewest(checkpoint) : restore(path)));
  }

  private static String restore(String path) {
    return "restore " + path + " from a copy, or start a new checkpoint at the position";
  }

  private static String sparkSays(FindingCode code) {
    if (code == OFFSETS_EMPTY) {
      return "\"Failed to read log file … Incomplete log file\"";
    }
    if (code == UNREADABLE) {
      return "the exception of the file system";
    }
    return code == LOG_VERSION_UNSUPPORTED
        ? "INVALID_LOG_VERSION.MAX_SUPPORTED_VERSION"
        : "a parse error (\"next on empty iterator\", MALFORMED_LOG_FILE or a JSON exception)";
  }

  private void compare(long newest, OffsetLog plan, OffsetLog before) {
    if (plan.version() == 1
        && before.version() == 1
        && plan.sources().size() != before.sources().size()) {
      restart.stop(
          Finding.error(
              OFFSETS_CORRUPT,
              checkpoint.offsets().path(newest),
              "it has "
                  + plan.sources().size()
                  + " source lines and the plan before it "
                  + before.sources().size()
                  + ": whatever the query has, one of the two fails with \"There are [x] sources in"
                  + " the checkpoint offsets and now there are [y] sources\"",
              "put the missing line back (- for a source without an offset) or restore the file"));
    }
    Optional<OffsetHeader> now = plan.header();
    Optional<OffsetHeader> then = before.header();
    if (now.isPresent()
        && then.isPresent()
        && now.get().batchTimestampMs() < then.get().batchTimestampMs()) {
      restart.note(
          Finding.warning(
              TWO_WRITERS_SUSPECTED,
              checkpoint.offsets().path(newest),
              "batch "
                  + newest
                  + " was planned "
                  + (then.get().batchTimestampMs() - now.get().batchTimestampMs())
                  + " ms before batch "
                  + (newest - 1)
                  + " by their own timestamps: two runs may share this checkpoint"
                  + " (CONCURRENT_STREAM_LOG_UPDATE)",
              "make sure that one run at most is active (max_concurrent_runs = 1) before you copy or"
                  + " reset anything"));
    }
  }

  private void newestCommit() {
    OptionalLong newest = checkpoint.commits().newest();
    if (newest.isEmpty()) {
      return;
    }
    String path = checkpoint.commits().path(newest.getAsLong());
    LogFile<CommitLog> file = checkpoint.commits().file(newest.getAsLong());
    if (file instanceof LogFile.Damaged<CommitLog> damaged) {
      restart.stop(
          Finding.error(
              damaged.code(),
              path,
              damaged.message()
                  + ". It is the newest commit, which every start reads; Spark stops with \"Failed to"
                  + " read log file\" or a parse error",
              "write it anew with its two lines (v1, {\"nextBatchWatermarkMs\":n}) if the batch is in"
                  + " the sink, or set it aside: Spark then runs batch "
                  + newest.getAsLong()
                  + " again"));
    } else if (file instanceof LogFile.Readable<CommitLog> commit) {
      LineRules.commit(path, commit.value(), restart);
      version(path, commit.value());
    }
  }

  private void version(String path, CommitLog commit) {
    if (commit.version() == 2) {
      restart.stop(
          Finding.info(
              FindingCode.STATE_FORMAT_V2,
              path,
              "the commit log has version v2: state checkpoint format 2 (Spark 4.0 and later), whose"
                  + " state files carry ids that stand in commits/. Going back to format 1 is not"
                  + " supported",
              "keep spark.sql.streaming.stateStore.checkpointFormatVersion=2 in the session"),
          List.of("3.5"));
    } else if (commit.version() == 3 && commit.activeSinks() != 1) {
      restart.stop(
          Finding.error(
              FindingCode.COMMIT_CORRUPT,
              path,
              "the commit log has version v3 and names "
                  + commit.activeSinks()
                  + " active sinks in \"sinkMetadataMap\"; Spark 4.2 wants exactly one, and older"
                  + " versions do not read v3 at all",
              "restore it from a copy, or set it aside: Spark then runs the batch again"));
    } else if (commit.version() == 3) {
      restart.stop(
          Finding.info(
              LOG_VERSION_UNSUPPORTED,
              path,
              "the commit log has version v3, which Spark reads from 4.2 on; older ones stop with"
                  + " INVALID_LOG_VERSION",
              "restart it with Spark 4.2 or newer"),
          List.of("3.5", "4.0", "4.1"));
    }
  }
}
