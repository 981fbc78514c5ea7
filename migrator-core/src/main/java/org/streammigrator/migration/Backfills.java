package org.streammigrator.migration;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.streammigrator.backfill.BackfillJobs;
import org.streammigrator.backfill.BackfillOutlook;
import org.streammigrator.backfill.Boundary;
import org.streammigrator.backfill.DeclaredBackfill;
import org.streammigrator.backfill.SourceRanges;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.checkpoint.CommitLog;
import org.streammigrator.checkpoint.OffsetHeader;
import org.streammigrator.checkpoint.OffsetLog;
import org.streammigrator.facts.Facts;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.job.BackfillResult;
import org.streammigrator.job.BackfillSpec;
import org.streammigrator.job.InvalidJobSpecException;
import org.streammigrator.job.JobFailedException;
import org.streammigrator.job.JobJson;
import org.streammigrator.job.JobRefusedException;
import org.streammigrator.job.JobRunner;
import org.streammigrator.job.SourceSpec;
import org.streammigrator.plan.BackfillPlan;
import org.streammigrator.plan.StreamPlan;
import org.streammigrator.position.ResumePositions;
import org.streammigrator.storage.Location;

/** What the strategy backfill adds to an itinerary: the cut, which a job measures, and steps. */
final class Backfills {
  /** The journal's entry of the boundary, before anything is written on its strength. */
  static final String BOUNDARY = "boundary";

  /** The journal's entry of a job that may have written since. */
  static final String STARTED = "backfill-started";

  private final Journal journal;
  private final Supplier<JobRunner> jobs;
  private final Map<BackfillSpec, BackfillResult> measured = new HashMap<>();

  Backfills(Journal journal, Supplier<JobRunner> jobs) {
    this.journal = requireNonNull(journal, "journal");
    this.jobs = requireNonNull(jobs, "jobs");
  }

  /**
   * What a job measures for an itinerary.
   *
   * @param outlook the boundary, and what the job will read and write; empty if there is none
   * @param steps what is to be done once the new checkpoint is there
   * @param findings why there is none, or what should be known
   */
  record Measured(Optional<BackfillOutlook> outlook, List<Step> steps, List<Finding> findings) {
    Measured {
      steps = List.copyOf(steps);
      findings = List.copyOf(findings);
    }

    static Measured nothing(List<Finding> findings) {
      return new Measured(Optional.empty(), List.of(), findings);
    }
  }

  /** Measures the boundary of a stream that nothing forbids so far. */
  Measured measure(StreamItinerary itinerary) throws IOException {
    StreamPlan stream = itinerary.stream();
    List<Finding> findings = new ArrayList<>(DeclaredBackfill.problems(stream));
    if (!findings.isEmpty()) {
      return Measured.nothing(findings);
    }
    Checkpoint checkpoint = itinerary.checkpoint().orElseThrow();
    long batch = itinerary.draft().orElseThrow().lastCommitted().orElseThrow();
    OffsetLog plan = checkpoint.offsets().file(batch).readable().orElseThrow();
    long watermark = plan.header().map(OffsetHeader::batchWatermarkMs).orElse(0L);
    long next =
        checkpoint
            .commits()
            .file(batch)
            .readable()
            .map(CommitLog::nextBatchWatermarkMs)
            .orElse(watermark);
    BackfillJobs backfill = new BackfillJobs(stream);
    Instant firstOpen = backfill.firstOpen(watermark);
    backfill.closedCut(firstOpen).ifPresent(findings::add);
    backfill.endless(watermark).ifPresent(findings::add);
    List<SourceSpec> sources =
        ranges(stream, checkpoint, plan, true, firstOpen, Map.of(), findings);
    if (!findings.isEmpty()) {
      return Measured.nothing(findings);
    }
    try {
      BackfillResult result = measure(stream, backfill.measuring(sources, firstOpen));
      Optional<Boundary> boundary =
          backfill.boundary(result, watermark, next, firstOpen, journal.now(), findings);
      return new Measured(
          boundary.map(cut -> BackfillOutlook.of(cut, result)),
          boundary.isEmpty() ? List.of() : Steps.backfill(stream, result),
          findings);
    } catch (InvalidJobSpecException invalid) {
      findings.add(invalid(stream, invalid));
    } catch (JobRefusedException refused) {
      findings.add(refused.finding());
    } catch (JobFailedException failed) {
      findings.add(
          Finding.error(
              FindingCode.UNREADABLE,
              "backfill",
              "the job that measures came to no result: " + failed.getMessage(),
              "mend what it says, and plan again"));
    }
    return Measured.nothing(findings);
  }

  /** What is wrong with a job's spec, in terms of the plan. */
  static Finding invalid(StreamPlan stream, InvalidJobSpecException invalid) {
    String line =
        invalid.getMessage().startsWith("sql")
            ? stream
                .backfill()
                .flatMap(BackfillPlan::sql)
                .map(sql -> " (the SQL begins in line " + sql.line() + " of the plan)")
                .orElse("")
            : "";
    return Finding.error(
        FindingCode.JOB_SPEC_INVALID,
        "backfill",
        "the job that the plan asks for cannot be run: " + invalid.getMessage() + line,
        "correct the plan; sql is `backfill.sql`, sink.* is `sink`, windows.* is `backfill.window`,"
            + " source NAME is that of `sources`");
  }

