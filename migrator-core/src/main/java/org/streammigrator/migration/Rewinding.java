package org.streammigrator.migration;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.streammigrator.authoring.AsOf;
import org.streammigrator.authoring.Draft;
import org.streammigrator.authoring.EmbeddedPaths;
import org.streammigrator.authoring.Rewind;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.checkpoint.CommitLog;
import org.streammigrator.checkpoint.OffsetHeader;
import org.streammigrator.checkpoint.OffsetLog;
import org.streammigrator.checkpoint.source.DeltaOffset;
import org.streammigrator.checkpoint.source.SourceKind;
import org.streammigrator.checkpoint.source.SourceOffset;
import org.streammigrator.facts.DeltaFacts;
import org.streammigrator.facts.DeltaTables;
import org.streammigrator.facts.Facts;
import org.streammigrator.facts.FileSinks;
import org.streammigrator.finding.Exactness;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.plan.CopyScope;
import org.streammigrator.plan.Identity;
import org.streammigrator.plan.StreamPlan;
import org.streammigrator.position.ResumePositions;
import org.streammigrator.storage.Store;

/** The strategy rewind: what is read of the world for it, and what is drafted of that. */
final class Rewinding {
  private static final int MOST_RANGES = 5;

  private Rewinding() {}

  /**
   * Looks at a checkpoint as of the batch that a plan goes back to, and at its sinks.
   *
   * @param findings gets what speaks against it, or should be known
   * @return empty if there is no such batch
   */
  static Optional<RewindSurvey> survey(
      Store store,
      DeltaTables tables,
      FileSinks fileSinks,
      SinkLogSurvey logs,
      StreamPlan stream,
      Checkpoint whole,
      List<Finding> findings)
      throws IOException {
    long batch = stream.batch().orElseThrow();
    Optional<Finding> problem = AsOf.problem(whole, batch);
    if (problem.isPresent()) {
      findings.add(problem.get());
      return Optional.empty();
    }
    ResumePositions positions =
        new ResumePositions(whole, Facts.NONE, Itineraries.kinds(stream, whole));
    AsOf asOf = AsOf.of(store, whole, positions, batch);
    Optional<OffsetLog> plan = asOf.checkpoint().offsets().file(batch).readable();
    if (plan.isPresent()) {
      findings.addAll(
          new RewoundInput(store, whole, positions, Moves.data(stream)).findings(plan.get()));
    }
    RewindSinks sinks = new RewindSinks(tables, fileSinks, logs, stream, whole, batch, findings);
    sinks.look();
    return Optional.of(
        new RewindSurvey(
            whole, asOf, sinks.newest(), sinks.exactness(), sinks.absorbed(), sinks.moves()));
  }

  /**
   * Drafts the rewound checkpoint.
   *
   * @param newQueryId the id to use where the plan asks for a new identity
   */
  static Draft draft(StreamSurvey survey, String newQueryId) {
    RewindSurvey rewind = survey.rewind().orElseThrow();
    StreamPlan stream = survey.stream();
    boolean isKept = stream.identity().orElse(Identity.KEEP) == Identity.KEEP;
    return new Rewind(
            rewind.asOf(),
            isKept ? Optional.empty() : Optional.of(newQueryId),
            new EmbeddedPaths(survey.embedded()),
            stream.copy() == CopyScope.ALL
                ? Optional.of(survey.staleChecksums())
                : Optional.empty(),
            isHistoryGone(survey))
        .draft(rewind.exactness(), explanation(survey));
  }

  /** Whether a finding speaks of the old id, and the plan takes a new one. */
  static boolean isSettledByNewId(StreamPlan stream, Finding finding) {
    return stream.identity().filter(Identity.NEW::equals).isPresent()
        && (finding.code() == FindingCode.METADATA_MISSING
            || finding.code() == FindingCode.METADATA_CORRUPT);
  }

