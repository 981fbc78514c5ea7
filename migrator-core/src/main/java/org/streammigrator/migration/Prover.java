package org.streammigrator.migration;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.streammigrator.backfill.Boundary;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.checkpoint.CheckpointReader;
import org.streammigrator.checkpoint.OffsetHeader;
import org.streammigrator.checkpoint.OffsetLog;
import org.streammigrator.checkpoint.source.DeltaOffset;
import org.streammigrator.checkpoint.source.SourceOffset;
import org.streammigrator.copy.Manifest;
import org.streammigrator.facts.Facts;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.finding.Severity;
import org.streammigrator.job.DeltaPosition;
import org.streammigrator.job.JobJson;
import org.streammigrator.job.JobRunner;
import org.streammigrator.job.SourceSpec;
import org.streammigrator.job.ValidateResult;
import org.streammigrator.job.ValidateSpec;
import org.streammigrator.job.WindowRange;
import org.streammigrator.plan.BackfillPlan;
import org.streammigrator.plan.CheckLevel;
import org.streammigrator.plan.ChecksPlan;
import org.streammigrator.plan.SinkKind;
import org.streammigrator.plan.SinkPlan;
import org.streammigrator.plan.SourceKind;
import org.streammigrator.plan.SourcePlan;
import org.streammigrator.plan.SqlText;
import org.streammigrator.plan.Strategy;
import org.streammigrator.plan.StreamPlan;
import org.streammigrator.position.ResumePositions;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;

/**
 * Proves a migration after the new query has run: from the logs of both checkpoints, and where the
 * plan's {@code checks} say how, by a batch job that recomputes what the sink should hold.
 */
public final class Prover {
  private final Store store;
  private final Journal journal;
  private final Supplier<JobRunner> jobs;
  private final Published published;

  /**
   * Prepares the proof.
   *
   * @param jobs where comparisons run; asked only if a plan wants one
   */
  public Prover(Store store, Journal journal, Supplier<JobRunner> jobs) {
    this.store = requireNonNull(store, "store");
    this.journal = requireNonNull(journal, "journal");
    this.jobs = requireNonNull(jobs, "jobs");
    this.published = new Published(store, journal);
  }

  /** Proves one stream. */
  public Proof.StreamProof prove(StreamPlan stream) throws IOException {
    Optional<JsonNode> resolved = journal.last(stream.name(), "resolved");
    Optional<Manifest> manifest = published.manifest(stream);
    if (resolved.isEmpty() || manifest.isEmpty()) {
      return waiting(stream, "the migration: apply the plan first");
    }
    if (stream.strategy() == Strategy.BACKFILL && !journal.isFinished(stream.name())) {
      return waiting(
          stream,
          "the final run of the backfill: apply the plan again once the new query's watermark has"
              + " passed the job's windows");
    }
    if (stream.strategy() == Strategy.REPLAY && !journal.isFinished(stream.name())) {
      return waiting(
          stream,
          "the batch that rebuilds the state: run it with its output elsewhere, and apply the plan"
              + " again");
    }
    List<Finding> findings = new ArrayList<>();
    oldIsUnchanged(stream, resolved.get(), findings);
    Checkpoint now = new CheckpointReader(store).read(stream.checkpoint().to().orElseThrow());
    long cut = resolved.get().path("batch").isNull() ? -1 : resolved.get().path("batch").asLong();
    long last = cut;
    if (stream.strategy() == Strategy.REPLAY) {
      // Its last written batch ends at the old position, whatever its number.
      cut = Undoable.newest(manifest.get(), "offsets/");
    }
    SortedSet<Long> ran = now.offsets().batches().tailSet(cut + 1);
    boolean anyCommitted = now.lastCommitted().isPresent() && now.lastCommitted().getAsLong() > cut;
    if (!anyCommitted) {
      return waiting(
          stream,
          "the first batch of the new query: start it from "
              + now.location()
              + StartOptions.recorded(journal, stream).stream()
                  .reduce((one, other) -> one + "; " + other)
                  .map(options -> " with " + options)
                  .orElse(""));
    }
    List<Proof.Line> ledger = List.of();
    if (stream.strategy() == Strategy.START_OPTIONS) {
      findings.add(
          Finding.warning(
              FindingCode.NOT_AVAILABLE,
              "offsets/0",
              "where batch 0 of a query that began at an empty checkpoint started is recorded nowhere;"
                  + " it had to start with "
                  + String.join("; ", StartOptions.recorded(journal, stream)),
              "compare the rows (`checks` of the plan), or the query's own progress"));
    } else {
      ledger = ledger(stream, resolved.get(), now, cut, last, ran, findings);
    }
    ValidateResult rows = null;
    if (!Finding.anyError(findings)) {
      rows = rows(stream, now, findings);
    }
    return new Proof.StreamProof(stream.name(), ledger, rows, null, findings);
  }

