package org.streammigrator.backfill;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.job.BackfillResult;
import org.streammigrator.job.BackfillSpec;
import org.streammigrator.job.SourceSpec;
import org.streammigrator.job.WindowRange;
import org.streammigrator.plan.BackfillMode;
import org.streammigrator.plan.BackfillPlan;
import org.streammigrator.plan.SinkPlan;
import org.streammigrator.plan.SqlText;
import org.streammigrator.plan.StreamPlan;
import org.streammigrator.plan.WindowPlan;

/** The jobs of a stream's backfill, and what their measurement means. A pure computation. */
public final class BackfillJobs {
  private final StreamPlan stream;
  private final BackfillPlan plan;
  private final WindowPlan window;
  private final WindowGrid grid;

  /**
   * @param stream a plan without {@link DeclaredBackfill#problems}
   */
  public BackfillJobs(StreamPlan stream) {
    this.stream = requireNonNull(stream, "stream");
    this.plan = stream.backfill().orElseThrow();
    this.window = plan.window().orElseThrow();
    this.grid = WindowGrid.of(window);
  }

  /**
   * The start of the first window that was open at a watermark; null if there was no watermark.
   *
   * @param watermarkMs of the last batch whose output is in the sink, milliseconds of the epoch
   */
  public Instant firstOpen(long watermarkMs) {
    return watermarkMs <= 0 ? null : grid.firstOpen(watermarkMs);
  }

  /**
   * Why a declared cut cannot be: it lies among the windows that are closed.
   *
   * @param firstOpen as {@link #firstOpen(long)} gives it
   */
  public Optional<Finding> closedCut(Instant firstOpen) {
    return plan.cut()
        .filter(cut -> firstOpen != null && cut.isBefore(firstOpen))
        .map(
            cut ->
                Finding.error(
                    FindingCode.BACKFILL_INEXACT,
                    "backfill.cut",
                    "the windows before "
                        + firstOpen
                        + " are closed and in the table, and the stream would write those from "
                        + cut
                        + " on again",
                    "leave it to cut: auto"));
  }

  /**
   * Why nothing would ever be final: the old query had no watermark, and the plan names no delay of
   * the new one.
   *
   * @param watermarkMs the old query's, milliseconds of the epoch
   */
  public Optional<Finding> endless(long watermarkMs) {
    boolean hasDelay =
        window.delay().isPresent()
            || stream.query().operators().stream().anyMatch(each -> each.delay().isPresent());
    return watermarkMs > 0 || hasDelay
        ? Optional.empty()
        : Optional.of(
            Finding.error(
                FindingCode.BACKFILL_INEXACT,
                "backfill.window",
                "the old query has no watermark, so that all of its windows are open, and late events"
                    + " can come for them for ever",
                "give the new query a watermark, and say its delay in backfill.window; or use replay"
                    + " from the query's first position"));
  }

  /**
   * The job that only measures.
   *
   * @param firstOpen as {@link #firstOpen(long)} gives it
   */
  public BackfillSpec measuring(List<SourceSpec> sources, Instant firstOpen) {
    return spec(
        sources,
        new WindowRange(window.column(), firstOpen, plan.cut().orElse(null), plan.windows()),
        null,
        true);
  }

  /**
   * The job that computes the windows that it owns.
   *
   * @param id tells this run from all others
   */
  public BackfillSpec computing(List<SourceSpec> sources, Boundary boundary, String id) {
    return spec(
        sources,
        new WindowRange(window.column(), boundary.firstWindow(), boundary.cut(), boundary.given()),
        id,
        false);
  }

  private BackfillSpec spec(
      List<SourceSpec> sources, WindowRange windows, String id, boolean dryRun) {
    SinkPlan sink = stream.sink().get(0);
    return new BackfillSpec(
        sources,
        plan.sql().map(SqlText::sql).orElse(null),
        plan.transform()
            .map(
                transform ->
                    new BackfillSpec.Transform(
                        transform.className(),
                        transform.jar().map(SourceRanges::path).orElse(null)))
            .orElse(null),
        windows,
        new BackfillSpec.Sink(
            SourceRanges.path(sink.address()),
            sink.keys(),
            plan.mode() == BackfillMode.INSERT_ONLY ? "insert-only" : "upsert",
            null,
            null,
            plan.evolve(),
            null,
            null),
        null,
        id,
        stream.conf().get("timeZone"),
        dryRun,
        null);
  }

