package org.streammigrator.report;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.streammigrator.backfill.BackfillOutlook;
import org.streammigrator.job.BackfillResult;
import org.streammigrator.migration.LedgerEntry;
import org.streammigrator.migration.PathRewrite;
import org.streammigrator.migration.PlanReport;
import org.streammigrator.migration.ReplayOutlook;
import org.streammigrator.migration.StartOptions;
import org.streammigrator.migration.Step;
import org.streammigrator.migration.StreamItinerary;
import org.streammigrator.plan.Strategy;
import org.streammigrator.replay.ReplayStart;

/** A dry run as text. */
public final class PlanText {
  private static final int MOST_FILES = 20;
  private static final int MOST_SAMPLES = 5;

  private PlanText() {}

  /** The whole report. */
  public static String render(PlanReport report) {
    StringBuilder text =
        new StringBuilder("Plan " + report.plan() + " (dry run, nothing written)\n");
    for (StreamItinerary stream : report.streams()) {
      text.append('\n');
      stream(stream, text);
    }
    PlanReport.Summary summary = report.summary();
    text.append('\n')
        .append(
            count(summary.streams(), "stream")
                + ", "
                + count(summary.steps(), "step")
                + ", "
                + count(summary.files(), "file")
                + ", "
                + summary.bytes()
                + " bytes to write, "
                + summary.refused()
                + " refused\n");
    return text.toString();
  }

  private static void stream(StreamItinerary stream, StringBuilder text) {
    text.append(stream.name())
        .append(": ")
        .append(stream.strategy())
        .append("\n  from  ")
        .append(stream.stream().checkpoint().from())
        .append('\n');
    stream.stream()
        .checkpoint()
        .to()
        .ifPresent(to -> text.append("  to    ").append(to).append('\n'));
    if (stream.done()) {
      text.append("  done by an earlier apply; nothing to do\n");
    } else if (stream.refused()) {
      text.append("  REFUSED: apply would not touch this stream\n");
    } else if (stream.isPublished()) {
      text.append(
          stream.stream().cutover().isPresent()
              ? "  the new checkpoint is there; its job is still to be switched, or watched\n"
              : stream.replay() != null
                  ? "  the new checkpoint is there; its first batch is still to be looked at\n"
                  : "  the new checkpoint is there; its windows are still to be filled for good\n");
    } else {
      text.append(Wrapped.lines("  " + stream.exactness() + ": ", "      ", stream.explanation()));
    }
    if (stream.stream().strategy() == Strategy.START_OPTIONS
        && stream.resume() != null
        && !stream.refused()) {
      text.append("  start the new query with\n");
      StartOptions.lines(stream.stream(), stream.resume())
          .forEach(line -> text.append(Wrapped.lines("    ", "      ", line)));
    }
    TextTable table = new TextTable();
    int number = 1;
    for (Step step : stream.steps()) {
      table.row(number++ + ".", step.kind().label(), step.description());
    }
    text.append(table.render("  "));
    if (stream.backfill() != null) {
      backfill(stream.backfill(), text);
    }
    if (stream.replay() != null) {
      replay(stream.replay(), stream.refused(), text);
    }
    rewrites(stream, text);
    if (!stream.ledger().isEmpty()) {
      TextTable ledger =
          new TextTable().row("source", "kind", "read through", "goes on with", "meets");
      for (LedgerEntry entry : stream.ledger()) {
        ledger.row(
            entry.source(),
            entry.type(),
            entry.processedThrough(),
            "batch " + entry.firstBatch(),
            entry.meets());
      }
      text.append(ledger.render("  "));
    }
    text.append(FindingText.render(stream.findings(), "  "));
  }

  private static void backfill(BackfillOutlook backfill, StringBuilder text) {
    if (!backfill.sources().isEmpty()) {
      TextTable read = new TextTable().row("the job reads", "up to", "files", "bytes", "records");
      for (BackfillResult.Source source : backfill.sources()) {
        read.row(
            source.name(),
            PositionText.of(source.to()),
            known(source.files()),
            known(source.bytes()),
            known(source.records()));
      }
      text.append(read.render("  "));
    }
    if (backfill.targetFiles() != null) {
      text.append(
          "  its MERGE may touch %s of the table, %d bytes\n"
              .formatted(count(backfill.targetFiles().intValue(), "file"), backfill.targetBytes()));
    }
    backfill.explanation().forEach(sentence -> text.append(Wrapped.lines("  ", "  ", sentence)));
    text.append("  guard the new query, after its aggregation, with\n")
        .append("    Python  " + backfill.guard().python() + "\n")
        .append("    Scala   " + backfill.guard().scala() + "\n")
        .append("    SQL     " + backfill.guard().sql() + "\n");
  }

  private static void replay(ReplayOutlook replay, boolean isRefused, StringBuilder text) {
    if (replay.range() != null) {
      TextTable read =
          new TextTable().row("read again", "from", "files", "bytes", "records", "needed");
      for (ReplayStart start : replay.range().sources()) {
        read.row(
            start.id(),
            PositionText.of(start.from()),
            known(start.files()),
            known(start.bytes()),
            known(start.records()),
            known(start.neededRecords()));
      }
      text.append(read.render("  "));
      for (ReplayStart start : replay.range().sources()) {
        text.append(Wrapped.lines("  source " + start.id() + ": ", "    ", start.explanation()));
      }
      replay
          .range()
          .explanation()
          .forEach(sentence -> text.append(Wrapped.lines("  ", "  ", sentence)));
    }
    if (replay.run() != null && !isRefused) {
      replay.run().forEach(way -> text.append(Wrapped.lines("  ", "  ", way)));
    }
  }

  private static String known(Long number) {
    return number == null ? "?" : number.toString();
  }

  /** All files in the table, and the first of each directory with a path before and after. */
  private static void rewrites(StreamItinerary stream, StringBuilder text) {
    if (stream.rewrites().isEmpty()) {
      return;
    }
    TextTable table = new TextTable().row("embeds paths", "paths", "rewritten", "not covered");
    Set<String> directories = new HashSet<>();
    List<PathRewrite> samples = new ArrayList<>();
    int rows = 0;
    for (PathRewrite file : stream.rewrites()) {
      if (rows++ < MOST_FILES) {
        table.row(
            file.file(),
            Long.toString(file.entries()),
            Long.toString(file.rewritten()),
            Long.toString(file.uncovered()));
      }
      String directory = file.file().substring(0, file.file().lastIndexOf('/') + 1);
      if (directories.add(directory) && samples.size() < MOST_SAMPLES) {
        samples.add(file);
      }
    }
    text.append(table.render("  "));
    if (rows > MOST_FILES) {
      text.append("  and " + (rows - MOST_FILES) + " files more (-o json lists all)\n");
    }
    for (PathRewrite sample : samples) {
      text.append("  in " + sample.file() + "\n")
          .append("    " + sample.from() + "\n")
          .append("    becomes " + sample.to() + "\n");
    }
  }

  private static String count(int number, String noun) {
    return number + " " + noun + (number == 1 ? "" : "s");
  }
}
