package org.streammigrator.report;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.migration.MigrationReport;
import org.streammigrator.migration.RollbackOutlook;
import org.streammigrator.migration.StreamLine;
import org.streammigrator.migration.StreamLine.Verdict;
import org.streammigrator.migration.StreamReport;
import org.streammigrator.migration.Timeline;
import org.streammigrator.rehearsal.SecretMask;

/** Records of reports as commands make them, with everything that a report can have in them. */
final class ReportRecords {
  /** What must neither break a page nor be read as markup. */
  static final String NASTY =
      "/chk/<script>alert('x')</script>&amp; \"q\" | `tick` _em_ *b* 🚀 שלום \u0007 line\nbreak";

  /** A word that must not be in any report. */
  static final String SECRET = "hunter2-very-secret";

  static final Instant AT = Instant.parse("2026-03-27T10:00:00Z");

  private static final RollbackOutlook ROLLBACK =
      new RollbackOutlook(
          RollbackOutlook.Kind.REMOVES,
          "it reads what was written again, removes it if it is still exactly that, and leaves the"
              + " old checkpoint file:/chk/orders_v1 as it is",
          List.of("file:/chk/orders_v2", "file:/chk/.orders_v2.migrator-manifest.json"),
          List.of("put the old query's job 77 of workspace old back, which may start it at once"),
          List.of("the journal file:/plans/orders.journal"),
          List.of());

  private ReportRecords() {}

  static UnaryOperator<String> mask() {
    return SecretMask.of(List.of(SECRET), Map.of())::apply;
  }

