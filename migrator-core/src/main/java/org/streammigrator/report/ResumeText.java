package org.streammigrator.report;

import java.util.Map;
import org.streammigrator.finding.Exactness;
import org.streammigrator.position.Resume;
import org.streammigrator.position.SourcePosition;

/** A resume position as text, with option lines that Python and Scala both take. */
public final class ResumeText {
  private ResumeText() {}

  /** The whole text, ended by a line feed. */
  public static String render(Resume resume) {
    StringBuilder text = new StringBuilder();
    text.append("Resume position of ").append(resume.checkpoint()).append("\n  ");
    if (resume.batch() != null) {
      text.append("the end of batch ").append(resume.batch());
    } else {
      text.append(resume.findings().isEmpty() ? "where it stands" : "before the first batch");
    }
    if (resume.pendingBatch() != null) {
      text.append(" (batch ").append(resume.pendingBatch()).append(" is pending)");
    }
    text.append(resume.exact() ? ", exact\n" : ", NOT exact\n");
    for (SourcePosition source : resume.sources()) {
      text.append('\n').append(source(source));
    }
    if (!resume.findings().isEmpty()) {
      text.append("\nFindings\n").append(FindingText.render(resume.findings(), "  "));
    }
    return text.toString();
  }

  private static String source(SourcePosition source) {
    StringBuilder text = new StringBuilder();
    text.append("Source ")
        .append(source.id())
        .append("  ")
        .append(source.type().label())
        .append("  ")
        .append(source.exactness())
        .append("\n  read through ")
        .append(source.consumedThrough())
        .append('\n')
        .append(Wrapped.lines("  ", "  ", source.explanation()));
    boolean pasteable = source.usable();
    if (!pasteable && !source.options().isEmpty()) {
      text.append("  # ").append(caution(source.exactness())).append('\n');
    }
    for (Map.Entry<String, String> option : source.options().entrySet()) {
      text.append(pasteable ? "  " : "  # ")
          .append(".option(\"")
          .append(option.getKey())
          .append("\", ")
          .append(quoted(option.getValue()))
          .append(")\n");
    }
    if (!source.findings().isEmpty()) {
      text.append(FindingText.render(source.findings(), "  "));
    }
    return text.toString();
  }

  private static String caution(Exactness exactness) {
    return exactness == Exactness.LOSS
        ? "only if you accept the loss that the findings state:"
        : "not to be used as it stands, see the findings:";
  }

  /** A string literal of both languages; JSON values end with a brace, never with a quote. */
  private static String quoted(String value) {
    if (value.indexOf('"') < 0 && value.indexOf('\\') < 0) {
      return '"' + value + '"';
    }
    return "\"\"\"" + value + "\"\"\"";
  }
}
