package org.streammigrator.rehearsal;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.checkpoint.CheckpointReader;
import org.streammigrator.checkpoint.OffsetLog;
import org.streammigrator.checkpoint.source.DeltaOffset;
import org.streammigrator.checkpoint.source.PartitionedOffset;
import org.streammigrator.checkpoint.source.SourceOffset;
import org.streammigrator.checkpoint.source.SourceOffsets;
import org.streammigrator.facts.Facts;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.plan.Strategy;
import org.streammigrator.plan.StreamPlan;
import org.streammigrator.position.ResumePositions;
import org.streammigrator.storage.Store;

/**
 * Where the new query has to begin: what was planned, and what the scratch checkpoint held before
 * the query was started from it.
 */
final class PlannedStart {
  private final Store store;
  private final Checkpoint written;
  private final long first;
  private final Map<String, String> planned;
  private final boolean isAtEnd;
  private final Optional<OffsetLog> start;
  private final Optional<OffsetLog> end;

  private PlannedStart(
      Store store,
      Checkpoint written,
      long first,
      Map<String, String> planned,
      boolean isAtEnd,
      Optional<OffsetLog> start,
      Optional<OffsetLog> end) {
    this.store = store;
    this.written = written;
    this.first = first;
    this.planned = planned;
    this.isAtEnd = isAtEnd;
    this.start = start;
    this.end = end;
  }

  /**
   * Reads a checkpoint that nothing was started from yet.
   *
   * @param stream the stream, with its target in the scratch place
   * @param resolved the journal's entry of that name
   */
  static PlannedStart read(Store store, StreamPlan stream, JsonNode resolved) throws IOException {
    requireNonNull(store, "store");
    CheckpointReader reader = new CheckpointReader(store);
    Checkpoint written = reader.read(stream.checkpoint().to().orElseThrow());
    long first = written.lastCommitted().orElse(-1) + 1;
    Map<String, String> planned = new LinkedHashMap<>();
    resolved
        .path("sources")
        .forEach(
            source ->
                planned.put(stream.newId(source.path("id").asText()), source.path("raw").asText()));
    return new PlannedStart(
        store,
        written,
        first,
        planned,
        stream.strategy() == Strategy.REPLAY || resolved.path("batch").asLong(-1) >= first,
        first == 0 ? Optional.empty() : reader.offsets(written.location(), first - 1).readable(),
        written.lastPlanned().orElse(-1) >= first
            ? reader.offsets(written.location(), first).readable()
            : Optional.empty());
  }

  /** The first batch that the new query runs. */
  long first() {
    return first;
  }

  /** The newest batch that the checkpoint knew before the query ran; -1 if none. */
  long lastWritten() {
    return written.lastPlanned().orElse(-1);
  }

  /**
   * Compares what the first batch was with what it had to be.
   *
   * @param ran the first batch's own plan; empty if nothing keeps it
   * @param findings gets an error for each source that began, or ended, elsewhere
   */
  List<StreamRehearsal.SourceRun> compare(Optional<OffsetLog> ran, List<Finding> findings)
      throws IOException {
    if (ran.isEmpty()) {
      findings.add(
          Finding.error(
              FindingCode.REHEARSAL_FAILED,
              "offsets/" + first,
              "batches were committed, and the plan of the first one, "
                  + first
                  + ", was not there"
                  + " or not readable when it was looked for, so that nobody knows where it began",
              "let the query keep more batches (spark.sql.streaming.minBatchesToRetain), and see"
                  + " that nothing but the query writes into the checkpoint"));
      return List.of();
    }
    Optional<OffsetLog> before =
        first == 0
            ? Optional.empty()
            : new CheckpointReader(store).offsets(written.location(), first - 1).readable();
    List<StreamRehearsal.SourceRun> sources = new ArrayList<>();
    for (String id : ids(ran)) {
      // A query that keeps few batches has removed it by now.
      Optional<String> began = line(before.isPresent() ? before : start, id);
      Optional<String> ended = line(ran, id);
      boolean isAsWritten =
          (start.isEmpty() || line(start, id).equals(began))
              && (end.isEmpty() || line(end, id).equals(ended));
      Optional<String> wanted = Optional.ofNullable(planned.get(id));
      Optional<String> there = isAtEnd ? ended : began;
      boolean isAsPlanned = isAsWritten && (wanted.isEmpty() || wanted.equals(there));
      if (!isAsPlanned) {
        findings.add(
            Finding.error(
                FindingCode.INEXACT_POSITION,
                "source " + id,
                "batch "
                    + first
                    + " of the rehearsed query went from "
                    + words(id, began)
                    + " to "
                    + words(id, ended)
                    + ", and had to "
                    + (isAtEnd ? "end at " : "begin at ")
                    + words(id, wanted.or(() -> line(isAtEnd ? end : start, id))),
                "look who wrote into the scratch checkpoint besides the query; apply nothing before"
                    + " that is known"));
      }
      boolean isSame = isSame(began, ended);
      if (!isSame) {
        findings.add(
            Finding.error(
                FindingCode.INEXACT_POSITION,
                "source " + id,
                "batch "
                    + first
                    + " of the rehearsed query read something else than the old query as source "
                    + id
                    + ": it began at "
                    + began.orElseThrow()
                    + " and ended at "
                    + ended.orElseThrow(),
                "the new query has its sources in another order: put them into the old one, or say in"
                    + " `sources` with `was` which is which"));
      }
      sources.add(
          new StreamRehearsal.SourceRun(
              id,
              wanted.orElse(null),
              isAtEnd ? "end" : "start",
              began.orElse(null),
              ended.orElse(null),
              words(id, began),
              words(id, ended),
              isAsPlanned && isSame));
    }
    return sources;
  }

  /**
   * Whether two lines can be of one source: Delta's names the table, Kafka's and Event Hubs' the
   * topics, and a text of another shape is of another kind.
   */
  private static boolean isSame(Optional<String> began, Optional<String> ended) {
    if (began.isEmpty()
        || ended.isEmpty()
        || began.get().equals(OffsetLog.SourceLine.NONE)
        || ended.get().equals(OffsetLog.SourceLine.NONE)) {
      return true;
    }
    SourceOffset before = SourceOffsets.decode(began.get(), Optional.empty(), Optional.empty());
    SourceOffset after = SourceOffsets.decode(ended.get(), Optional.empty(), Optional.empty());
    if (before instanceof DeltaOffset from && after instanceof DeltaOffset to) {
      return from.tableId().equals(to.tableId());
    }
    if (before instanceof PartitionedOffset from && after instanceof PartitionedOffset to) {
      return !Collections.disjoint(from.next().keySet(), to.next().keySet());
    }
    return before.getClass() == after.getClass();
  }

  private List<String> ids(Optional<OffsetLog> ran) {
    return ran.or(() -> end)
        .or(() -> start)
        .map(log -> log.sources().stream().map(OffsetLog.SourceLine::id).toList())
        .orElse(List.of());
  }

  private static Optional<String> line(Optional<OffsetLog> log, String id) {
    return log.flatMap(plan -> plan.source(id)).map(OffsetLog.SourceLine::raw);
  }

  /** A position as people say it; the line itself where nobody can say it. */
  private String words(String id, Optional<String> raw) {
    if (raw.isEmpty() || raw.get().equals(OffsetLog.SourceLine.NONE)) {
      return "its starting options";
    }
    String words =
        new ResumePositions(written, Facts.NONE, Map.of())
            .at(new OffsetLog.SourceLine(id, raw.get()))
            .consumedThrough();
    return words == null || words.isEmpty() ? raw.get() : words;
  }
}
