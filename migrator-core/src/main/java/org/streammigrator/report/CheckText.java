package org.streammigrator.report;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.streammigrator.compatibility.CheckResult;

/** A verdict on changes as text. */
public final class CheckText {
  private CheckText() {}

  /** The whole text, ended by a line feed. */
  public static String render(CheckResult result) {
    StringBuilder text = new StringBuilder();
    text.append(result.verdict().toUpperCase(java.util.Locale.ROOT))
        .append(" with ")
        .append(result.checkpoint())
        .append(", Spark ")
        .append(result.spark())
        .append('\n');
    if (result.changes().isEmpty()) {
      text.append("  no changes\n");
    }
    for (CheckResult.Change change : result.changes()) {
      text.append('\n').append(change(change));
    }
    text.append("\nCheapest way for all: ").append(result.strategy().label()).append('\n');
    result.findings().stream()
        .filter(finding -> !finding.code().name().startsWith("CHANGE_"))
        .forEach(finding -> text.append('\n').append(FindingText.render(List.of(finding), "")));
    return text.toString();
  }

  private static String change(CheckResult.Change change) {
    StringBuilder text = new StringBuilder();
    String head = change.kind() + (change.subject().isEmpty() ? "" : " (" + change.subject() + ")");
    text.append(change.verdict())
        .append("  ")
        .append(head)
        .append(change.detail().isEmpty() ? "" : ": " + change.detail())
        .append('\n');
    text.append(Wrapped.lines("  ", "  ", change.consequence()));
    text.append(Wrapped.lines("  guide:    ", "            ", change.guide()));
    text.append(Wrapped.lines("  Spark:    ", "            ", change.enforced()));
    text.append("  versions: ").append(versions(change.byVersion())).append('\n');
    text.append("  way:      ").append(change.strategy().label()).append('\n');
    return text.toString();
  }

  private static String versions(Map<String, String> byVersion) {
    if (byVersion.values().stream().distinct().count() == 1) {
      return "the same verdict from " + byVersion.keySet().iterator().next() + " to 4.2";
    }
    return byVersion.entrySet().stream()
        .map(version -> version.getKey() + " " + version.getValue())
        .collect(Collectors.joining(", "));
  }
}
