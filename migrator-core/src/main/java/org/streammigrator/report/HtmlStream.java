package org.streammigrator.report;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.streammigrator.finding.Finding;
import org.streammigrator.job.ValidateResult;
import org.streammigrator.migration.RollbackOutlook;
import org.streammigrator.migration.StreamLine;
import org.streammigrator.migration.StreamReport;
import org.streammigrator.migration.Timeline;

/** One stream of an HTML report. */
final class HtmlStream {
  private final Markup markup;
  private final HtmlTimeline timelines;

  HtmlStream(Markup markup) {
    this.markup = requireNonNull(markup, "markup");
    this.timelines = new HtmlTimeline(markup);
  }

  /**
   * A verdict in a word, with a sign that needs no colour.
   *
   * @param more another class; null for none
   */
  static void pill(Markup markup, StreamLine.Verdict verdict, String word, String more)
      throws IOException {
    markup
        .open(
            "span",
            "class",
            "pill " + verdict.name().toLowerCase(Locale.ROOT) + (more == null ? "" : " " + more))
        .leaf("i", ReportWords.sign(verdict), "aria-hidden", "true")
        .text(" " + word)
        .close();
  }

  /**
   * Writes it.
   *
   * @param number its place, from 1, to which the summary leads
   * @param isOpen whether all of it is shown at once
   */
  void write(StreamReport stream, int number, boolean isOpen) throws IOException {
    StreamLine line = stream.line();
    markup.open("details", "class", "stream", "open", isOpen ? "open" : null).open("summary");
    pill(markup, line.verdict(), line.status(), null);
    markup
        .text(" ")
        .open("h3")
        .leaf("bdi", line.name())
        .close()
        .text(" ")
        .leaf("span", brief(line), "class", "soft")
        .close()
        .open("div", "class", "body", "id", "s" + number)
        .leaf("p", sentence(line.message()), "class", "said pre", "dir", "auto");
    facts(stream);
    positions(stream);
    ledger(stream);
    if (stream.rows() != null) {
      rows(stream.rows());
    }
    steps(stream);
    findings(stream.findings(), "Findings");
    rollback(stream);
    markup.close(2).line();
  }

  private static String brief(StreamLine line) {
    return line.strategy()
        + (line.files() == null
            ? ""
            : " · "
                + ReportWords.number(line.files())
                + (line.files() == 1 ? " file, " : " files, ")
                + ReportWords.size(line.bytes()))
        + (line.tookMs() == null ? "" : " · " + ReportWords.took(line.tookMs()));
  }

  private static String sentence(String text) {
    return text.isEmpty()
        ? text
        : text.substring(0, 1).toUpperCase(Locale.ROOT)
            + text.substring(1)
            + (text.endsWith(".") ? "" : ".");
  }

  private void facts(StreamReport stream) throws IOException {
    markup.open("dl", "class", "facts");
    code("Old checkpoint", stream.from());
    if (stream.old() != null) {
      fact(
          "",
          ReportWords.number(stream.old().files())
              + " files, "
              + ReportWords.size(stream.old().bytes()));
    }
    code("New checkpoint", stream.to() == null ? "none" : stream.to());
    if (stream.line().files() != null) {
      fact(
          "",
          ReportWords.number(stream.line().files())
              + " files, "
              + ReportWords.size(stream.line().bytes())
              + " written");
    }
    if (stream.queryId() != null) {
      code("Query id", stream.queryId());
    }
    if (stream.exactness() != null) {
      fact("Exactness", stream.exactness());
      fact("", sentence(stream.explanation()));
    }
    markup.close();
  }

  private void code(String name, String value) throws IOException {
    markup.leaf("dt", name).open("dd").leaf("code", value, "dir", "auto").close();
  }

  private void fact(String name, String value) throws IOException {
    markup
        .leaf("dt", name)
        .leaf("dd", value, "dir", "auto", "class", name.isEmpty() ? "soft" : null);
  }

  private void positions(StreamReport stream) throws IOException {
    markup.leaf("h4", "Positions");
    for (Timeline timeline : stream.timelines()) {
      timelines.write(timeline);
    }
    if (stream.timelines().isEmpty() && stream.notes().isEmpty()) {
      markup.leaf("p", "No batch could be read.", "class", "soft");
    }
    for (String note : stream.notes()) {
      markup.leaf("p", sentence(note), "class", "soft pre", "dir", "auto");
    }
  }

