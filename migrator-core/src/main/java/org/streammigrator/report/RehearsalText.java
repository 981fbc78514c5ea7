package org.streammigrator.report;

import org.streammigrator.rehearsal.StreamRehearsal;

/** A stream's rehearsal in lines for people. */
public final class RehearsalText {
  private RehearsalText() {}

  /** The lines. */
  public static String of(StreamRehearsal ended) {
    String begin = ended.name() + "  ";
    StringBuilder text = new StringBuilder();
    for (StreamRehearsal.SourceRun source : ended.sources()) {
      text.append(begin)
          .append("batch ")
          .append(ended.batch())
          .append(" read source ")
          .append(source.id())
          .append(" from ")
          .append(source.from())
          .append(" to ")
          .append(source.to())
          .append(source.asPlanned() ? ", as planned\n" : ": NOT AS PLANNED\n");
    }
    for (StreamRehearsal.SinkRun sink : ended.sinks()) {
      text.append(begin)
          .append(sink.place())
          .append(" has ")
          .append(sink.rows() == null ? "" : sink.rows() + " rows in ")
          .append(sink.files())
          .append(sink.files() == 1 ? " file, " : " files, ")
          .append(sink.bytes())
          .append(" bytes\n");
    }
    if (ended.query() != null) {
      ended
          .query()
          .lines()
          .forEach(line -> text.append(begin).append("| ").append(line).append('\n'));
    }
    text.append(FindingText.render(ended.findings(), begin));
    text.append(begin)
        .append(ended.status().label())
        .append(": ")
        .append(ended.message())
        .append('\n');
    if (ended.scratch() != null) {
      text.append(begin)
          .append(
              ended.kept()
                  ? "the scratch copy is in " + ended.scratch() + "; it can be removed"
                  : "the scratch copy is removed")
          .append('\n');
    }
    return text.toString();
  }
}
