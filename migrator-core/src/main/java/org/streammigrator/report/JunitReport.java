package org.streammigrator.report;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.Writer;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import org.streammigrator.finding.Severity;
import org.streammigrator.job.ValidateResult;
import org.streammigrator.migration.MigrationReport;
import org.streammigrator.migration.StreamLine;
import org.streammigrator.migration.StreamReport;

/**
 * A report for the test views of CI servers, in the form that Ant's {@code junitreport} made
 * common: a suite for each stream; in it a case for each step that is done, for each source whose
 * ends were compared, for the rows, and one for the stream as a whole. What waits is skipped.
 */
final class JunitReport implements MigrationReportWriter {
  private static final DateTimeFormatter TIMESTAMP =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);
  private static final double MILLIS = 1000;

  private final Markup markup;
  private MigrationReport report;
  private int number;

  JunitReport(Writer out, UnaryOperator<String> mask) {
    this.markup = new Markup(out, mask);
  }

  /** A case. */
  private record Case(String name, Long millis, String element, String type, String message) {
    static Case passed(String name, Long millis) {
      return new Case(name, millis, null, null, null);
    }
  }

  @Override
  public void begin(MigrationReport whole) throws IOException {
    report = requireNonNull(whole, "report");
    markup.xmlDeclaration();
    markup.comment(MARK);
    markup.open("testsuites").line();
  }

  @Override
  public void stream(StreamReport stream) throws IOException {
    List<Case> cases = cases(stream);
    String seconds = seconds(stream.line().tookMs());
    markup
        .open(
            "testsuite",
            "name",
            markup.said(stream.line().name()),
            "timestamp",
            TIMESTAMP.format(report.at()),
            "hostname",
            "localhost",
            "tests",
            Integer.toString(cases.size()),
            "failures",
            count(cases, "failure"),
            "errors",
            count(cases, "error"),
            "skipped",
            count(cases, "skipped"),
            "time",
            seconds,
            "id",
            Integer.toString(number++),
            "package",
            markup.said("migrator." + report.command() + "." + report.plan()))
        .line();
    markup.open("properties");
    property("strategy", stream.line().strategy());
    property("from", stream.from());
    property("to", stream.to());
    property("exactness", stream.exactness());
    markup.close().line();
    for (Case test : cases) {
      markup.open(
          "testcase",
          "name",
          markup.said(test.name()),
          "classname",
          markup.said("migrator." + report.command() + "." + stream.line().name()),
          "time",
          seconds(test.millis()));
      if (test.element() != null) {
        boolean isSkipped = test.element().equals("skipped");
        markup.open(
            test.element(),
            "message",
            markup.said(firstLine(test.message())),
            "type",
            isSkipped ? null : test.type());
        markup.text(isSkipped ? "" : test.message()).close();
      }
      markup.close().line();
    }
    markup.leaf("system-out", output(stream)).line();
    markup.leaf("system-err", "").line();
    markup.close().line();
  }

  private List<Case> cases(StreamReport stream) {
    List<Case> cases = new ArrayList<>();
    boolean isProof = report.command().equals("prove");
    if (isProof) {
      for (StreamReport.LedgerLine line : stream.ledger()) {
        ledger(line, cases);
      }
      if (stream.rows() != null) {
        cases.add(rows(stream.rows()));
      }
    } else {
      for (StreamReport.DoneStep step : stream.steps()) {
        cases.add(Case.passed("step " + step.kind(), step.tookMs()));
      }
    }
    cases.add(whole(stream, isProof ? "the stream is proved" : "the stream is migrated"));
    return cases;
  }

  /** The ends at a source. As long as the new query has not run there is nothing to compare. */
  private static void ledger(StreamReport.LedgerLine line, List<Case> cases) {
    if (line.newThrough() == null) {
      return;
    }
    String name = "source " + line.source() + " (" + line.type() + "): old and new meet";
    String message =
        "the old query read through "
            + line.oldThrough()
            + ", the new one went on to "
            + line.newThrough()
            + "; meets: "
            + line.meets();
    cases.add(
        ReportWords.meets(line.meets())
            ? Case.passed(name, null)
            : line.meets().equals("no")
                ? new Case(name, null, "failure", "ledger", message)
                : new Case(name, null, "skipped", "ledger", message));
  }

  private static Case rows(ValidateResult rows) {
    String name = "the sink holds every row once";
    return rows.ok()
        ? Case.passed(name, rows.durationMs())
        : new Case(
            name,
            rows.durationMs(),
            "failure",
            "rows",
            rows.missing()
                + " rows are missing and "
                + rows.extra()
                + " are there too often (expected "
                + rows.expectedRows()
                + ", found "
                + rows.actualRows()
                + ")");
  }

  private static Case whole(StreamReport stream, String name) {
    StreamLine line = stream.line();
    String message =
        line.message().startsWith(line.status())
            ? line.message()
            : line.status() + ": " + line.message();
    String findings = FindingText.render(stream.findings(), "");
    return switch (line.verdict()) {
      case GOOD -> Case.passed(name, null);
      case WAITING -> new Case(name, null, "skipped", line.status(), message);
      case BAD -> new Case(name, null, "failure", type(stream), message + "\n" + findings);
      case STOPPED -> new Case(name, null, "error", line.status(), message + "\n" + findings);
    };
  }

  /** The first error's code, by which a CI server can group. */
  private static String type(StreamReport stream) {
    return stream.findings().stream()
        .filter(finding -> finding.severity() == Severity.ERROR)
        .map(finding -> finding.code().name())
        .findFirst()
        .orElse(stream.line().status());
  }

  private static String output(StreamReport stream) {
    StringBuilder text = new StringBuilder(stream.line().message()).append('\n');
    for (StreamReport.LedgerLine line : stream.ledger()) {
      text.append("source " + line.source() + " (" + line.type() + "): read through ")
          .append(line.oldThrough())
          .append("; new query: ")
          .append(line.newThrough() == null ? ReportWords.NOT_YET : line.newThrough())
          .append("; meets: " + line.meets() + "\n");
    }
    text.append(FindingText.render(stream.findings(), ""));
    return text.append("rollback: " + stream.rollback().message() + "\n").toString();
  }

  private void property(String name, String value) throws IOException {
    if (value != null) {
      markup.empty("property", "name", name, "value", markup.said(value));
    }
  }

  private static String firstLine(String text) {
    int end = text.indexOf('\n');
    return end < 0 ? text : text.substring(0, end);
  }

  private static String seconds(Long millis) {
    return String.format(Locale.ROOT, "%.3f", millis == null ? 0 : millis / MILLIS);
  }

  private static String count(List<Case> cases, String element) {
    return Long.toString(cases.stream().filter(test -> element.equals(test.element())).count());
  }

  @Override
  public void end() throws IOException {
    markup.close().line();
    markup.flush();
  }
}