  /** A report in a format. */
  static String written(ReportFormat format, MigrationReport report, List<StreamReport> streams) {
    StringWriter out = new StringWriter();
    MigrationReportWriter writer = format.writer(out, mask());
    try {
      writer.begin(report);
      for (StreamReport stream : streams) {
        writer.stream(stream);
      }
      writer.end();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return out.toString();
  }

  static MigrationReport report(String command, int exitCode, List<StreamReport> streams) {
    return new MigrationReport(
        command,
        "orders fleet",
        "orders.yaml",
        AT,
        "file:/plans/orders.journal",
        "0.1.0",
        exitCode,
        streams.stream().map(StreamReport::line).toList());
  }

  /** One stream of each kind. */
  static List<StreamReport> all() {
    return List.of(delta(), kafka(16), refused(), waiting(), rewound());
  }

  /** A stream of a Delta table, proved. */
  static StreamReport delta() {
    List<Timeline.Point> old = new ArrayList<>();
    for (int batch = 0; batch <= 41; batch++) {
      old.add(point(batch, 4 + batch + batch % 3));
    }
    List<Timeline.Point> now = new ArrayList<>();
    for (int batch = 42; batch <= 57; batch++) {
      now.add(point(batch, 6 + batch));
    }
    return stream(
        line("orders_bronze", "seed", Verdict.GOOD, "proved", 9L, 4711L, 0, 0),
        List.of(
            new Timeline(
                "0",
                "delta",
                new Timeline.Batches(0, 41, 42),
                41L,
                new Timeline.Batches(42, 57, 16),
                false,
                List.of(new Timeline.Lane("", old, now)),
                0)),
        List.of(
            new StreamReport.LedgerLine(
                "0", "delta", "0..41", "version 47", "42..57", "version 63", "yes", "")),
        List.of());
  }

  /** A stream of so many partitions, before the restart. */
  static StreamReport kafka(int partitions) {
    List<Timeline.Lane> lanes = new ArrayList<>();
    for (int partition = 0; partition < partitions; partition++) {
      List<Timeline.Point> old = new ArrayList<>();
      for (int batch = 100; batch <= 120; batch++) {
        double offset =
            1000.0 + batch * 17 * (partition + 1) + (batch * batch % (partition + 3)) * 40;
        old.add(new Timeline.Point(batch, true, offset, Long.toString((long) offset)));
      }
      lanes.add(new Timeline.Lane("orders.events.eu-central-1/" + partition, old, List.of()));
    }
    return stream(
        line("clicks_5min", "relocate", Verdict.GOOD, "done", 212L, 73_400_320L, 0, 1),
        List.of(
            new Timeline(
                "0",
                "kafka",
                new Timeline.Batches(20, 120, 101),
                120L,
                null,
                true,
                lanes,
                Math.max(0, partitions - 256))),
        List.of(
            new StreamReport.LedgerLine(
                "0",
                "kafka",
                null,
                partitions + " partitions, orders.events.eu-central-1/0 next 3040",
                null,
                null,
                "exact",
                "the new checkpoint goes on with batch 121")),
        List.of(
            Finding.warning(
                FindingCode.ABSOLUTE_PATHS,
                "state/0",
                "3 files hold absolute paths",
                "give `rewrite` rules for them")));
  }

  /** A stream that is refused, and whose names are of the worst kind. */
  static StreamReport refused() {
    return new StreamReport(
        line(NASTY, "rewind", Verdict.BAD, "refused", null, null, 1, 0),
        "file:" + NASTY,
        null,
        null,
        null,
        null,
        null,
        List.of(),
        List.of(),
        List.of("the old checkpoint could not be read: no answer, password=" + SECRET),
        List.of(),
        null,
        List.of(
            Finding.error(
                FindingCode.PENDING_BATCH,
                NASTY,
                "batch 42 is planned and not committed: " + SECRET,
                "stop the query cleanly; or accept it: " + NASTY)),
        new RollbackOutlook(
            RollbackOutlook.Kind.NOTHING,
            "there is nothing to undo: this plan has written nothing for the stream",
            List.of(),
            List.of(),
            List.of(),
            List.of()));
  }

  static StreamReport waiting() {
    return stream(
        line("sessions", "backfill", Verdict.WAITING, "provisional", 5L, 900L, 0, 0),
        List.of(),
        List.of(),
        List.of());
  }

  /** A stream that went back, and left batches behind. */
  static StreamReport rewound() {
    List<Timeline.Point> old = new ArrayList<>();
    for (int batch = 0; batch <= 20; batch++) {
      old.add(point(batch, batch));
    }
    return stream(
        line("payments", "rewind", Verdict.GOOD, "done", 7L, 100_000L, 0, 0),
        List.of(
            new Timeline(
                "0",
                "delta",
                new Timeline.Batches(0, 20, 21),
                14L,
                new Timeline.Batches(15, 16, 2),
                false,
                List.of(new Timeline.Lane("", old, List.of(point(15, 18), point(16, 22)))),
                0)),
        List.of(
            new StreamReport.LedgerLine(
                "0", "delta", null, "version 14", null, null, "overlap", "the sink merges by key")),
        List.of());
  }

  /** A stream as the others of a fleet. */
  static StreamReport ofFleet(int number) {
    StreamReport sample = number % 50 == 49 ? refused() : number % 20 == 19 ? kafka(4) : delta();
    StreamLine line = sample.line();
    return new StreamReport(
        new StreamLine(
            "stream_" + number,
            line.strategy(),
            line.verdict(),
            line.status(),
            line.message(),
            line.files(),
            line.bytes(),
            line.tookMs(),
            line.errors(),
            line.warnings()),
        sample.from(),
        sample.to(),
        sample.queryId(),
        sample.exactness(),
        sample.explanation(),
        sample.old(),
        sample.steps(),
        sample.timelines(),
        sample.notes(),
        sample.ledger(),
        sample.rows(),
        sample.findings(),
        sample.rollback());
  }

  private static Timeline.Point point(long batch, double version) {
    return new Timeline.Point(batch, true, version, "version " + (long) version);
  }

  private static StreamLine line(
      String name,
      String strategy,
      Verdict verdict,
      String status,
      Long files,
      Long bytes,
      int errors,
      int warnings) {
    String message =
        switch (verdict) {
          case GOOD -> "the new checkpoint is at file:/chk/orders_v2";
          case WAITING -> "the final run waits until the new query's watermark has passed";
          case BAD -> "a finding forbids it; nothing was written";
          case STOPPED -> "it stopped part-way; apply the plan again to go on";
        };
    return new StreamLine(
        name,
        strategy,
        verdict,
        status,
        message,
        files,
        bytes,
        files == null ? null : 12_340L,
        errors,
        warnings);
  }

  private static StreamReport stream(
      StreamLine line,
      List<Timeline> timelines,
      List<StreamReport.LedgerLine> ledger,
      List<Finding> findings) {
    return new StreamReport(
        line,
        "abfss://old@lake.dfs.core.windows.net/checkpoints/production/" + line.name() + "_v1",
        "abfss://new@lake.dfs.core.windows.net/checkpoints/production/" + line.name() + "_v2",
        "11111111-2222-4333-8444-555555555555",
        "EXACT",
        "it goes on at the end of the last committed batch",
        new StreamReport.Size(412, 99_000_111),
        List.of(
            new StreamReport.DoneStep(
                "archive", "file:/archive/orders_v1.tar.zst", AT.minusSeconds(30), 11_000L),
            new StreamReport.DoneStep("write", "9 files, 4711 bytes", AT.minusSeconds(20), 1_200L),
            new StreamReport.DoneStep(
                "verify", "9 files are as they were written", AT.minusSeconds(10), 140L),
            new StreamReport.DoneStep("publish", "file:/chk/orders_v2", AT, null)),
        timelines,
        List.of(),
        ledger,
        null,
        findings,
        ROLLBACK);
  }
}
