package org.streammigrator.report;

import java.io.Writer;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** The formats of a report, each by the ending of its file's name. */
public enum ReportFormat {
  /** One page that needs nothing else. */
  HTML(".html") {
    @Override
    public MigrationReportWriter writer(Writer out, UnaryOperator<String> mask) {
      return new HtmlReport(out, mask);
    }
  },
  /** For a comment on a pull request. */
  MARKDOWN(".md") {
    @Override
    public MigrationReportWriter writer(Writer out, UnaryOperator<String> mask) {
      return new MarkdownReport(out, mask);
    }
  },
  /** For the test view of a CI server. */
  JUNIT(".xml") {
    @Override
    public MigrationReportWriter writer(Writer out, UnaryOperator<String> mask) {
      return new JunitReport(out, mask);
    }
  };

  private final String ending;

  ReportFormat(String ending) {
    this.ending = ending;
  }

  /**
   * What writes this format.
   *
   * @param mask takes secrets out of a text
   */
  public abstract MigrationReportWriter writer(Writer out, UnaryOperator<String> mask);

  /** The format of a file, by its name; empty if no format has that ending. */
  public static Optional<ReportFormat> of(String file) {
    String name = file.toLowerCase(Locale.ROOT);
    return Arrays.stream(values()).filter(format -> name.endsWith(format.ending)).findFirst();
  }
}
