package org.streammigrator.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.streammigrator.migration.MigrationReport;
import org.streammigrator.migration.StreamLine;
import org.streammigrator.migration.StreamReport;

/**
 * A report as one HTML page that loads nothing: style inside, pictures as SVG, no script. Written
 * as well-formed XML, too.
 */
final class HtmlReport implements MigrationReportWriter {
  private static final int MOST_OPEN = 5;
  private static final int MOST_NAMED = 40;
  private static final String STYLE = "/org/streammigrator/report/report.css";

  private final Markup markup;
  private final HtmlStream streams;
  private int number;
  private boolean isOpen;

  HtmlReport(Writer out, UnaryOperator<String> mask) {
    this.markup = new Markup(out, mask);
    this.streams = new HtmlStream(markup);
  }

  @Override
  public void begin(MigrationReport report) throws IOException {
    isOpen = report.streams().size() <= MOST_OPEN;
    markup.htmlDoctype();
    markup.comment(MARK);
    markup.open("html", "lang", "en").line();
    head(report);
    markup.open("body").line();
    banner(report);
    markup.open("main").line();
    summary(report);
    markup.leaf("h2", "Each stream").line();
    key();
  }

  private void head(MigrationReport report) throws IOException {
    String style = style();
    markup
        .open("head")
        .empty("meta", "charset", "utf-8")
        .empty(
            "meta",
            "http-equiv",
            "Content-Security-Policy",
            "content",
            "default-src 'none'; style-src 'sha256-"
                + sha256(style)
                + "'; img-src data:; base-uri 'none'; form-action 'none'")
        .empty("meta", "name", "viewport", "content", "width=device-width, initial-scale=1")
        .empty("meta", "name", "color-scheme", "content", "light dark")
        .empty("meta", "name", "referrer", "content", "no-referrer")
        // Otherwise a browser asks the server for one.
        .empty("link", "rel", "icon", "href", "data:,")
        .leaf("title", report.plan() + ": " + report.command() + ", " + ReportWords.verdict(report))
        .open("style");
    markup.own(style);
    markup.close(2).line();
  }

  private void banner(MigrationReport report) throws IOException {
    markup
        .open("header")
        .leaf("div", "migrator " + report.command(), "class", "over")
        .open("h1")
        .leaf("bdi", report.plan())
        .close();
    HtmlStream.pill(markup, report.verdict(), ReportWords.verdict(report), "big");
    markup
        .leaf("p", ReportWords.counts(report) + ". " + ReportWords.next(report), "class", "lead")
        .open("ul", "class", "tiles");
    int count = report.streams().size();
    tile(ReportWords.number(count), count == 1 ? "stream" : "streams");
    tile(ReportWords.number(report.files()), "files written");
    tile(ReportWords.size(report.bytes()), "written");
    tile(ReportWords.took(report.tookMs()), "in finished steps");
    tile(Integer.toString(report.exitCode()), "exit code");
    markup.close(2).line();
  }

  private void tile(String value, String label) throws IOException {
    markup.open("li").leaf("b", value).text(" ").leaf("span", label).close();
  }

  private void summary(MigrationReport report) throws IOException {
    markup.leaf("h2", "Summary");
    toLookAt(report);
    markup.open("div", "class", "card pad");
    HtmlTable table =
        new HtmlTable(
            markup,
            "brief",
            List.of("Stream", "Strategy", "Outcome", "Files", "Size", "Time", "Findings"),
            Set.of(3, 4, 5),
            Set.of(1, 2, 6));
    int place = 1;
    for (StreamLine line : report.streams()) {
      table.row();
      table.cell();
      markup.open("a", "href", "#s" + place++).leaf("bdi", line.name()).close(2);
      table.cell(line.strategy());
      table.cell();
      HtmlStream.pill(markup, line.verdict(), line.status(), null);
      markup.close();
      table.cell(ReportWords.number(line.files()));
      table.cell(ReportWords.size(line.bytes()));
      table.cell(ReportWords.took(line.tookMs()));
      table.cell(findings(line));
      table.endRow();
    }
    table.end();
    markup.close().line();
    markup
        .open("p", "class", "over made")
        .text("Ended " + ReportWords.time(report.at()) + ". Plan ")
        .leaf("code", report.planFile(), "dir", "auto")
        .text(", journal ")
        .leaf("code", report.journal(), "dir", "auto")
        .text(". migrator " + report.version() + ".")
        .close()
        .line();
  }

  /** The streams of a large report that are not as the plan wants them, before all others. */
  private void toLookAt(MigrationReport report) throws IOException {
    List<StreamLine> lines = report.streams();
    long count = lines.size() - report.count(StreamLine.Verdict.GOOD);
    if (lines.size() <= MOST_OPEN || count == 0) {
      return;
    }
    markup.open("p").text("To look at: ");
    int shown = 0;
    for (int i = 0; i < lines.size() && shown < MOST_NAMED; i++) {
      StreamLine line = lines.get(i);
      if (line.verdict() != StreamLine.Verdict.GOOD) {
        markup.text(shown++ == 0 ? "" : ", ");
        markup.open("a", "href", "#s" + (i + 1)).leaf("bdi", line.name()).close();
        markup.text(" (" + line.status() + ")");
      }
    }
    markup.text(count > shown ? ", and " + ReportWords.number(count - shown) + " more." : ".");
    markup.close().line();
  }

  private static String findings(StreamLine line) {
    if (line.errors() == 0 && line.warnings() == 0) {
      return "none";
    }
    return (line.errors() == 0 ? "" : plural(line.errors(), "error"))
        + (line.errors() == 0 || line.warnings() == 0 ? "" : ", ")
        + (line.warnings() == 0 ? "" : plural(line.warnings(), "warning"));
  }

  private static String plural(int count, String noun) {
    return count + " " + noun + (count == 1 ? "" : "s");
  }

  /** What the pictures mean. */
  private void key() throws IOException {
    markup.open("ul", "class", "key", "aria-label", "Key to the pictures");
    key("the old query, thin line and dots", "line-old", "M2 12L42 4", "dot-old", "M22 8h0");
    key("the cut", "cut", "M22 0V16", null, null);
    key("the new query, thick line and rings", "line-new", "M2 12L42 4", "dot-new", "M22 8h0");
    key("batches of the old query that are left behind", "line-left", "M2 12L42 4", null, null);
    markup.close().line();
  }

  private void key(String words, String line, String path, String dot, String place)
      throws IOException {
    markup
        .open("li")
        .open("svg", "viewBox", "0 0 44 16", "aria-hidden", "true")
        .empty("path", "class", line, "d", path);
    if (dot != null) {
      markup.empty("path", "class", dot, "d", place);
      if (dot.equals("dot-new")) {
        markup.empty("path", "class", "dot-hole", "d", place);
      }
    }
    markup.close().text(words).close();
  }

  @Override
  public void stream(StreamReport stream) throws IOException {
    streams.write(stream, ++number, isOpen || stream.line().verdict() == StreamLine.Verdict.BAD);
  }

  @Override
  public void end() throws IOException {
    markup
        .close()
        .line()
        .open("footer")
        .text(
            "All times are UTC. Across the pictures go batches at even distances, upwards go positions,"
                + " each picture on a scale of its own. What is not known is said to be not known.")
        .close(3)
        .line();
    markup.flush();
  }

  private static String style() throws IOException {
    try (InputStream css = HtmlReport.class.getResourceAsStream(STYLE)) {
      return "\n" + new String(css.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static String sha256(String text) {
    try {
      return Base64.getEncoder()
          .encodeToString(
              MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
