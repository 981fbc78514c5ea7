package org.streammigrator.migration;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.streammigrator.authoring.CheckpointWriter;
import org.streammigrator.authoring.Draft;
import org.streammigrator.authoring.Relocation;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.checkpoint.CheckpointReader;
import org.streammigrator.copy.ArchiveResult;
import org.streammigrator.copy.Archives;
import org.streammigrator.copy.CheckpointSummary;
import org.streammigrator.copy.Manifest;
import org.streammigrator.copy.RefusedException;
import org.streammigrator.copy.SourceChangedException;
import org.streammigrator.copy.Verification;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.plan.StreamPlan;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;

/**
 * Carries a stream of a plan out; {@link Fleet} does so with many, each by an applier of its own.
 *
 * <p>Guarantees: the old checkpoint is only read; a stream that is refused is not touched; after a
 * crash at any moment the next apply ends in the same bytes; a stream that is finished is left
 * alone.
 */
public final class Applier {
  private final Store store;
  private final NoticingStore looking;
  private final Journal journal;
  private final Operator operator;
  private final Supplier<UUID> ids;
  private final StreamPlanner planner;
  private final CheckpointWriter writer;
  private final SinkLogs sinkLogs;
  private final ApplyEvents events;
  private final BackfillExecution backfill;
  private final ReplayExecution replay;
  private final JobPhases jobs;
  private final boolean isRehearsal;
  private CheckpointWriter.Staged staged;

  /**
   * Prepares an apply.
   *
   * @param operator whoever applies, holding the plan's lock
   * @param ids draws new query ids
   * @param accepted findings accepted besides those that the plan accepts
   * @param writer writes the new checkpoints, for the owner that the journal's place is
   * @param backfilling how jobs are run
   * @param isRehearsal whether only a scratch copy is written, for which the old query may run on
   * @param control the jobs that are stopped and started
   */
  public Applier(
      Store store,
      Journal journal,
      Operator operator,
      Supplier<UUID> ids,
      Set<FindingCode> accepted,
      ApplyEvents events,
      CheckpointWriter writer,
      Backfilling backfilling,
      boolean isRehearsal,
      JobControl control) {
    this.isRehearsal = isRehearsal;
    this.store = requireNonNull(store, "store");
    this.journal = requireNonNull(journal, "journal");
    this.operator = requireNonNull(operator, "operator");
    this.ids = requireNonNull(ids, "ids");
    this.events = requireNonNull(events, "events");
    this.looking = new NoticingStore(store);
    this.planner =
        new StreamPlanner(
            looking, journal, accepted, Checksums.COMPARED_LATER, backfilling.jobs(), control);
    this.jobs = new JobPhases(store, journal, operator, events, control, accepted);
    this.backfill = new BackfillExecution(store, journal, operator, events, backfilling);
    this.replay =
        new ReplayExecution(
            store,
            journal,
            operator,
            events,
            new AcceptedFindings(accepted),
            new StateJobs(backfilling.jobs()),
            isRehearsal);
    this.writer = requireNonNull(writer, "writer");
    this.sinkLogs = new SinkLogs(store, journal, writer);
  }

  /** Applies to a stream. */
  public StreamOutcome apply(StreamPlan stream) {
    StreamOutcome outcome = carryOut(stream);
    return jobs.isToBeRolledBack(stream, outcome) ? jobs.rollBack(stream, outcome) : outcome;
  }

