package org.streammigrator.report;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.Writer;
import java.util.List;
import java.util.function.UnaryOperator;
import org.streammigrator.finding.Finding;
import org.streammigrator.migration.MigrationReport;
import org.streammigrator.migration.StreamLine;
import org.streammigrator.migration.StreamReport;
import org.streammigrator.migration.Timeline;

/** A report as Markdown with tables (GitHub's flavour). */
final class MarkdownReport implements MigrationReportWriter {
  private final Writer out;
  private final UnaryOperator<String> mask;

  MarkdownReport(Writer out, UnaryOperator<String> mask) {
    this.out = requireNonNull(out, "out");
    this.mask = requireNonNull(mask, "mask");
  }

  @Override
  public void begin(MigrationReport report) throws IOException {
    out.write("<!--" + MARK + "-->\n");
    line("# " + ReportWords.sign(report.verdict()) + " " + text(report.plan()));
    line(
        "`migrator "
            + report.command()
            + "`: **"
            + ReportWords.verdict(report)
            + "**, exit code "
            + report.exitCode()
            + ". "
            + ReportWords.counts(report)
            + ". "
            + ReportWords.next(report));
    line(
        "Written: "
            + ReportWords.number(report.files())
            + " files, "
            + ReportWords.size(report.bytes())
            + ", in "
            + ReportWords.took(report.tookMs())
            + ". Ended "
            + ReportWords.time(report.at())
            + ". Plan "
            + code(report.planFile())
            + ", journal "
            + code(report.journal())
            + ". migrator "
            + report.version()
            + ".");
    row("", "Stream", "Strategy", "Outcome", "Files", "Size", "Time", "Errors", "Warnings");
    out.write("|---|---|---|---|--:|--:|--:|--:|--:|\n");
    for (StreamLine line : report.streams()) {
      row(
          ReportWords.sign(line.verdict()),
          text(line.name()),
          line.strategy(),
          line.status(),
          ReportWords.number(line.files()),
          ReportWords.size(line.bytes()),
          ReportWords.took(line.tookMs()),
          Integer.toString(line.errors()),
          Integer.toString(line.warnings()));
    }
    out.write("\n");
  }

  @Override
  public void stream(StreamReport stream) throws IOException {
    line("## " + text(stream.line().name()));
    line("**" + stream.line().status() + "**: " + text(stream.line().message()));
    line("From " + code(stream.from()) + (stream.to() == null ? "" : " to " + code(stream.to())));
    if (stream.exactness() != null) {
      line(stream.exactness() + ": " + text(stream.explanation()));
    }
    positions(stream);
    ledger(stream);
    if (stream.rows() != null) {
      line(
          "Rows in the sink: "
              + stream.rows().expectedRows()
              + " expected, "
              + stream.rows().actualRows()
              + " found, "
              + stream.rows().missing()
              + " missing, "
              + stream.rows().extra()
              + " too often.");
    }
    if (!stream.steps().isEmpty()) {
      line("### Steps");
      row("Step", "Result", "Ended", "Took");
      out.write("|---|---|---|--:|\n");
      for (StreamReport.DoneStep step : stream.steps()) {
        row(
            step.kind(),
            text(step.result()),
            ReportWords.time(step.at()),
            ReportWords.took(step.tookMs()));
      }
      out.write("\n");
    }
    findings("### Findings", stream.findings());
    line("### What a rollback would do");
    line(text(stream.rollback().message()));
    places("It would remove", stream.rollback().removes());
    places("In workspaces it would", stream.rollback().jobs());
    places("It would keep", stream.rollback().keeps());
    findings("#### Findings of a rollback", stream.rollback().findings());
  }

  private void positions(StreamReport stream) throws IOException {
    line("### Positions");
    for (Timeline timeline : stream.timelines()) {
      line(
          "Source "
              + text(timeline.source())
              + " ("
              + timeline.type()
              + "). "
              + text(TimelineWords.batches(timeline)));
      row(
          "Partition",
          TimelineWords.oldest(timeline),
          TimelineWords.cut(timeline),
          TimelineWords.newest(timeline));
      out.write("|---|---|---|---|\n");
      for (Timeline.Lane lane : timeline.lanes()) {
        row(
            lane.name().isEmpty() ? "all" : text(lane.name()),
            text(TimelineWords.first(lane)),
            text(TimelineWords.atCut(timeline, lane)),
            text(TimelineWords.last(timeline, lane)));
      }
      out.write("\n");
      if (timeline.moreLanes() > 0) {
        line(timeline.moreLanes() + " more partitions are left out.");
      }
    }
    for (String note : stream.notes()) {
      line("Note: " + text(note));
    }
  }

  private void ledger(StreamReport stream) throws IOException {
    line("### Ledger");
    if (stream.ledger().isEmpty()) {
      line("There is none: nothing of this stream was applied.");
      return;
    }
    row("Source", "Kind", "Old query read through", "New query read through", "Meets", "Note");
    out.write("|---|---|---|---|---|---|\n");
    for (StreamReport.LedgerLine line : stream.ledger()) {
      row(
          text(line.source()),
          line.type(),
          text(line.oldThrough()),
          line.newThrough() == null ? ReportWords.UNKNOWN + " yet" : text(line.newThrough()),
          ReportWords.meeting(line.meets()),
          text(line.note()));
    }
    out.write("\n");
  }

  private void findings(String title, List<Finding> findings) throws IOException {
    if (findings.isEmpty()) {
      return;
    }
    line(title);
    for (Finding finding : findings) {
      out.write(
          "- **"
              + finding.severity().label()
              + "** "
              + code(finding.code().name())
              + " "
              + code(finding.subject())
              + ": "
              + text(finding.message())
              + ". What to do: "
              + text(finding.remedy())
              + "\n");
    }
    out.write("\n");
  }

  private void places(String title, List<String> places) throws IOException {
    if (!places.isEmpty()) {
      line(title + ":");
      for (String place : places) {
        out.write("- " + code(place) + "\n");
      }
      out.write("\n");
    }
  }

  @Override
  public void end() throws IOException {
    line("All times are UTC.");
    out.flush();
  }

  /** A paragraph. */
  private void line(String markdown) throws IOException {
    out.write(markdown + "\n\n");
  }

  private void row(String... cells) throws IOException {
    StringBuilder row = new StringBuilder("|");
    for (String cell : cells) {
      row.append(' ').append(cell).append(" |");
    }
    out.write(row.append('\n').toString());
  }

  /** A text that is no markup, in one line, and names nobody. */
  private String text(String text) {
    StringBuilder escaped = new StringBuilder();
    for (char c : flat(text).toCharArray()) {
      switch (c) {
        case '\\', '`', '*', '_', '[', ']', '<', '>', '|', '~', '#', '&' ->
            escaped.append('\\').append(c);
        case '@' -> escaped.append("&#64;");
        default -> escaped.append(c);
      }
    }
    return escaped.toString();
  }

  /** A text as code, between as many backticks as it takes. */
  private String code(String text) {
    String flat = flat(text);
    int longest = 0;
    int run = 0;
    for (char c : flat.toCharArray()) {
      run = c == '`' ? run + 1 : 0;
      longest = Math.max(longest, run);
    }
    String fence = "`".repeat(longest + 1);
    String pad = flat.startsWith("`") || flat.endsWith("`") ? " " : "";
    return flat.isEmpty() ? "" : fence + pad + flat + pad + fence;
  }

  private String flat(String text) {
    return ReportWords.printable(mask.apply(text))
        .replaceAll("\\s*\n\\s*", " ↵ ")
        .replace('\t', ' ');
  }
}
