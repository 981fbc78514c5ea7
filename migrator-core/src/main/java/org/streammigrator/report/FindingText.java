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
      text.append(indent)
          .append(finding.severity().label())
          .append(' ')
          .append(finding.code())
          .append("  ")
          .append(finding.subject())
          .append(": ")
          .append(finding.message())
          .append('\n')
          .append(indent)
          .append("    what to do: ")
          .append(finding.remedy())
          .append('\n');
    }
    return text.toString();
  }
}