  /**
   * The boundary that a measurement leads to.
   *
   * @param nextWatermarkMs what the next batch would have had as watermark; no less
   * @param firstOpen as {@link #firstOpen(long)} gives it
   * @param now the time, by which an event from the future is told
   * @param findings gets what speaks against it
   * @return empty if there is none
   */
  public Optional<Boundary> boundary(
      BackfillResult measured,
      long watermarkMs,
      long nextWatermarkMs,
      Instant firstOpen,
      Instant now,
      List<Finding> findings) {
    Instant newest =
        measured.sources().stream()
            .map(BackfillResult.Source::newestEvent)
            .filter(Objects::nonNull)
            .max(Instant::compareTo)
            .orElse(null);
    retained(measured, firstOpen, findings);
    Instant watermark = Instant.ofEpochMilli(Math.max(watermarkMs, nextWatermarkMs));
    if (watermark.toEpochMilli() > 0 && (newest == null || newest.isBefore(watermark))) {
      findings.add(
          Finding.error(
              FindingCode.INEXACT_POSITION,
              "backfill.cut",
              "the old query's watermark stands at "
                  + watermark
                  + ", and "
                  + (newest == null
                      ? "its sources hold no event"
                      : "the newest event that its sources still hold is of " + newest)
                  + ": they no longer hold all that it has read, or eventTime is not what its"
                  + " watermark is taken from",
              "check `sources`: place and eventTime"));
      return Optional.empty();
    }
    if (newest == null && plan.cut().isEmpty()) {
      findings.add(
          Finding.error(
              FindingCode.INEXACT_POSITION,
              "backfill.cut",
              "the sources hold no event up to the position, so that no cut can be measured",
              "use strategy seed: there is no window to rebuild"));
      return Optional.empty();
    }
    future(newest, now, findings);
    if (plan.cut().isEmpty() && newest.isAfter(DeclaredBackfill.LATEST)) {
      findings.add(
          Finding.error(
              FindingCode.FUTURE_EVENT_TIME,
              "backfill.cut",
              "the newest event that was read is of "
                  + newest
                  + ", after which no window of the stream can start",
              "declare a cut, and give the windows of such events to the job by `windows`"));
      return Optional.empty();
    }
    Instant cut = plan.cut().orElseGet(() -> grid.after(newest));
    if (plan.cut().isPresent() && !covered(measured, cut, findings)) {
      return Optional.empty();
    }
    Optional<Instant> before =
        plan.windows().stream().filter(start -> start.isBefore(cut)).findFirst();
    if (before.isPresent()) {
      findings.add(
          Finding.error(
              FindingCode.BACKFILL_INEXACT,
              "backfill.windows",
              before.get()
                  + " is before the cut ("
                  + cut
                  + "): windows before it are the job's anyway, or closed",
              "give windows from the cut on"));
      return Optional.empty();
    }
    Instant last = grid.endBefore(cut);
    for (Instant start : plan.windows()) {
      last = grid.endOf(start).isAfter(last) ? grid.endOf(start) : last;
    }
    return Optional.of(
        new Boundary(
            cut,
            firstOpen,
            plan.windows().stream().sorted().distinct().toList(),
            watermarkMs,
            newest,
            begins(measured),
            last));
  }

  private static Map<String, JsonNode> begins(BackfillResult measured) {
    Map<String, JsonNode> begins = new TreeMap<>();
    for (BackfillResult.Source source : measured.sources()) {
      if (source.from() != null && !source.from().isNull()) {
        begins.put(source.name(), source.from());
      }
    }
    return begins;
  }

  /** Whether the job owns every window beyond a declared cut that a processed event lies in. */
  private boolean covered(BackfillResult measured, Instant cut, List<Finding> findings) {
    List<Instant> wanting = new ArrayList<>();
    for (BackfillResult.Source source : measured.sources()) {
      if (source.beyond() != null && source.beyond().size() > BackfillResult.Source.MOST_BEYOND) {
        findings.add(
            Finding.error(
                FindingCode.BACKFILL_INEXACT,
                "backfill.cut",
                "before the position the old query has read more than "
                    + BackfillResult.Source.MOST_BEYOND
                    + " different event times from "
                    + cut
                    + " on: these are no outliers",
                "leave it to cut: auto, or declare a later cut"));
        return false;
      }
      for (Instant event : Objects.requireNonNullElse(source.beyond(), List.<Instant>of())) {
        grid.startsOf(event).stream()
            .filter(start -> !start.isBefore(cut) && !plan.windows().contains(start))
            .forEach(wanting::add);
      }
    }
    if (wanting.isEmpty()) {
      return true;
    }
    List<Instant> starts = wanting.stream().sorted().distinct().toList();
    findings.add(
        Finding.error(
            FindingCode.BACKFILL_INEXACT,
            "backfill.cut",
            "before the position the old query has read events of "
                + starts.size()
                + (starts.size() == 1 ? " window" : " windows")
                + " from "
                + cut
                + " on, which the stream would compute without them: "
                + listed(starts),
            "leave it to cut: auto; or give the job these windows, too: windows: ["
                + listed(starts)
                + "]"));
    return false;
  }

  private void future(Instant newest, Instant now, List<Finding> findings) {
    if (newest == null || !newest.isAfter(now) || plan.cut().isPresent()) {
      return;
    }
    findings.add(
        Finding.warning(
            FindingCode.FUTURE_EVENT_TIME,
            "backfill.cut",
            "the newest event that was read is of "
                + newest
                + ", which is yet to come (it is "
                + now
                + "): the stream's first window starts after it, and the job has all until then",
            "declare the cut where the real events end, such as cut: "
                + grid.after(now)
                + ", and give the windows of such events to the job by `windows`; plan names those"
                + " that are missing"));
  }

  private static void retained(BackfillResult measured, Instant firstOpen, List<Finding> findings) {
    for (BackfillResult.Source source : measured.sources()) {
      Instant oldest = source.oldestRecord();
      if (oldest != null && (firstOpen == null || oldest.isAfter(firstOpen))) {
        findings.add(
            Finding.error(
                FindingCode.KAFKA_RETENTION_LOSS,
                "source " + source.name(),
                "records before "
                    + oldest
                    + " are gone from the topic, and the job needs those from "
                    + (firstOpen == null ? "the first one" : firstOpen.toString())
                    + " on",
                "accept the loss (accept: [KAFKA_RETENTION_LOSS]), or rebuild these windows from"
                    + " another copy of the records"));
      }
    }
  }

  private static String listed(List<Instant> starts) {
    int shown = Math.min(starts.size(), 100);
    String text =
        String.join(", ", starts.subList(0, shown).stream().map(Instant::toString).toList());
    return shown == starts.size() ? text : text + ", ...";
  }
}