  private StreamOutcome carryOut(StreamPlan stream) {
    try {
      StreamItinerary itinerary = plan(stream, true);
      if (itinerary.done()) {
        operator.tidyTarget(stream.checkpoint().to().orElseThrow());
        writer.tidy(stream.checkpoint().to().orElseThrow());
        if (!journal.isFinished(stream.name())) {
          // A crash came between publishing it and saying so.
          journal.append(Journal.entry(Journal.FINISHED, stream.name()));
        }
        return outcome(
            stream,
            StreamOutcome.Status.UNCHANGED,
            "an earlier apply finished it; nothing to do"
                + StartOptions.recorded(journal, stream).stream()
                    .reduce((one, other) -> one + "; " + other)
                    .map(options -> ". The new query starts with " + options)
                    .orElse(""),
            List.of());
      }
      operator.check();
      if (itinerary.isPublished()) {
        try (OperatorLock lock = operator.lockTarget(stream.checkpoint().to().orElseThrow())) {
          return afterwards(itinerary, lock);
        }
      }
      boolean mayPass = itinerary.refused() && jobs.mayPass(itinerary);
      if ((!itinerary.refused() || mayPass) && planner.needsId(stream)) {
        journal.append(
            Journal.entry("identity", stream.name())
                .put("to", stream.checkpoint().to().orElseThrow().toString())
                .put("queryId", ids.get().toString()));
        itinerary = plan(stream, true);
      }
      if (itinerary.refused() && !mayPass) {
        itinerary.findings().forEach(finding -> events.finding(stream.name(), finding));
        return refused(stream, itinerary.findings(), "a finding forbids it; nothing was written");
      }
      Location to = stream.checkpoint().to().orElseThrow();
      try (OperatorLock lock = operator.lockTarget(to)) {
        Optional<StreamOutcome> waiting = jobs.stop(stream, lock);
        if (waiting.isPresent()) {
          return waiting.get();
        }
        if (jobs.stops(stream) || store.stat(to).isPresent()) {
          // The query went on until it was stopped; or another plan may have written there before
          // the lock was held.
          itinerary = plan(stream, false);
        }
        itinerary.findings().forEach(finding -> events.finding(stream.name(), finding));
        return itinerary.refused()
            ? refused(
                stream,
                itinerary.findings(),
                "a finding forbids it; nothing was written"
                    + (jobs.stops(stream) ? "; rollback puts the old query's job back" : ""))
            : carryOut(stream, itinerary, lock);
      }
    } catch (LockedException locked) {
      return new StreamOutcome(
          stream.name(),
          StreamOutcome.Status.LOCKED,
          locked.getMessage(),
          List.of(),
          Optional.empty());
    } catch (RefusedException refused) {
      events.finding(stream.name(), refused.finding());
      return refused(stream, List.of(refused.finding()), refused.getMessage());
    } catch (SourceChangedException changed) {
      Finding finding = grows(stream, changed.getMessage());
      events.finding(stream.name(), finding);
      return refused(
          stream,
          List.of(finding),
          "the old checkpoint changed meanwhile; nothing is at the target");
    } catch (IOException failure) {
      return new StreamOutcome(
          stream.name(),
          StreamOutcome.Status.STOPPED,
          "it stopped part-way; apply the plan again to go on",
          List.of(),
          Optional.of(failure));
    }
  }

  private StreamItinerary plan(StreamPlan stream, boolean withJobs) throws IOException {
    looking.begin();
    StreamItinerary itinerary = withJobs ? planner.plan(stream) : planner.planWithoutJobs(stream);
    looking.check();
    return itinerary;
  }

  private StreamOutcome carryOut(StreamPlan stream, StreamItinerary itinerary, OperatorLock lock)
      throws IOException {
    String before = itinerary.oldFingerprint();
    journal.append(Resolved.entry(stream, itinerary, before));
    if (itinerary.backfill() != null) {
      planner.backfills().record(itinerary, ids);
    }
    List<Step> steps =
        itinerary.steps().stream()
            .filter(step -> !step.isAfterwards() && !step.isAboutJob())
            .toList();
    for (Step step : steps) {
      operator.check();
      lock.check();
      if (step.kind() == Step.Kind.PUBLISH || step.kind() == Step.Kind.SINK_PUBLISH) {
        List<Finding> changed = tolerated(changedSince(stream, itinerary, before));
        changed.forEach(finding -> events.finding(stream.name(), finding));
        if (Finding.anyError(changed)) {
          return refused(stream, changed, "the world changed meanwhile; nothing is at the target");
        }
        operator.check();
        lock.check();
      }
      events.stepStarted(stream.name(), step);
      Instant began = journal.now();
      String result = run(step, stream, itinerary);
      journal.append(
          Journal.entry("step-done", stream.name())
              .put("step", step.kind().label())
              .put("began", began.toString())
              .put("result", result));
      events.stepDone(stream.name(), step, result);
    }
    return afterwards(itinerary, lock);
  }

  private StreamOutcome afterwards(StreamItinerary itinerary, OperatorLock lock)
      throws IOException {
    Optional<StreamOutcome> waiting = jobs.cutOver(itinerary.stream(), lock);
    if (waiting.isPresent()) {
      return waiting.get();
    }
    StreamOutcome outcome =
        itinerary.replay() != null ? replay.run(itinerary, lock) : backfill.run(itinerary, lock);
    List<String> options = StartOptions.recorded(journal, itinerary.stream());
    return options.isEmpty()
        ? outcome
        : outcome.withMessage(
            outcome.message()
                + ", empty: start the new query there with "
                + String.join("; ", options));
  }

  /**
   * What speaks against publishing what was drafted. A pending batch can get into a sink while
   * nothing shows it in the old checkpoint, so that the sinks are asked again, after it.
   */
  private List<Finding> changedSince(StreamPlan stream, StreamItinerary itinerary, String before)
      throws IOException {
    Checkpoint checkpoint = itinerary.checkpoint().orElseThrow();
    String files = Checkpoint.fingerprint(new CheckpointReader(store).list(checkpoint.location()));
    if (!files.equals(before)) {
      return List.of(grows(stream, "it changed while it was migrated: its query is still running"));
    }
    for (SinkMove move : itinerary.sinkMoves()) {
      if (!sinkLogs.isAsSurveyed(move)) {
        return List.of(grows(stream, move.oldLog() + " changed while it was migrated"));
      }
    }
    if (checkpoint.pending().isEmpty()) {
      return List.of();
    }
    looking.begin();
    StreamItinerary now = planner.survey(stream);
    looking.check();
    if (now.refused()) {
      return now.findings();
    }
    if (now.draft().isEmpty()) {
      throw new IOException(
          "the storage lists the target as another one than was staged there a moment ago");
    }
    return now.draft().get().writesSameAs(itinerary.draft().orElseThrow())
        ? List.of()
        : List.of(
            grows(
                stream, "its sink got further while it was migrated: its query was still running"));
  }

