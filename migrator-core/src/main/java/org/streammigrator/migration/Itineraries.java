package org.streammigrator.migration;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.streammigrator.authoring.Draft;
import org.streammigrator.authoring.EmbeddedPaths;
import org.streammigrator.authoring.Relocation;
import org.streammigrator.authoring.Seeding;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.checkpoint.source.SourceKind;
import org.streammigrator.finding.Exactness;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.finding.Severity;
import org.streammigrator.plan.CopyScope;
import org.streammigrator.plan.Identity;
import org.streammigrator.plan.SinkKind;
import org.streammigrator.plan.SourcePlan;
import org.streammigrator.plan.Strategy;
import org.streammigrator.plan.StreamPlan;
import org.streammigrator.position.Resume;
import org.streammigrator.position.ResumeBatch;
import org.streammigrator.position.ResumePositions;
import org.streammigrator.position.SourcePosition;
import org.streammigrator.verdict.Inspector;

/** Computes itineraries; nothing is read or written here. */
public final class Itineraries {

  /** Findings that speak of reader options only, which neither strategy here uses. */
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

  private final AcceptedFindings acceptance;

  /**
   * Prepares the computation.
   *
   * @param accepted the codes accepted on the command line, besides those in the plan
   */
  public Itineraries(Set<FindingCode> accepted) {
    this.acceptance = new AcceptedFindings(accepted);
  }

  /**
   * The itinerary of a stream.
   *
   * @param newQueryId the id to use where the plan asks for a new identity
   */
  public StreamItinerary of(StreamSurvey survey, String newQueryId) {
    requireNonNull(survey, "survey");
    StreamPlan stream = survey.stream();
    List<Finding> findings = new ArrayList<>(survey.findings());
    if (survey.checkpoint().isEmpty()) {
      return StreamItinerary.nothing(stream, Optional.empty(), null, findings);
    }
    Checkpoint checkpoint = survey.checkpoint().get();
    if (stream.strategy() == Strategy.REWIND && survey.rewind().isEmpty()) {
      return StreamItinerary.nothing(
          stream, survey.checkpoint(), null, acceptance.settle(stream, findings));
    }
    Resume resume =
        new ResumePositions(checkpoint, survey.facts(), kinds(stream, checkpoint)).compute();
    ResumeBatch batch = ResumeBatch.of(checkpoint, survey.facts());
    if (stream.strategy() == Strategy.START_OPTIONS) {
      addOptionFindings(resume, findings);
    } else {
      addPositionFindings(resume, findings);
    }
    if (stream.checkpoint().to().isEmpty()) {
      return StreamItinerary.refused(
          stream, survey.checkpoint(), resume, null, acceptance.settle(stream, findings));
    }
    findings.addAll(DeclaredSources.contradictions(stream, checkpoint, resume.sources()));
    if (stream.strategy().seeds()) {
      commitsAhead(survey, checkpoint).ifPresent(findings::add);
    }
    if (stream.strategy().seeds()) {
      incompleteLogs(stream, checkpoint, findings);
    }
    Draft draft =
        switch (stream.strategy()) {
          case SEED, BACKFILL -> seed(survey, checkpoint, batch, newQueryId);
          case REPLAY -> Replays.draft(survey, checkpoint, batch, newQueryId);
          case REWIND -> {
            inspect(survey, checkpoint, findings);
            findings.removeIf(finding -> Rewinding.isSettledByNewId(stream, finding));
            yield Rewinding.draft(survey, newQueryId);
          }
          case START_OPTIONS -> new StartOptions(survey, checkpoint, resume).draft();
          case RELOCATE -> relocate(survey, checkpoint, batch, findings);
        };
    findings.addAll(draft.findings());
    skippedBatches(survey, draft).ifPresent(findings::add);
    if (survey.mayRepeat()) {
      draft = draft.noBetterThan(Exactness.OVERLAP);
    }
    if (SinkAhead.isAbsorbed(stream)
        && findings.removeIf(finding -> finding.code() == FindingCode.ARCHIVE_BEHIND_SINK)) {
      findings.add(SinkAhead.absorbed(stream, checkpoint));
      draft = draft.noBetterThan(Exactness.OVERLAP);
    }
    draft = draft.noBetterThan(acceptance.bestLabel(stream, findings));
    List<Finding> settled = acceptance.settle(stream, findings);
    ReplayOutlook replay =
        survey.replay().isPresent() && draft.lastPlanned().isPresent()
            ? ReplayOutlook.of(survey.replay().get(), draft)
            : null;
    if (Finding.anyError(settled)) {
      return StreamItinerary.refused(stream, survey.checkpoint(), resume, replay, settled);
    }
    List<Step> steps =
        new ArrayList<>(
            Steps.of(
                stream,
                survey.rewind().map(RewindSurvey::whole).orElse(checkpoint),
                draft,
                survey.sinkMoves()));
    if (replay != null && replay.isScratch()) {
      steps.add(Steps.replay(stream, replay.batch()));
    }
    return new StreamItinerary(
        stream,
        survey.checkpoint(),
        resume,
        Optional.of(draft),
        survey.sinkMoves(),
        survey.wholeFingerprint(),
        false,
        steps,
        ledger(Optional.of(survey), resume, draft),
        null,
        replay,
        settled);
  }