  private static Proof.StreamProof waiting(StreamPlan stream, String what) {
    return new Proof.StreamProof(stream.name(), List.of(), null, what, List.of());
  }

  private void oldIsUnchanged(StreamPlan stream, JsonNode resolved, List<Finding> findings)
      throws IOException {
    Location from = stream.checkpoint().from();
    try {
      String now = Checkpoint.fingerprint(new CheckpointReader(store).list(from));
      if (!now.equals(resolved.path("oldFingerprint").asText())) {
        findings.add(
            Finding.error(
                FindingCode.OLD_CHECKPOINT_GROWS,
                from.toString(),
                "the old checkpoint has changed since the migration: its query may still be running,"
                    + " and two queries write under one id",
                "stop the old query; compare the sink before you trust it"));
      }
    } catch (NoSuchFileException gone) {
      findings.add(
          Finding.warning(
              FindingCode.NOT_A_CHECKPOINT,
              from.toString(),
              "the old checkpoint is not there any more, so that nobody can go back to it",
              "restore it from its archive if you may still want to"));
    }
  }

  private List<Proof.Line> ledger(
      StreamPlan stream,
      JsonNode resolved,
      Checkpoint now,
      long cut,
      long lastOld,
      SortedSet<Long> ran,
      List<Finding> findings)
      throws IOException {
    CheckpointReader reader = new CheckpointReader(store);
    Optional<OffsetLog> atCut = reader.offsets(now.location(), cut).readable();
    ResumePositions positions = new ResumePositions(now, Facts.NONE, Map.of());
    boolean gap = ran.last() - ran.first() + 1 != ran.size() || ran.first() != cut + 1;
    if (gap && atCut.isPresent()) {
      findings.add(
          Finding.error(
              FindingCode.BATCH_GAP,
              "offsets",
              "the new checkpoint went on at batch "
                  + ran.first()
                  + " instead of "
                  + (cut + 1)
                  + ", or has a gap after it",
              "find out who wrote into the new checkpoint"));
    }
    if (atCut.isEmpty()) {
      findings.add(
          Finding.warning(
              FindingCode.INEXACT_POSITION,
              "offsets/" + cut,
              "the new checkpoint does not keep this batch any more, so that nothing shows where its"
                  + " first batch began",
              "prove a migration before the new query has run some hundred batches"));
    }
    String oldBatches = oldBatches(stream, lastOld);
    Map<String, String> last = new TreeMap<>();
    now.committedOffsets()
        .ifPresent(log -> log.sources().forEach(line -> last.put(line.id(), line.raw())));
    List<Proof.Line> lines = new ArrayList<>();
    for (JsonNode source : resolved.path("sources")) {
      String oldId = source.path("id").asText();
      String raw = source.path("raw").asText();
      String id = stream.newId(oldId);
      Optional<String> start = atCut.flatMap(log -> log.source(id)).map(OffsetLog.SourceLine::raw);
      String meets = start.isEmpty() ? "unknown" : start.get().equals(raw) ? "yes" : "no";
      if (meets.equals("no")) {
        findings.add(
            Finding.error(
                FindingCode.INEXACT_POSITION,
                "source " + oldId,
                "the new query started at " + start.get() + " and the old one had ended at " + raw,
                "find out who changed the new checkpoint before the query started"));
      }
      lines.add(
          new Proof.Line(
              oldId,
              positions.at(new OffsetLog.SourceLine(id, raw)).type().label(),
              oldBatches,
              positions.at(new OffsetLog.SourceLine(id, raw)).consumedThrough(),
              ran.first() + ".." + now.lastCommitted().orElseThrow(),
              last.containsKey(id)
                  ? positions.at(new OffsetLog.SourceLine(id, last.get(id))).consumedThrough()
                  : "unknown",
              meets));
    }
    return lines;
  }

  private String oldBatches(StreamPlan stream, long cut) throws IOException {
    try {
      Checkpoint old = new CheckpointReader(store).read(stream.checkpoint().from());
      return old.offsets().oldest().orElse(cut) + ".." + cut;
    } catch (NoSuchFileException gone) {
      return "?.." + cut;
    }
  }

