package org.streammigrator.migration;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
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

/** Computes itineraries; nothing is read or written here. */
public final class Itineraries {

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
    PositionFindings.add(stream, resume, findings);
    if (stream.checkpoint().to().isEmpty()) {
      return StreamItinerary.refused(
          stream, survey.checkpoint(), resume, null, acceptance.settle(stream, findings));
    }
    findings.addAll(DeclaredSources.contradictions(stream, checkpoint, resume.sources()));
    if (stream.strategy().seeds()) {
      PositionFindings.commitsAhead(survey, checkpoint).ifPresent(findings::add);
    }
    if (stream.strategy().seeds()) {
      PositionFindings.incompleteLogs(stream, checkpoint, findings);
    }
    Draft draft =
        switch (stream.strategy()) {
          case SEED, BACKFILL -> seed(survey, checkpoint, batch, newQueryId);
          case REPLAY -> Replays.draft(survey, checkpoint, batch, newQueryId);
          case REWIND -> {
            PositionFindings.inspect(survey, checkpoint, findings);
            findings.removeIf(finding -> Rewinding.isSettledByNewId(stream, finding));
            yield Rewinding.draft(survey, newQueryId);
          }
          case START_OPTIONS -> new StartOptions(survey, checkpoint, resume).draft();
          case RELOCATE -> relocate(survey, checkpoint, batch, findings);
        };
    findings.addAll(draft.findings());
    PositionFindings.skippedBatches(survey, draft).ifPresent(findings::add);
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

  private static Draft relocate(
      StreamSurvey survey, Checkpoint checkpoint, ResumeBatch batch, List<Finding> findings) {
    PositionFindings.inspect(survey, checkpoint, findings);
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