  /** An itinerary with what was measured for its backfill. */
  StreamItinerary with(StreamItinerary itinerary, Backfills.Measured measured) {
    StreamPlan stream = itinerary.stream();
    List<Finding> findings = new ArrayList<>(itinerary.findings());
    // Without a boundary there is nothing to go on with, whatever the user takes knowingly.
    findings.addAll(
        measured.outlook().isEmpty()
            ? measured.findings()
            : acceptance.settle(stream, measured.findings()));
    if (Finding.anyError(findings) || measured.outlook().isEmpty()) {
      return StreamItinerary.nothing(stream, itinerary.checkpoint(), itinerary.resume(), findings);
    }
    Draft draft =
        itinerary
            .draft()
            .orElseThrow()
            .noBetterThan(acceptance.bestLabel(stream, measured.findings()));
    List<Step> steps = new ArrayList<>(itinerary.steps());
    steps.addAll(measured.steps());
    return new StreamItinerary(
        stream,
        itinerary.checkpoint(),
        itinerary.resume(),
        Optional.of(draft),
        itinerary.sinkMoves(),
        itinerary.wholeFingerprint(),
        false,
        steps,
        ledger(Optional.empty(), itinerary.resume(), draft),
        measured.outlook().get(),
        null,
        findings);
  }

  /** Where a source's own log lacks an entry, it would read again what it has read. */
  private static void incompleteLogs(
      StreamPlan stream, Checkpoint checkpoint, List<Finding> findings) {
    Inspector.inspect(checkpoint, kinds(stream, checkpoint)).findings().stream()
        .filter(finding -> finding.code() == FindingCode.SOURCE_LOG_INCOMPLETE)
        .filter(finding -> !findings.contains(finding))
        .forEach(findings::add);
  }