  private ValidateResult rows(StreamPlan stream, Checkpoint now, List<Finding> findings) {
    ChecksPlan checks = stream.checks();
    CheckLevel level = checks.counts().or(checks::duplicates).orElse(CheckLevel.ERROR);
    boolean wanted =
        checks.counts().isPresent()
            || checks.duplicates().isPresent()
            || checks.sql().isPresent()
            || stream.strategy() == Strategy.BACKFILL
                && stream.backfill().flatMap(BackfillPlan::sql).isPresent();
    if (!wanted || level == CheckLevel.OFF) {
      return null;
    }
    Optional<ValidateSpec> spec = spec(stream, now, findings);
    if (spec.isEmpty()) {
      return null;
    }
    ValidateResult result = jobs.get().validate(spec.get(), Runners.comparing(stream.runner()));
    String message =
        result.missing()
            + " rows are missing in the sink and "
            + result.extra()
            + " are there too often (expected "
            + result.expectedRows()
            + ", found "
            + result.actualRows()
            + ")";
    if (!result.ok()) {
      FindingCode code =
          result.missing() > 0 ? FindingCode.SINK_BEHIND : FindingCode.SINK_ROWS_REPEATED;
      findings.add(
          new Finding(
              code,
              level == CheckLevel.WARNING ? Severity.WARNING : Severity.ERROR,
              "sink",
              message,
              "look at the examples in `rows`; check that `checks.sql` is what the query computes"));
    }
    return result;
  }

  private Optional<ValidateSpec> spec(StreamPlan stream, Checkpoint now, List<Finding> findings) {
    Optional<SourcePlan> source =
        stream.sources().size() == 1 ? Optional.of(stream.sources().get(0)) : Optional.empty();
    Optional<Location> table =
        source
            .flatMap(SourcePlan::address)
            .filter(address -> address.kind() == SourceKind.DELTA)
            .flatMap(address -> address.location())
            .filter(Location::isLocal);
    Optional<Location> sink =
        stream.sink().size() == 1
            ? Optional.of(stream.sink().get(0).address())
                .filter(address -> address.kind() == SinkKind.DELTA)
                .flatMap(address -> address.location())
                .filter(Location::isLocal)
            : Optional.empty();
    Optional<DeltaPosition> to = position(now);
    if (table.isEmpty() || sink.isEmpty() || to.isEmpty()) {
      findings.add(
          Finding.warning(
              FindingCode.NOT_AVAILABLE,
              "checks",
              "rows are compared for one Delta source and one Delta sink on local paths only, and not"
                  + " inside an initial snapshot; this stream's are not",
              "compare the rows yourself; the ledger above holds without it"));
      return Optional.empty();
    }
    ChecksPlan checks = stream.checks();
    List<String> keys =
        checks.duplicates().orElse(CheckLevel.OFF) == CheckLevel.OFF
            ? List.of()
            : stream.sink().stream().map(SinkPlan::keys).findFirst().orElse(List.of());
    Optional<BackfillPlan> backfill = stream.backfill();
    Instant first = firstWindow(stream);
    WindowRange windows =
        checks
            .window()
            .or(() -> backfill.flatMap(BackfillPlan::window))
            .map(
                window ->
                    new WindowRange(
                        window.column(), first, closedBefore(now, window.size().toMillis(), first)))
            .orElse(null);
    return Optional.of(
        new ValidateSpec(
            SourceSpec.delta(
                source.get().name().orElse(table.get().name()),
                table.get().localPath().toString(),
                null,
                to.get()),
            new ValidateSpec.Sink(sink.get().localPath().toString()),
            keys,
            // A key that the source has as null is not the migration's doing.
            "value",
            checks
                .sql()
                .or(() -> backfill.flatMap(BackfillPlan::sql).map(SqlText::sql))
                .orElse(null),
            windows,
            null,
            stream.conf().get("timeZone"),
            null));
  }

  /** The first window that a backfill computed; null if there was none: all are compared. */
  private Instant firstWindow(StreamPlan stream) {
    return journal
        .last(stream.name(), Backfills.BOUNDARY)
        .map(entry -> JobJson.value(entry.path(Backfills.BOUNDARY), Boundary.class))
        .map(Boundary::firstWindow)
        .orElse(null);
  }

  private static Optional<DeltaPosition> position(Checkpoint now) {
    Optional<OffsetLog> log = now.committedOffsets();
    if (log.isEmpty() || log.get().sources().size() != 1) {
      return Optional.empty();
    }
    OffsetLog.SourceLine line = log.get().sources().get(0);
    SourceOffset offset =
        new ResumePositions(now, Facts.NONE, Map.of()).decode(line.id(), line.raw());
    return offset instanceof DeltaOffset delta && !delta.initialSnapshot()
        ? Optional.of(
            new DeltaPosition(delta.version(), delta.atVersionBoundary() ? -1 : delta.index()))
        : Optional.empty();
  }

  /**
   * The start of the first window that may still be open: windows end at or before the watermark.
   */
  private static Instant closedBefore(Checkpoint now, long sizeMs, Instant first) {
    long watermark =
        now.committedOffsets()
            .flatMap(OffsetLog::header)
            .map(OffsetHeader::batchWatermarkMs)
            .orElse(0L);
    Instant open = Instant.ofEpochMilli(watermark - sizeMs + 1);
    return first != null && open.isBefore(first) ? first : open;
  }
}
