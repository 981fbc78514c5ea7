package org.streammigrator.migration;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.streammigrator.backfill.BackfillJobs;
import org.streammigrator.backfill.Boundary;
import org.streammigrator.backfill.DeclaredBackfill;
import org.streammigrator.backfill.LateEvents;
import org.streammigrator.checkpoint.OffsetLog;
import org.streammigrator.copy.RefusedException;
import org.streammigrator.finding.Finding;
import org.streammigrator.job.BackfillResult;
import org.streammigrator.job.BackfillSpec;
import org.streammigrator.job.InvalidJobSpecException;
import org.streammigrator.job.JobFailedException;
import org.streammigrator.job.JobRefusedException;
import org.streammigrator.job.SourceSpec;
import org.streammigrator.plan.StreamPlan;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;

/**
 * Fills the windows that the job owns, once the new checkpoint is there: provisionally at once, and
 * for good when no late event can come for them any more.
 */
final class BackfillExecution {
  private final Store store;
  private final Journal journal;
  private final Operator operator;
  private final ApplyEvents events;
  private final Backfilling backfilling;

  BackfillExecution(
      Store store,
      Journal journal,
      Operator operator,
      ApplyEvents events,
      Backfilling backfilling) {
    this.store = requireNonNull(store, "store");
    this.journal = requireNonNull(journal, "journal");
    this.operator = requireNonNull(operator, "operator");
    this.events = requireNonNull(events, "events");
    this.backfilling = requireNonNull(backfilling, "backfilling");
  }

  /**
   * Does what can be done now.
   *
   * @param lock of the target
   * @throws RefusedException if a finding forbids a job
   * @throws IOException if one stopped part-way
   */
  StreamOutcome run(StreamItinerary itinerary, OperatorLock lock) throws IOException {
    StreamPlan stream = itinerary.stream();
    Location to = stream.checkpoint().to().orElseThrow();
    List<Step> steps =
        itinerary.steps().stream()
            .filter(step -> step.isAfterwards() && !step.isAboutJob())
            .toList();
    String late = "";
    for (Step step : steps) {
      operator.check();
      lock.check();
      Boundary boundary = itinerary.backfill().boundary();
      boolean isLast = step.kind() == Step.Kind.BACKFILL_FINAL;
      NewBatches now = target(stream);
      OptionalLong batch = isLast ? lastBatch(now, boundary) : OptionalLong.of(now.position());
      if (batch.isEmpty()) {
        return outcome(
            itinerary,
            StreamOutcome.Status.PROVISIONAL,
            "the new checkpoint is at "
                + to
                + " and the job's windows are filled provisionally; the final run waits until the"
                + " new query's watermark has reached "
                + boundary.finalAfter()
                + now.watermark()
                    .map(watermark -> " (it stands at " + watermark + ")")
                    .orElse(" (it has not run yet)")
                + ": run it with the guard "
                + itinerary.backfill().guard().sql()
                + ", and apply the plan again then; --final does not wait");
      }
      events.stepStarted(stream.name(), step);
      Instant began = journal.now();
      Filled filled = compute(stream, boundary, now, batch.getAsLong(), isLast);
      journal.append(
          Journal.entry("step-done", stream.name())
              .put("step", step.kind().label())
              .put("began", began.toString())
              .put("result", filled.text())
              .put("lateRows", filled.lateRows()));
      events.stepDone(stream.name(), step, filled.text());
      late = isLast ? late(filled.lateRows()) : late;
    }
    journal.append(Journal.entry(Journal.FINISHED, stream.name()));
    return outcome(
        itinerary,
        StreamOutcome.Status.DONE,
        "the new checkpoint is at " + to + (steps.isEmpty() ? "" : filled(itinerary) + late));
  }

  /**
   * What a run gave.
   *
   * @param text that in words
   * @param lateRows records that came later than the delay; null: nobody has counted them
   */
  private record Filled(String text, Long lateRows) {}

  /** What is said of records that came later than the delay. */
  private static String late(Long rows) {
    if (rows == null) {
      return "; how many events in them came later than the delay, so that the stream would have"
          + " dropped them, could not be counted";
    }
    return rows == 0
        ? ""
        : "; they hold "
            + rows
            + (rows == 1 ? " event that" : " events that")
            + " came later than the delay, and that the stream would have dropped";
  }

  /** What is so of the job's windows; a forced run may have come too early. */
  private String filled(StreamItinerary itinerary) throws IOException {
    Instant end = itinerary.backfill().boundary().finalAfter();
    Optional<Instant> watermark = target(itinerary.stream()).watermark();
    return watermark.filter(reached -> !reached.isBefore(end)).isPresent()
        ? ", and the job's windows are final"
        : ", and the job's windows are filled as far as the sources were read; the final run did not"
            + " wait for the new query's watermark to reach "
            + end
            + watermark.map(reached -> " (it stands at " + reached + ")").orElse("")
            + ", and events that come for them now are in no window";
  }