  private void ledger(StreamReport stream) throws IOException {
    markup.leaf("h4", "Ledger");
    if (stream.ledger().isEmpty()) {
      markup.leaf("p", "There is none: nothing of this stream was applied.", "class", "soft");
      return;
    }
    boolean isProof = stream.ledger().stream().anyMatch(line -> line.oldBatches() != null);
    HtmlTable table =
        new HtmlTable(
            markup,
            null,
            List.of("Source", "Old query read through", "New query read through", "Meets"),
            Set.of(),
            Set.of(0));
    for (StreamReport.LedgerLine line : stream.ledger()) {
      table.row();
      table.cell(line.source() + " · " + line.type());
      table.cell(line.oldThrough() + (isProof ? " (batches " + line.oldBatches() + ")" : ""));
      table.cell(
          line.newThrough() == null
              ? ReportWords.UNKNOWN + " yet"
              : line.newThrough() + " (batches " + line.newBatches() + ")");
      table.cell();
      markup
          .open("span")
          .leaf("bdi", ReportWords.meeting(line.meets()))
          .text(line.note().isEmpty() ? "" : ". " + sentence(line.note()))
          .close(2);
      table.endRow();
    }
    table.end();
  }

  private void rows(ValidateResult rows) throws IOException {
    markup.leaf("h4", "Rows in the sink");
    markup.open("dl", "class", "facts");
    fact("Expected", ReportWords.number(rows.expectedRows()));
    fact("Found", ReportWords.number(rows.actualRows()));
    fact("Missing", ReportWords.number(rows.missing()));
    fact("Too often", ReportWords.number(rows.extra()));
    fact(
        "Repeated keys",
        rows.duplicateKeys() == null ? "not looked at" : ReportWords.number(rows.duplicateKeys()));
    fact("Compared in", ReportWords.took(rows.durationMs()));
    markup.close();
    examples("Missing", rows.examples().missing());
    examples("Too often", rows.examples().extra());
  }

  private void examples(String name, List<String> rows) throws IOException {
    if (!rows.isEmpty()) {
      markup.leaf("p", name + ", for example:", "class", "soft").open("ul", "class", "plain");
      for (String row : rows) {
        markup.open("li").leaf("code", row, "dir", "auto").close();
      }
      markup.close();
    }
  }

  private void steps(StreamReport stream) throws IOException {
    markup.leaf("h4", "Steps");
    if (stream.steps().isEmpty()) {
      markup.leaf("p", "The journal has no finished step.", "class", "soft");
      return;
    }
    HtmlTable table =
        new HtmlTable(
            markup, null, List.of("Step", "Result", "Ended", "Took"), Set.of(3), Set.of(0, 2));
    for (StreamReport.DoneStep step : stream.steps()) {
      table.row();
      table.cell(step.kind());
      table.cell(step.result());
      table.cell(ReportWords.time(step.at()));
      table.cell(ReportWords.took(step.tookMs()));
      table.endRow();
    }
    table.end();
  }

  private void findings(List<Finding> findings, String title) throws IOException {
    markup.leaf("h4", title);
    if (findings.isEmpty()) {
      markup.leaf("p", "None.", "class", "soft");
    }
    for (Finding finding : findings) {
      String severity = finding.severity().label();
      String style =
          switch (finding.severity()) {
            case ERROR -> "bad";
            case WARNING -> "waiting";
            case INFO -> "";
          };
      markup
          .open("div", "class", "finding " + severity)
          .leaf("span", severity, "class", ("pill " + style).strip())
          .text(" ")
          .leaf("code", finding.code().name())
          .open("p", "class", "pre", "dir", "auto")
          .leaf("bdi", finding.subject())
          .text(": " + finding.message())
          .close()
          .leaf("p", "What to do: " + finding.remedy(), "class", "soft pre", "dir", "auto")
          .close();
    }
  }

  private void rollback(StreamReport stream) throws IOException {
    RollbackOutlook rollback = stream.rollback();
    markup
        .leaf("h4", "What a rollback would do")
        .leaf("p", sentence(rollback.message()), "class", "pre", "dir", "auto");
    places("It would remove", rollback.removes());
    places("In workspaces it would", rollback.jobs());
    places("It would keep", rollback.keeps());
    if (!rollback.findings().isEmpty()) {
      findings(rollback.findings(), "Findings of a rollback");
    }
  }

  private void places(String title, List<String> places) throws IOException {
    if (!places.isEmpty()) {
      markup.leaf("p", title + ":", "class", "soft").open("ul", "class", "plain");
      for (String place : places) {
        markup.open("li").leaf("code", place, "dir", "auto").close();
      }
      markup.close();
    }
  }
}
