package org.streammigrator.report;

import org.streammigrator.position.TimestampStart;

/** A start by time as text. */
public final class TimestampStartText {
  private TimestampStartText() {}

  /** The whole text, ended by a line feed. */
  public static String render(TimestampStart start) {
    StringBuilder text = new StringBuilder();
    text.append("Start by time: ").append(start.start());
    text.append(" (").append(start.last()).append(" less ").append(start.slack()).append("), ");
    text.append(start.exactness()).append('\n');
    start
        .options()
        .forEach(
            (kind, options) ->
                options.forEach(
                    (key, value) ->
                        text.append("  ")
                            .append(kind)
                            .append("  .option(\"")
                            .append(key)
                            .append("\", \"")
                            .append(value)
                            .append("\")\n")));
    return text.append(FindingText.render(start.findings(), "  ")).toString();
  }
}