  private static StreamOutcome outcome(
      StreamItinerary itinerary, StreamOutcome.Status status, String message) {
    return new StreamOutcome(
        itinerary.name(), status, message, itinerary.findings(), Optional.empty());
  }

  /**
   * The batch up to which the final run reads: the first one of the new query whose watermark has
   * reached the end of the job's last window, since later batches drop what comes for it. The last
   * committed one where the run is not to wait; empty if it is too early.
   */
  private OptionalLong lastBatch(NewBatches now, Boundary boundary) throws IOException {
    OptionalLong reached = now.firstToReach(boundary.finalAfter());
    return reached.isEmpty() && backfilling.isFinal() ? now.checkpoint().lastCommitted() : reached;
  }

  private JsonNode entry(StreamPlan stream) {
    return journal.last(stream.name(), Backfills.BOUNDARY).orElseThrow();
  }

  private NewBatches target(StreamPlan stream) throws IOException {
    return NewBatches.read(
        store, stream.checkpoint().to().orElseThrow(), entry(stream).path("batch").asLong());
  }

  private Filled compute(
      StreamPlan stream, Boundary boundary, NewBatches now, long batch, boolean isLast)
      throws IOException {
    Optional<OffsetLog> plan = now.plan(batch);
    if (plan.isEmpty()) {
      // The new query has run some hundred batches already.
      return new Filled(
          "left to the final run: the new checkpoint does not keep batch " + batch + " any more",
          null);
    }
    List<Finding> findings = new ArrayList<>(DeclaredBackfill.problems(stream));
    List<SourceSpec> sources =
        !findings.isEmpty()
            ? List.of()
            : Backfills.ranges(
                stream,
                now.checkpoint(),
                plan.get(),
                false,
                boundary.firstWindow(),
                boundary.begins(),
                findings);
    if (!findings.isEmpty()) {
      throw new RefusedException(findings.get(0));
    }
    String run = isLast ? "final" : "provisional";
    BackfillSpec spec =
        new BackfillJobs(stream)
            .computing(sources, boundary, entry(stream).path("id").asText() + "/" + run)
            .counting(isLast ? late(stream, now, boundary, batch).orElse(null) : null);
    journal.append(Journal.entry(Backfills.STARTED, stream.name()).put("run", run));
    try {
      BackfillResult result =
          backfilling.jobs().get().backfill(spec, Runners.of(stream.runner()), events::chunk);
      return new Filled(told(result), result.lateRows());
    } catch (InvalidJobSpecException invalid) {
      throw new RefusedException(Backfills.invalid(stream, invalid));
    } catch (JobRefusedException refused) {
      throw new RefusedException(refused.finding());
    } catch (JobFailedException failed) {
      throw new IOException(failed.getMessage(), failed);
    }
  }

  /**
   * Where the batches of the new query hold events that were late for windows of the job; empty if
   * the new checkpoint does not keep them all any more.
   */
  private static Optional<List<BackfillSpec.Late>> late(
      StreamPlan stream, NewBatches now, Boundary boundary, long last) throws IOException {
    List<LateEvents.Batch> batches = new ArrayList<>();
    for (long number = now.position() + 1; number <= last; number++) {
      OptionalLong watermark = now.watermarkMs(number - 1);
      Optional<List<SourceSpec>> before = upTo(stream, now, boundary, number - 1);
      Optional<List<SourceSpec>> upTo = upTo(stream, now, boundary, number);
      if (watermark.isEmpty() || before.isEmpty() || upTo.isEmpty()) {
        return Optional.empty();
      }
      batches.add(new LateEvents.Batch(watermark.getAsLong(), before.get(), upTo.get()));
    }
    return Optional.of(new LateEvents(stream, boundary).parts(batches));
  }

  /** What the sources had delivered up to a batch; empty if nobody knows that any more. */
  private static Optional<List<SourceSpec>> upTo(
      StreamPlan stream, NewBatches now, Boundary boundary, long batch) throws IOException {
    Optional<OffsetLog> plan = now.plan(batch);
    List<Finding> findings = new ArrayList<>();
    List<SourceSpec> sources =
        plan.isEmpty()
            ? List.of()
            : Backfills.ranges(
                stream,
                now.checkpoint(),
                plan.get(),
                false,
                boundary.firstWindow(),
                Map.of(),
                findings);
    return plan.isEmpty() || !findings.isEmpty() ? Optional.empty() : Optional.of(sources);
  }

  private static String told(BackfillResult result) {
    return (result.rows() == null ? "the" : result.rows().toString())
        + " rows of windows from "
        + (result.rowsRead() == null ? "what was there to read" : result.rowsRead() + " records")
        + (result.inserted() == null || result.updated() == null
            ? ""
            : ": " + result.inserted() + " inserted, " + result.updated() + " updated")
        + "; the table is at version "
        + result.versionAfter()
        + (result.lateRows() == null ? "" : "; " + result.lateRows() + " late records");
  }
}
