package org.streammigrator.migration;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import org.streammigrator.copy.Manifest;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.Severity;
import org.streammigrator.job.ValidateResult;
import org.streammigrator.plan.StreamPlan;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;

/** Puts together what a report says, from outcomes, the journal and the logs; writes nothing. */
public final class StreamReports {
  private static final int MOST_READS = 2000;
  private static final int FEWEST_BATCHES = 8;
  private static final int MOST_BATCHES = 100;

  private final Store store;
  private final Journal journal;
  private final Published published;
  private final Timelines timelines;

  /**
   * Prepares reports.
   *
   * @param streams how many streams the report is about: of many, fewer batches are read each
   */
  public StreamReports(Store store, Journal journal, int streams) {
    this.store = requireNonNull(store, "store");
    this.journal = requireNonNull(journal, "journal");
    this.published = new Published(store, journal);
    this.timelines =
        new Timelines(
            store,
            Math.max(FEWEST_BATCHES, Math.min(MOST_BATCHES, MOST_READS / Math.max(1, streams))));
  }

  /**
   * A stream after an apply, in a line.
   *
   * @param failure says why a stream stopped
   */
  public StreamLine line(
      StreamPlan stream, StreamOutcome outcome, Function<Exception, String> failure) {
    StreamLine.Verdict verdict =
        switch (outcome.status()) {
          case DONE, UNCHANGED -> StreamLine.Verdict.GOOD;
          case AHEAD, PROVISIONAL, QUIESCING, HELD, WATCHED, WAITING -> StreamLine.Verdict.WAITING;
          case REFUSED, LOCKED, NOT_VERIFIED -> StreamLine.Verdict.BAD;
          case STOPPED -> StreamLine.Verdict.STOPPED;
        };
    return line(
        stream,
        verdict,
        outcome.status().label().replace('_', ' '),
        outcome.message() + outcome.failure().map(f -> ": " + failure.apply(f)).orElse(""),
        outcome.findings());
  }

  /** A stream that was proved, or not, in a line. */
  public StreamLine line(StreamPlan stream, Proof.StreamProof proof) {
    if (proof.waitingFor() != null) {
      return line(
          stream,
          StreamLine.Verdict.WAITING,
          "waiting",
          "waiting for " + proof.waitingFor(),
          proof.findings());
    }
    return proof.ok()
        ? line(
            stream,
            StreamLine.Verdict.GOOD,
            "proved",
            proof.rows() == null
                ? "the old and the new checkpoint meet; rows were not compared"
                : "the old and the new checkpoint meet, and the sink's rows are as they should be",
            proof.findings())
        : line(
            stream,
            StreamLine.Verdict.BAD,
            "not proved",
            "something is off; the findings say what",
            proof.findings());
  }

  private StreamLine line(
      StreamPlan stream,
      StreamLine.Verdict verdict,
      String status,
      String message,
      List<Finding> findings) {
    Optional<JsonNode> staged = journal.last(stream.name(), "staged").filter(e -> e.has("bytes"));
    List<Long> took =
        steps(stream).stream().map(StreamReport.DoneStep::tookMs).filter(Objects::nonNull).toList();
    return new StreamLine(
        stream.name(),
        stream.strategy().label(),
        verdict,
        status,
        message,
        staged.map(entry -> entry.path("files").asLong()).orElse(null),
        staged.map(entry -> entry.path("bytes").asLong()).orElse(null),
        took.isEmpty() ? null : (Long) took.stream().mapToLong(ms -> ms).sum(),
        count(findings, Severity.ERROR),
        count(findings, Severity.WARNING));
  }

  private static int count(List<Finding> findings, Severity severity) {
    return (int) findings.stream().filter(finding -> finding.severity() == severity).count();
  }

  /** All of a stream after an apply. What cannot be read is said to be unknown. */
  public StreamReport report(StreamPlan stream, StreamLine line, List<Finding> findings) {
    return report(stream, line, List.of(), null, findings);
  }

  /** All of a stream that was proved, or not. */
  public StreamReport report(StreamPlan stream, StreamLine line, Proof.StreamProof proof) {
    List<StreamReport.LedgerLine> ledger =
        proof.ledger().stream()
            .map(
                entry ->
                    new StreamReport.LedgerLine(
                        entry.source(),
                        entry.type(),
                        entry.oldBatches(),
                        entry.oldThrough(),
                        entry.newBatches(),
                        entry.newThrough(),
                        entry.meets(),
                        ""))
            .toList();
    return report(stream, line, ledger, proof.rows(), proof.findings());
  }

  private StreamReport report(
      StreamPlan stream,
      StreamLine line,
      List<StreamReport.LedgerLine> proved,
      ValidateResult rows,
      List<Finding> findings) {
    Optional<JsonNode> resolved = journal.last(stream.name(), "resolved");
    Optional<JsonNode> batch =
        resolved.map(entry -> entry.path("batch")).filter(JsonNode::isIntegralNumber);
    List<String> notes = new ArrayList<>();
    OptionalLong written = OptionalLong.empty();
    try {
      Optional<Manifest> manifest = published.manifest(stream);
      if (manifest.isPresent()) {
        written = OptionalLong.of(Undoable.newest(manifest.get(), "offsets/"));
      }
    } catch (IOException unreadable) {
      notes.add("the new checkpoint could not be looked at: " + unreadable.getMessage());
    }
    Timelines.Known known =
        timelines.of(
            stream,
            batch.isPresent() ? OptionalLong.of(batch.get().asLong()) : OptionalLong.empty(),
            written);
    notes.addAll(known.notes());
    return new StreamReport(
        line,
        stream.checkpoint().from().toString(),
        stream.checkpoint().to().map(Location::toString).orElse(null),
        text(resolved, "queryId"),
        text(resolved, "exactness"),
        text(resolved, "explanation"),
        known.old(),
        steps(stream),
        known.timelines(),
        notes,
        proved.isEmpty() ? applied(resolved) : proved,
        rows,
        findings,
        RollbackOutlook.of(store, journal, stream));
  }

  private static String text(Optional<JsonNode> entry, String field) {
    return entry
        .map(e -> e.path(field))
        .filter(JsonNode::isTextual)
        .map(JsonNode::asText)
        .orElse(null);
  }

  private static List<StreamReport.LedgerLine> applied(Optional<JsonNode> resolved) {
    return resolved.map(Resolved::ledger).orElse(List.of()).stream()
        .map(
            entry ->
                new StreamReport.LedgerLine(
                    entry.source(),
                    entry.type(),
                    null,
                    entry.processedThrough(),
                    null,
                    null,
                    entry.meets(),
                    entry.note()))
        .toList();
  }

  /** The steps of the last attempt, by the journal. */
  private List<StreamReport.DoneStep> steps(StreamPlan stream) {
    List<StreamReport.DoneStep> steps = new ArrayList<>();
    for (JsonNode entry : journal.since(stream.name())) {
      String event = entry.path("event").asText();
      if (event.equals("resolved")) {
        // The old query stays stopped, whatever is planned anew.
        steps.removeIf(step -> !step.kind().equals(Step.Kind.QUIESCE.label()));
      } else if (event.equals("step-done")) {
        Instant at = Instant.parse(entry.path("at").asText());
        steps.add(
            new StreamReport.DoneStep(
                entry.path("step").asText(),
                entry.path("result").asText(),
                at,
                entry.has("began")
                    ? (Long)
                        Duration.between(Instant.parse(entry.path("began").asText()), at).toMillis()
                    : null));
      }
    }
    return steps;
  }
}