  static Map<String, SourceKind> kinds(StreamPlan stream, Checkpoint checkpoint) {
    Map<String, SourceKind> kinds = new HashMap<>();
    for (int i = 0; i < stream.sources().size(); i++) {
      SourcePlan source = stream.sources().get(i);
      String id = DeclaredSources.id(stream, i, checkpoint);
      source
          .address()
          .flatMap(address -> SourceKind.ofLabel(address.kind().label()))
          .filter(kind -> !source.isNew())
          .ifPresent(kind -> kinds.put(id, kind));
    }
    return kinds;
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
  private static Optional<Finding> commitsAhead(StreamSurvey survey, Checkpoint checkpoint) {
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

  private static Draft relocate(
      StreamSurvey survey, Checkpoint checkpoint, ResumeBatch batch, List<Finding> findings) {
    inspect(survey, checkpoint, findings);
    if (survey.stream().identity().orElse(Identity.KEEP) == Identity.NEW) {
      findings.add(
          Unavailable.refused(
              "identity",
              "relocating under a new query id",
              "remove `identity`; a relocated query keeps its id"));
    }
    Relocation relocation = new Relocation(checkpoint, batch, new EmbeddedPaths(survey.embedded()));
    return survey.stream().copy() == CopyScope.LIVE
        ? relocation.live()
        : relocation.all(survey.staleChecksums());
  }

  /** Adds what a start of the old checkpoint, as it was surveyed, would come to. */
  private static void inspect(StreamSurvey survey, Checkpoint checkpoint, List<Finding> findings) {
    for (Finding finding :
        Inspector.inspect(checkpoint, kinds(survey.stream(), checkpoint)).findings()) {
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
  private static Optional<Finding> skippedBatches(StreamSurvey survey, Draft draft) {
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

  private static Draft seed(
      StreamSurvey survey, Checkpoint checkpoint, ResumeBatch batch, String newQueryId) {
    StreamPlan stream = survey.stream();
    boolean keep = stream.identity().orElse(Identity.KEEP) == Identity.KEEP;
    boolean isBackfill = stream.strategy() == Strategy.BACKFILL;
    if (isBackfill && keep && batch.sink() == ResumeBatch.Sink.UNKNOWN) {
      // Skipped by the sink, the batch would not run, and the stream's windows would lack it.
      return Draft.refused(
          List.of(
              Finding.error(
                  FindingCode.BACKFILL_INEXACT,
                  "offsets/" + batch.pending().last(),
                  "batch "
                      + batch.pending().last()
                      + " is planned and not committed, and whether its rows are in the sink is"
                      + " unknown: a sink that has it would skip the new query's first batch",
                  "name the sink, so that its own record tells; or take identity: new")));
    }
    Optional<Finding> undescribed = Replays.undescribedState(stream, checkpoint);
    if (!isBackfill && undescribed.isPresent()) {
      return Draft.refused(List.of(undescribed.get()));
    }
    return new Seeding(
            checkpoint,
            batch,
            keep && survey.sinkKeyedByBatch(),
            keep && maySkip(stream),
            keep ? Optional.empty() : Optional.of(newQueryId),
            Moves.mapping(stream),
            new EmbeddedPaths(survey.embedded()),
            isBackfill ? List.of(false) : Replays.joins(stream),
            isBackfill ? Optional.empty() : Optional.of(survey.dropped()))
        .draft();
  }

  /**
   * Whether a sink may skip a batch whose number it has; of all sinks only Kafka surely does not.
   */
  private static boolean maySkip(StreamPlan stream) {
    return stream.sink().isEmpty()
        || stream.sink().stream().anyMatch(sink -> sink.address().kind() != SinkKind.KAFKA);
  }

  private static List<LedgerEntry> ledger(
      Optional<StreamSurvey> survey, Resume resume, Draft draft) {
    List<LedgerEntry> entries = new ArrayList<>();
    boolean exact = draft.exactness() == Exactness.EXACT;
    long firstBatch = draft.lastCommitted().isPresent() ? draft.lastCommitted().getAsLong() + 1 : 0;
    for (SourcePosition source : resume.sources()) {
      entries.add(
          new LedgerEntry(
              source.id(),
              source.type().label(),
              source.consumedThrough(),
              source.position(),
              firstBatch,
              draft.exactness().name().toLowerCase(Locale.ROOT),
              survey.filter(read -> read.replay().isPresent()).isPresent()
                  ? "batch "
                      + firstBatch
                      + " ends where batch "
                      + resume.batch()
                      + " of the old query ended: the same line in both checkpoints"
                  : draft.lastPlanned().isEmpty()
                      ? draft.explanation()
                      : exact
                          ? "batch "
                              + firstBatch
                              + " starts where batch "
                              + (firstBatch - 1)
                              + " ended: the same line in both checkpoints"
                          : draft.explanation()));
    }
    return entries;
  }
}
