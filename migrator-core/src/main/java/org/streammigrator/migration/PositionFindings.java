package org.streammigrator.migration;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.streammigrator.authoring.Draft;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.finding.Severity;
import org.streammigrator.plan.Strategy;
import org.streammigrator.plan.StreamPlan;
import org.streammigrator.position.Resume;
import org.streammigrator.verdict.Inspector;

/** What a position and the old checkpoint give to be said of a stream; nothing is read here. */
final class PositionFindings {
  /** Findings that speak of reader options only, which checkpoints with a position do without. */
  private static final Set<FindingCode> ABOUT_OPTIONS =
      EnumSet.of(
          FindingCode.AUTOLOADER_NOT_PORTABLE,
          FindingCode.DELTA_MID_VERSION,
          FindingCode.DELTA_INITIAL_SNAPSHOT,
          FindingCode.DELTA_NEXT_VERSION_NOT_WRITTEN,
          FindingCode.RUNBOOK_PLUS_ONE,
          FindingCode.FILES_WOULD_BE_REINGESTED,
          FindingCode.INEXACT_POSITION,
          FindingCode.SOURCE_UNKNOWN,
          FindingCode.SOURCE_TYPE_AMBIGUOUS,
          FindingCode.PENDING_BATCH,
          FindingCode.COMMIT_WITHOUT_OFFSETS,
          FindingCode.NO_COMMITTED_BATCH);

  private PositionFindings() {}

  /** What the strategy makes of the findings about the sources' positions. */
  static void add(StreamPlan stream, Resume resume, List<Finding> findings) {
    if (stream.strategy() == Strategy.START_OPTIONS) {
      addOptionFindings(resume, findings);
    } else {
      addPositionFindings(resume, findings);
    }
  }

  /** Where a source's own log lacks an entry, it would read again what it has read. */
  static void incompleteLogs(StreamPlan stream, Checkpoint checkpoint, List<Finding> findings) {
    Inspector.inspect(checkpoint, Itineraries.kinds(stream, checkpoint)).findings().stream()
        .filter(finding -> finding.code() == FindingCode.SOURCE_LOG_INCOMPLETE)
        .filter(finding -> !findings.contains(finding))
        .forEach(findings::add);
  }

  /** A pending batch is part of the overlap, which is judged as a whole. */
  private static void addOptionFindings(Resume resume, List<Finding> findings) {
    List<Finding> all = new ArrayList<>(resume.findings());
    resume.sources().forEach(source -> all.addAll(source.findings()));
    for (Finding finding : all) {
      findings.add(
          finding.code() == FindingCode.PENDING_BATCH
              ? finding.withSeverity(Severity.INFO)
              : finding);
    }
  }

  private static void addPositionFindings(Resume resume, List<Finding> findings) {
    List<Finding> all = new ArrayList<>(resume.findings());
    resume.sources().forEach(source -> all.addAll(source.findings()));
    for (Finding finding : all) {
      if (finding.code() == FindingCode.DELTA_TABLE_REPLACED) {
        // The new checkpoint names the former id, too, and Delta stops there.
        findings.add(finding.withSeverity(Severity.ERROR));
      } else if (!ABOUT_OPTIONS.contains(finding.code())) {
        findings.add(finding);
      } else if (finding.code() == FindingCode.PENDING_BATCH) {
        findings.add(finding.withSeverity(Severity.INFO));
      }
    }
  }

  /**
   * Batches that are committed although their plans are gone: their ranges are not known, so that a
   * seed below them reads them again, unless the sinks say that they never got them.
   */
  static Optional<Finding> commitsAhead(StreamSurvey survey, Checkpoint checkpoint) {
    long planned = checkpoint.lastPlanned().orElse(-1);
    if (checkpoint.commitsAhead().isEmpty()) {
      return Optional.empty();
    }
    long newest = checkpoint.commitsAhead().getAsLong();
    Optional<Long> recorded = checkpoint.queryId().map(survey.facts().sinkTxn()::get);
    if (survey.sinkKeyedByBatch() && recorded.isPresent() && recorded.get() <= planned) {
      return Optional.of(
          Finding.warning(
              FindingCode.COMMIT_WITHOUT_OFFSETS,
              checkpoint.commits().path(newest),
              "batch "
                  + newest
                  + " is committed and its plan is gone, but the sink ends at batch "
                  + recorded.get()
                  + " and does not have it",
              "nothing to do; the new checkpoint leaves the commit out"));
    }
    return Optional.of(
        Finding.error(
            FindingCode.COMMIT_WITHOUT_OFFSETS,
            checkpoint.commits().path(newest),
            "batch "
                + newest
                + " is committed and its plan is gone, the newest plan is batch "
                + planned
                + ": what the batches after it read is not known and would be read again",
            "restore "
                + checkpoint.offsets().path(newest)
                + " from a copy of the checkpoint; or name the sink, if its record shows that it"
                + " does not have these batches"));
  }

  /** Adds what a start of the old checkpoint, as it was surveyed, would come to. */
  static void inspect(StreamSurvey survey, Checkpoint checkpoint, List<Finding> findings) {
    for (Finding finding :
        Inspector.inspect(checkpoint, Itineraries.kinds(survey.stream(), checkpoint)).findings()) {
      boolean known =
          findings.stream()
              .anyMatch(
                  other ->
                      other.code() == finding.code()
                          && other.severity().compareTo(finding.severity()) >= 0);
      // At batch 0 a restart asks the starting options again: the one thing about them that
      // matters.
      boolean matters =
          finding.severity() == Severity.ERROR
              || !ABOUT_OPTIONS.contains(finding.code())
              || finding.code() == FindingCode.NO_COMMITTED_BATCH;
      if (!known && matters && !settledByRewriting(survey.stream(), finding)) {
        findings.add(finding);
      }
    }
  }

  /** Embedded paths are rewritten, or refused with a finding of their own. */
  private static boolean settledByRewriting(StreamPlan stream, Finding finding) {
    return finding.code() == FindingCode.ABSOLUTE_PATHS
        && (!stream.rewrite().isEmpty() || !finding.subject().startsWith("sources/"));
  }

  /** A sink skips every batch up to the newest that it has, whatever the batch would write. */
  static Optional<Finding> skippedBatches(StreamSurvey survey, Draft draft) {
    long planned = draft.lastPlanned().orElse(-1);
    if (draft.lastPlanned().isEmpty() || survey.newestInSinks().orElse(-1) <= planned) {
      return Optional.empty();
    }
    return Optional.of(
        Finding.error(
            FindingCode.SINK_BATCHES_SKIPPED,
            "sink",
            "the sink has a record of batch "
                + survey.newestInSinks().getAsLong()
                + " and the new checkpoint goes on with batch "
                + (planned + 1)
                + ": the sink would skip what the batches up to "
                + survey.newestInSinks().getAsLong()
                + " read, and it would be lost",
            "restore the plan of that batch from a copy of the checkpoint; or seed with"
                + " identity: new and MERGE on keys, since the range is then read again"));
  }
}
