package org.streammigrator.report;

import java.util.Collection;
import org.streammigrator.finding.Finding;

/** Findings as text: what, where, and what to do. */
public final class FindingText {
  private FindingText() {}

  /** One paragraph a finding, each indented. */
  public static String render(Collection<Finding> findings, String indent) {
    StringBuilder text = new StringBuilder();
    for (Finding finding : findings) {
      String head = finding.severity().label() + ' ' + finding.code() + "  ";
      String further = indent + "    ";
      text.append(
              Wrapped.lines(indent + head, further, finding.subject() + ": " + finding.message()))
          .append(Wrapped.lines(further + "what to do: ", further + "  ", finding.remedy()));
    }
    return text.toString();
  }
}