  /** From where to where each source is read again, in words; empty where nothing tells. */
  private static String readAgain(StreamSurvey survey) {
    RewindSurvey rewind = survey.rewind().orElseThrow();
    Checkpoint whole = rewind.whole();
    Optional<OffsetLog> last = whole.plannedOffsets().or(whole::committedOffsets);
    Optional<OffsetLog> plan =
        rewind.asOf().checkpoint().offsets().file(rewind.asOf().batch()).readable();
    if (last.isEmpty() || plan.isEmpty()) {
      return "";
    }
    ResumePositions positions =
        new ResumePositions(whole, Facts.NONE, Itineraries.kinds(survey.stream(), whole));
    List<String> ranges = new ArrayList<>();
    List<String> unseen = new ArrayList<>();
    for (OffsetLog.SourceLine line : plan.get().sources()) {
      Optional<OffsetLog.SourceLine> end = last.get().source(line.id());
      if (end.isPresent() && !end.get().equals(line)) {
        boolean isSeen =
            survey.facts().delta().containsKey(line.id())
                || positions.at(line).type() == SourceKind.FILES;
        if (!isSeen) {
          unseen.add(line.id());
        }
        ranges.add(
            "source "
                + line.id()
                + " after "
                + positions.at(line).consumedThrough()
                + " up to "
                + positions.at(end.get()).consumedThrough());
      }
    }
    int more = ranges.size() - MOST_RANGES;
    return ranges.isEmpty()
        ? ""
        : "; read again is "
            + String.join("; ", ranges.subList(0, Math.min(ranges.size(), MOST_RANGES)))
            + (more > 0 ? "; and of " + more + " more" : "")
            + (unseen.isEmpty()
                ? ""
                : "; whether source "
                    + String.join(", ", unseen)
                    + " still has that was not looked at, and holds only if it has");
  }

  private static String explanation(StreamSurvey survey) {
    RewindSurvey rewind = survey.rewind().orElseThrow();
    Checkpoint checkpoint = rewind.asOf().checkpoint();
    long batch = rewind.asOf().batch();
    StringBuilder text =
        new StringBuilder("the query goes on with batch ")
            .append(batch + 1)
            .append(", planned anew from where batch ")
            .append(batch)
            .append(" ended; ")
            .append(rewind.takenBack())
            .append(rewind.newest() == batch + 1 ? " is" : " are")
            .append(" taken back");
    if (checkpoint.stateful()) {
      text.append(", with the state as of then");
    }
    long watermark = watermark(checkpoint, batch);
    if (watermark > 0) {
      text.append(", and rows are judged late by the watermark as of then, ")
          .append(Instant.ofEpochMilli(watermark));
    }
    text.append(readAgain(survey));
    if (rewind.exactness() != Exactness.EXACT) {
      text.append("; what they wrote is written again");
      rewind.absorbed().ifPresent(absorbed -> text.append(": ").append(absorbed));
    }
    return text.toString();
  }

  /** The watermark with which batch R + 1 runs ({@code MicroBatchExecution}). */
  private static long watermark(Checkpoint checkpoint, long batch) {
    long used =
        checkpoint
            .offsets()
            .file(batch)
            .readable()
            .flatMap(OffsetLog::header)
            .map(OffsetHeader::batchWatermarkMs)
            .orElse(0L);
    long next =
        checkpoint.commits().file(batch).readable().map(CommitLog::nextBatchWatermarkMs).orElse(0L);
    return Math.max(used, next);
  }

  /** Whether a table has lost a commit between the plans of R - 1 and R, which a start asks for. */
  private static boolean isHistoryGone(StreamSurvey survey) {
    Checkpoint checkpoint = survey.rewind().orElseThrow().asOf().checkpoint();
    long batch = survey.rewind().orElseThrow().asOf().batch();
    Optional<OffsetLog> plan = checkpoint.offsets().file(batch).readable();
    Optional<OffsetLog> before = checkpoint.offsets().file(batch - 1).readable();
    if (plan.isEmpty() || before.isEmpty()) {
      return false;
    }
    ResumePositions positions =
        new ResumePositions(checkpoint, Facts.NONE, Itineraries.kinds(survey.stream(), checkpoint));
    for (Map.Entry<String, DeltaFacts> table : survey.facts().delta().entrySet()) {
      OptionalLong from = version(positions, before.get(), table.getKey());
      OptionalLong to = version(positions, plan.get(), table.getKey());
      boolean isAnyGone =
          from.isPresent()
              && to.isPresent()
              && (from.getAsLong() < Math.min(table.getValue().earliest(), to.getAsLong())
                  || table.getValue().missing().stream()
                      .anyMatch(v -> v >= from.getAsLong() && v < to.getAsLong()));
      if (isAnyGone) {
        return true;
      }
    }
    return false;
  }

  private static OptionalLong version(ResumePositions positions, OffsetLog log, String source) {
    Optional<SourceOffset> offset =
        log.source(source).map(line -> positions.decode(source, line.raw()));
    return offset.isPresent() && offset.get() instanceof DeltaOffset delta
        ? OptionalLong.of(delta.version())
        : OptionalLong.empty();
  }
}
