package org.streammigrator.migration;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedSet;
import java.util.TreeSet;
import org.streammigrator.backfill.BackfillJobs;
import org.streammigrator.backfill.Boundary;
import org.streammigrator.backfill.DeclaredBackfill;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.checkpoint.CheckpointReader;
import org.streammigrator.checkpoint.OffsetHeader;
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
    List<Step> steps = itinerary.steps().stream().filter(Step::isAfterwards).toList();
    for (Step step : steps) {
      operator.check();
      lock.check();
      Boundary boundary = itinerary.backfill().boundary();
      boolean isLast = step.kind() == Step.Kind.BACKFILL_FINAL;
      OptionalLong batch = isLast ? lastBatch(stream, boundary) : position(stream);
      if (batch.isEmpty()) {
        return outcome(
            itinerary,
            StreamOutcome.Status.PROVISIONAL,
            "the new checkpoint is at "
                + to
                + " and the job's windows are filled provisionally; the final run waits until the"
                + " new query's watermark has reached "
                + boundary.finalAfter()
                + watermark(stream)
                    .map(watermark -> " (it stands at " + watermark + ")")
                    .orElse(" (it has not run yet)")
                + ": run it with the guard "
                + itinerary.backfill().guard().sql()
                + ", and apply the plan again then; --final does not wait");
      }
      events.stepStarted(stream.name(), step);
      String result =
          compute(stream, boundary, batch.getAsLong(), isLast ? "final" : "provisional");
      journal.append(
          Journal.entry("step-done", stream.name())
              .put("step", step.kind().label())
              .put("result", result));
      events.stepDone(stream.name(), step, result);
    }
    journal.append(Journal.entry(Journal.FINISHED, stream.name()));
    return outcome(
        itinerary,
        StreamOutcome.Status.DONE,
        "the new checkpoint is at " + to + (steps.isEmpty() ? "" : filled(itinerary)));
  }

  /** What is so of the job's windows; a forced run may have come too early. */
  private String filled(StreamItinerary itinerary) throws IOException {
    Instant end = itinerary.backfill().boundary().finalAfter();
    Optional<Instant> watermark = watermark(itinerary.stream());
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

  /** How far the new query's watermark is; empty if it has committed no batch of its own. */
  private Optional<Instant> watermark(StreamPlan stream) throws IOException {
    Checkpoint now = target(stream);
    SortedSet<Long> own = own(stream, now);
    return own.isEmpty()
        ? Optional.empty()
        : header(now, own.last()).map(header -> Instant.ofEpochMilli(header.batchWatermarkMs()));
  }

  /**
   * The batch up to which the final run reads: the first one of the new query whose watermark has
   * reached the end of the job's last window, since later batches drop what comes for it. The last
   * committed one where the run is not to wait; empty if it is too early.
   */
  private OptionalLong lastBatch(StreamPlan stream, Boundary boundary) throws IOException {
    Checkpoint now = target(stream);
    for (long batch : own(stream, now)) {
      boolean hasPassed =
          header(now, batch)
              .filter(header -> header.batchWatermarkMs() >= boundary.finalAfter().toEpochMilli())
              .isPresent();
      if (hasPassed) {
        return OptionalLong.of(batch);
      }
    }
    return backfilling.isFinal() ? now.lastCommitted() : OptionalLong.empty();
  }

  private OptionalLong position(StreamPlan stream) {
    return OptionalLong.of(entry(stream).path("batch").asLong());
  }

  private static Optional<OffsetHeader> header(Checkpoint checkpoint, long batch) {
    return checkpoint.offsets().file(batch).readable().flatMap(OffsetLog::header);
  }

  /** The batches that the new query has planned and committed itself. */
  private SortedSet<Long> own(StreamPlan stream, Checkpoint now) {
    SortedSet<Long> own =
        new TreeSet<>(now.offsets().batches().tailSet(position(stream).getAsLong() + 1));
    own.retainAll(now.commits().batches());
    return own;
  }

  private JsonNode entry(StreamPlan stream) {
    return journal.last(stream.name(), Backfills.BOUNDARY).orElseThrow();
  }

  private Checkpoint target(StreamPlan stream) throws IOException {
    return new CheckpointReader(store).read(stream.checkpoint().to().orElseThrow());
  }

  private String compute(StreamPlan stream, Boundary boundary, long batch, String run)
      throws IOException {
    Checkpoint now = target(stream);
    Optional<OffsetLog> plan = now.offsets().file(batch).readable();
    if (plan.isEmpty()) {
      // The new query has run some hundred batches already.
      return "left to the final run: the new checkpoint does not keep batch " + batch + " any more";
    }
    List<Finding> findings = new ArrayList<>(DeclaredBackfill.problems(stream));
    List<SourceSpec> sources =
        !findings.isEmpty()
            ? List.of()
            : Backfills.ranges(
                stream,
                now,
                plan.get(),
                false,
                boundary.firstWindow(),
                boundary.begins(),
                findings);
    if (!findings.isEmpty()) {
      throw new RefusedException(findings.get(0));
    }
    BackfillSpec spec =
        new BackfillJobs(stream)
            .computing(sources, boundary, entry(stream).path("id").asText() + "/" + run);
    journal.append(Journal.entry(Backfills.STARTED, stream.name()).put("run", run));
    try {
      return told(backfilling.jobs().get().backfill(spec, Backfills.runner(stream.runner())));
    } catch (InvalidJobSpecException invalid) {
      throw new RefusedException(Backfills.invalid(stream, invalid));
    } catch (JobRefusedException refused) {
      throw new RefusedException(refused.finding());
    } catch (JobFailedException failed) {
      throw new IOException(failed.getMessage(), failed);
    }
  }

  private static String told(BackfillResult result) {
    return (result.rows() == null ? "the" : result.rows().toString())
        + " rows of windows from "
        + (result.rowsRead() == null ? "what was there to read" : result.rowsRead() + " records")
        + (result.inserted() == null || result.updated() == null
            ? ""
            : ": " + result.inserted() + " inserted, " + result.updated() + " updated")
        + "; the table is at version "
        + result.versionAfter();
  }
}