  private String run(Step step, StreamPlan stream, StreamItinerary itinerary) throws IOException {
    Checkpoint checkpoint = itinerary.checkpoint().orElseThrow();
    Draft draft = itinerary.draft().orElseThrow();
    Location from = stream.checkpoint().from();
    Location to = stream.checkpoint().to().orElseThrow();
    return switch (step.kind()) {
      case ARCHIVE ->
          // A draft may be made of less than what is there.
          archive(
              stream,
              itinerary.wholeFingerprint().isPresent()
                  ? new CheckpointReader(store).read(from)
                  : checkpoint);
      case WRITE -> {
        staged = writer.stage(from, draft, to);
        Manifest manifest = staged.manifest();
        journal.append(
            Journal.entry("staged", stream.name())
                .put("from", from.toString())
                .put("to", to.toString())
                .put("strategy", stream.strategy().label())
                .put("settings", Published.settings(stream))
                .put("fingerprint", manifest.fingerprint())
                .put("files", manifest.files().size())
                .put("bytes", manifest.bytes())
                .set("keys", WrittenSettings.of(stream)));
        events.written(stream.name(), manifest.files().size(), manifest.bytes());
        if (!staged.copy().leftOut().isEmpty()) {
          events.finding(stream.name(), Relocation.leftOut(staged.copy().leftOut()));
        }
        yield manifest.files().size() + " files, " + manifest.bytes() + " bytes";
      }
      case SINK_LOG -> sinkLogs.stage(stream, itinerary.sinkMoves());
      case VERIFY -> {
        long files = intact(to, writer.verify(staged));
        for (SinkMove move : itinerary.sinkMoves()) {
          files += intact(move.newLog(), sinkLogs.verify(move));
        }
        yield files + " files are as they were written";
      }
      case SINK_PUBLISH -> sinkLogs.publish(itinerary.sinkMoves());
      case PUBLISH -> {
        writer.publish(staged, to);
        yield to.toString();
      }
      case QUIESCE, CUTOVER, WATCH, BACKFILL, BACKFILL_FINAL, REPLAY ->
          throw new IllegalStateException(step.id());
    };
  }

  private static long intact(Location target, Verification verification) throws IOException {
    if (!verification.ok()) {
      throw new IOException(
          "what is staged for "
              + target
              + " is not what was written: "
              + verification.damage().get(0).path()
              + ": "
              + verification.damage().get(0).message());
    }
    return verification.files();
  }

  private String archive(StreamPlan stream, Checkpoint checkpoint) throws IOException {
    CheckpointSummary summary =
        new CheckpointSummary(
            checkpoint.queryId().orElse(null),
            boxed(checkpoint.lastPlanned()),
            boxed(checkpoint.lastCommitted()));
    ArchiveResult result =
        Archives.archive(
            store,
            checkpoint.location(),
            stream.archive().orElseThrow().to(),
            summary,
            events.progress());
    return result.archive() + (result.existed() ? ", which was there and verifies" : "");
  }

  private static Finding grows(StreamPlan stream, String message) {
    return Finding.error(
        FindingCode.OLD_CHECKPOINT_GROWS,
        stream.checkpoint().from().toString(),
        message,
        "stop the old query, make sure that no run is left, and apply the plan again");
  }

  /** What is copied is as it was surveyed and verified, which is all that a rehearsal needs. */
  private List<Finding> tolerated(List<Finding> changed) {
    return isRehearsal
        ? changed.stream()
            .map(
                finding ->
                    finding.code() == FindingCode.OLD_CHECKPOINT_GROWS
                        ? Finding.warning(
                            finding.code(),
                            finding.subject(),
                            finding.message(),
                            "nothing to do: the rehearsal goes on with what was there before; stop"
                                + " the old query before the plan is applied")
                        : finding)
            .toList()
        : changed;
  }

  private static StreamOutcome refused(StreamPlan stream, List<Finding> findings, String message) {
    return outcome(stream, StreamOutcome.Status.REFUSED, message, findings);
  }

  private static StreamOutcome outcome(
      StreamPlan stream, StreamOutcome.Status status, String message, List<Finding> findings) {
    return new StreamOutcome(stream.name(), status, message, findings, Optional.empty());
  }

  private static Long boxed(OptionalLong batch) {
    return batch.isPresent() ? (Long) batch.getAsLong() : null;
  }
}