  private BackfillResult measure(StreamPlan stream, BackfillSpec spec) {
    BackfillResult known = measured.get(spec);
    if (known == null) {
      known = jobs.get().backfill(spec, Runners.of(stream.runner()), chunk -> {});
      measured.put(spec, known);
    }
    return known;
  }

  /** What is still to be done once the new checkpoint is there. */
  StreamItinerary remaining(StreamPlan stream) {
    Optional<JsonNode> entry = journal.last(stream.name(), BOUNDARY);
    if (entry.isEmpty() || isDone(stream, Step.Kind.BACKFILL_FINAL)) {
      return StreamItinerary.finished(stream);
    }
    Boundary boundary = JobJson.value(entry.get().path(BOUNDARY), Boundary.class);
    return StreamItinerary.published(
        stream,
        BackfillOutlook.of(boundary),
        null,
        Steps.remainingBackfill(stream, isDone(stream, Step.Kind.BACKFILL)));
  }

  /** Whether the windows of a stream are filled for good. */
  boolean isDone(StreamPlan stream) {
    return isDone(stream, Step.Kind.BACKFILL_FINAL);
  }

  private boolean isDone(StreamPlan stream, Step.Kind step) {
    return journal.since(stream.name()).stream()
        .anyMatch(
            entry ->
                entry.path("event").asText().equals("step-done")
                    && entry.path("step").asText().equals(step.label()));
  }

  /**
   * Fixes the boundary, before anything is written on its strength.
   *
   * @param ids draws an id for the jobs, so that what is done again after a rollback is not taken
   *     for done
   */
  void record(StreamItinerary itinerary, Supplier<UUID> ids) throws IOException {
    String id =
        journal
            .last(itinerary.name(), BOUNDARY)
            .map(before -> before.path("id").asText())
            .orElseGet(() -> ids.get().toString());
    ObjectNode entry =
        Journal.entry(BOUNDARY, itinerary.name())
            .put("batch", itinerary.draft().orElseThrow().lastCommitted().orElseThrow())
            .put("id", id);
    entry.set(BOUNDARY, JobJson.tree(itinerary.backfill().boundary()));
    journal.append(entry);
  }

  /**
   * What the sources had delivered up to a batch.
   *
   * @param old whether the checkpoint is the old one, whose sources may stand in another order
   */
  static List<SourceSpec> ranges(
      StreamPlan stream,
      Checkpoint checkpoint,
      OffsetLog plan,
      boolean old,
      Instant from,
      Map<String, JsonNode> begins,
      List<Finding> findings) {
    ResumePositions positions =
        new ResumePositions(
            checkpoint, Facts.NONE, old ? Itineraries.kinds(stream, checkpoint) : Map.of());
    SourceRanges ranges = new SourceRanges(findings);
    List<SourceSpec> sources = new ArrayList<>();
    for (int i = 0; i < stream.sources().size(); i++) {
      if (stream.sources().get(i).removed()) {
        continue;
      }
      String id =
          old
              ? DeclaredSources.id(stream, i, checkpoint)
              : DeclaredSources.newId(stream, i, checkpoint);
      Location log = checkpoint.location().child("sources").child(id);
      Optional<OffsetLog.SourceLine> line = plan.source(id);
      if (line.isEmpty()) {
        findings.add(
            Finding.error(
                FindingCode.SOURCES_DIFFER,
                "sources[" + i + "]",
                "the checkpoint " + checkpoint.location() + " has no source " + id,
                "check `sources`"));
      } else if (!line.get().raw().equals(OffsetLog.SourceLine.NONE)) {
        ranges
            .of(
                i,
                stream.sources().get(i),
                positions.decode(id, line.get().raw()),
                log,
                from,
                SourceRanges.viewName(stream.sources().get(i)).map(begins::get))
            .ifPresent(sources::add);
      }
    }
    if (old) {
      forgotten(stream, checkpoint, plan).ifPresent(findings::add);
    }
    if (sources.isEmpty() && findings.isEmpty()) {
      findings.add(
          Finding.error(
              FindingCode.PLAN_INCOMPLETE,
              "sources",
              "the plan names no source that the old query has read, and the job reads them",
              "list the sources in the order of the query, each with eventTime"));
    }
    return sources;
  }

  /** A source of the old query that the plan does not name: its events would be in no window. */
  private static Optional<Finding> forgotten(
      StreamPlan stream, Checkpoint checkpoint, OffsetLog plan) {
    Set<String> named = new HashSet<>();
    for (int i = 0; i < stream.sources().size(); i++) {
      named.add(DeclaredSources.id(stream, i, checkpoint));
    }
    return plan.sources().stream()
        .filter(line -> !line.raw().equals(OffsetLog.SourceLine.NONE))
        .filter(line -> !named.contains(line.id()))
        .findFirst()
        .map(
            line ->
                Finding.error(
                    FindingCode.PLAN_INCOMPLETE,
                    "sources",
                    "the old query has read a source "
                        + line.id()
                        + " which the plan does not name, and the job needs its events",
                    "list the sources in the order of the query; one that is gone with was and"
                        + " removed: true"));
  }
}
