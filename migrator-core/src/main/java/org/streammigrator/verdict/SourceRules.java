package org.streammigrator.verdict;

import static org.streammigrator.finding.FindingCode.DELTA_INITIAL_SNAPSHOT;
import static org.streammigrator.finding.FindingCode.DELTA_MID_VERSION;
import static org.streammigrator.finding.FindingCode.FILES_WOULD_BE_REINGESTED;
import static org.streammigrator.finding.FindingCode.INEXACT_POSITION;
import static org.streammigrator.finding.FindingCode.KAFKA_SENTINEL_IN_LOG;
import static org.streammigrator.finding.FindingCode.KINESIS_SHARD_COMMIT_MISSING;
import static org.streammigrator.finding.FindingCode.OFFSETS_CORRUPT;
import static org.streammigrator.finding.FindingCode.RUNBOOK_PLUS_ONE;
import static org.streammigrator.finding.FindingCode.SOURCE_LOG_INCOMPLETE;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.checkpoint.FileSourceLog;
import org.streammigrator.checkpoint.OffsetLog;
import org.streammigrator.checkpoint.source.FilesOffset;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.position.ResumePositions;

/** Rules about the sources' offsets and their private files in {@code sources/}. */
final class SourceRules {
  /** What is said of positions, not of a checkpoint. */
  private static final Set<FindingCode> OF_POSITIONS =
      Set.of(INEXACT_POSITION, FILES_WOULD_BE_REINGESTED);

  /** What is said of the committed position only. */
  private static final Set<FindingCode> OF_COMMITTED_POSITIONS =
      Set.of(
          INEXACT_POSITION,
          FILES_WOULD_BE_REINGESTED,
          DELTA_MID_VERSION,
          DELTA_INITIAL_SNAPSHOT,
          KINESIS_SHARD_COMMIT_MISSING,
          RUNBOOK_PLUS_ONE);

  /** An offset that no Spark source starts from. */
  private static final Set<FindingCode> STOPPING = Set.of(KAFKA_SENTINEL_IN_LOG, OFFSETS_CORRUPT);

  private final Checkpoint checkpoint;
  private final ResumePositions positions;
  private final Restart restart;

  private SourceRules(Checkpoint checkpoint, ResumePositions positions, Restart restart) {
    this.checkpoint = checkpoint;
    this.positions = positions;
    this.restart = restart;
  }

  static void check(Checkpoint checkpoint, ResumePositions positions, Restart restart) {
    SourceRules rules = new SourceRules(checkpoint, positions, restart);
    checkpoint.committedOffsets().ifPresent(plan -> rules.offsets(plan, OF_POSITIONS));
    checkpoint.plannedOffsets().ifPresent(plan -> rules.offsets(plan, OF_COMMITTED_POSITIONS));
    checkpoint
        .plannedOffsets()
        .or(checkpoint::committedOffsets)
        .ifPresent(plan -> plan.sources().forEach(rules::sourceLog));
  }

  private void offsets(OffsetLog plan, Set<FindingCode> leftOut) {
    for (OffsetLog.SourceLine line : plan.sources()) {
      for (Finding finding : positions.at(line).findings()) {
        if (leftOut.contains(finding.code())) {
          continue;
        }
        if (stops(finding)) {
          restart.stop(finding);
        } else if (!restart.hasNoted(finding.code(), finding.subject())) {
          restart.note(finding);
        }
      }
    }
  }

  private boolean stops(Finding finding) {
    // A pending batch is rerun from its own offset, and writes its shard commits then.
    return STOPPING.contains(finding.code())
        || finding.code() == KINESIS_SHARD_COMMIT_MISSING && checkpoint.pending().isEmpty();
  }

  private void sourceLog(OffsetLog.SourceLine line) {
    if (!(positions.decode(line.id(), line.raw()) instanceof FilesOffset files)) {
      return;
    }
    FileSourceLog log = checkpoint.sourceDirectory(line.id()).log();
    String directory = "sources/" + line.id();
    List<String> missing = log.missing(before(line.id()), files.logOffset());
    if (!missing.isEmpty()) {
      restart.stop(
          Finding.error(
              SOURCE_LOG_INCOMPLETE,
              directory,
              "the file source has read its log up to entry "
                  + files.logOffset()
                  + ", and a start needs "
                  + String.join(", ", missing.subList(0, Math.min(10, missing.size())))
                  + (missing.size() > 10 ? " and " + (missing.size() - 10) + " more" : "")
                  + ", which "
                  + (missing.size() == 1 ? "is" : "are")
                  + " not there: Spark stops with \"doesn't exist (latestId, compactInterval)\" or"
                  + " \"batch n doesn't exist\"",
              "restore the entries from a copy; without them the files that they name would be read"
                  + " again"));
    }
    log.seen()
        .damaged()
        .forEach(
            (name, reason) ->
                restart.stop(
                    Finding.error(
                        SOURCE_LOG_INCOMPLETE,
                        directory + "/" + name,
                        "an entry of the file source's log that every start reads is damaged: "
                            + reason
                            + "; Spark stops with \"Incomplete log file\" or a parse error",
                        "restore it from a copy; without it the files that it names would be read"
                            + " again")));
  }

  /** The file source's log offset in the plan before the newest one. */
  private long before(String id) {
    long newest = checkpoint.lastPlanned().orElse(0);
    Optional<OffsetLog> plan = checkpoint.offsets().file(newest - 1).readable();
    return plan.flatMap(log -> log.source(id))
        .map(line -> positions.decode(id, line.raw()))
        .map(offset -> offset instanceof FilesOffset files ? files.logOffset() : -1L)
        .orElse(-1L);
  }
}
