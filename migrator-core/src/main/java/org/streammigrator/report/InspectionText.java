package org.streammigrator.report;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.streammigrator.verdict.Inspection;

/** An inspection as text. */
public final class InspectionText {
  private static final int LONGEST = 1000;

  private InspectionText() {}

  /** The whole text, ended by a line feed. */
  public static String render(Inspection inspection) {
    TextTable head = new TextTable();
    head.row("Checkpoint", inspection.checkpoint());
    head.row("Query id", inspection.queryId() == null ? "not known" : inspection.queryId());
    head.row("Batches", batches(inspection.batches()));
    head.row(
        "Log versions",
        "offsets "
            + version(inspection.offsetLogVersion())
            + ", commits "
            + version(inspection.commitLogVersion()));
    head.row("Watermark", watermark(inspection));
    if (inspection.watermarkMs() != null && inspection.watermarkMs() > 0) {
      head.row("", "after a restart older rows are dropped as late; a new checkpoint begins at 0");
      head.row("", "and takes them again, so that windows that were closed can come out again");
    }
    for (Inspection.Window window : inspection.windows()) {
      head.row("Window", length(window) + ": the first that is open is");
      head.row("", bounds(window) + ";");
      head.row("", "read events from its start on, less their delay");
    }
    head.row("Restart", restart(inspection.restartableBy()));
    StringBuilder text = new StringBuilder(head.render(""));
    if (!inspection.sources().isEmpty()) {
      text.append("\nSources\n").append(sources(inspection.sources()));
    }
    if (!inspection.state().isEmpty()) {
      text.append("\nState\n").append(state(inspection.state()));
    }
    Inspection.FileTotals files = inspection.files();
    text.append("\nFiles\n")
        .append(
            new TextTable()
                .row("all", files.count() + " files", files.bytes() + " bytes")
                .row("live", files.liveCount() + " files", files.liveBytes() + " bytes")
                .render("  "));
    for (String nested : inspection.nested()) {
      text.append("  another checkpoint below: ").append(nested).append('\n');
    }
    if (!inspection.findings().isEmpty()) {
      text.append("\nFindings\n").append(FindingText.render(inspection.findings(), "  "));
    }
    return text.toString();
  }

  private static String batches(Inspection.Batches batches) {
    if (batches.lastPlanned() == null) {
      return "none planned";
    }
    StringBuilder text =
        new StringBuilder(
            batches.lastCommitted() == null
                ? "none committed"
                : "last committed " + batches.lastCommitted());
    List<Long> pending = batches.pending();
    if (pending.size() == 1) {
      text.append(", pending ").append(pending.get(0));
    } else if (!pending.isEmpty()) {
      text.append(", pending ")
          .append(pending.get(0))
          .append("..")
          .append(pending.get(pending.size() - 1))
          .append(" (")
          .append(pending.size())
          .append(" batches)");
    }
    return text.append(", kept from ").append(batches.firstRetained()).toString();
  }

  private static String version(Integer version) {
    return version == null ? "not known" : "v" + version;
  }

  private static String watermark(Inspection inspection) {
    if (inspection.watermarkMs() == null) {
      return "not known";
    }
    return time(inspection.watermarkMs())
        + (inspection.watermarkMs().equals(inspection.nextWatermarkMs())
            ? ""
            : ", next batch " + time(inspection.nextWatermarkMs()));
  }

  private static String length(Inspection.Window window) {
    return window.slide().equals(window.size())
        ? window.size()
        : window.size() + " every " + window.slide();
  }

  private static String bounds(Inspection.Window window) {
    return "[" + instant(window.firstOpenStartMs()) + ", " + instant(window.firstOpenEndMs()) + ")";
  }

  private static String time(long milliseconds) {
    return milliseconds == 0 ? "none yet (0)" : instant(milliseconds);
  }

  private static String instant(long milliseconds) {
    try {
      return Instant.ofEpochMilli(milliseconds) + " (" + milliseconds + ")";
    } catch (DateTimeException outOfRange) {
      return milliseconds + " ms";
    }
  }

  private static String restart(Map<String, Boolean> byVersion) {
    return byVersion.entrySet().stream()
        .map(version -> "Spark " + version.getKey() + (version.getValue() ? " yes" : " NO"))
        .collect(Collectors.joining(", "));
  }

  private static String sources(List<Inspection.Source> sources) {
    TextTable table = new TextTable();
    for (Inspection.Source source : sources) {
      table.row(
          source.id(),
          source.type().label(),
          "read through",
          source.consumedThrough() == null
              ? "nothing committed"
              : shortened(source.consumedThrough()));
      if (source.rawCommitted() != null) {
        table.row("", "", "committed", shortened(source.rawCommitted()));
      }
      if (source.rawPlanned() != null && !source.rawPlanned().equals(source.rawCommitted())) {
        table.row("", "", "planned", shortened(source.rawPlanned()));
      }
    }
    return table.render("  ");
  }

  /** A text that fits a screen; the JSON has it whole. */
  private static String shortened(String text) {
    if (text.length() <= LONGEST) {
      return text;
    }
    int end = Character.isHighSurrogate(text.charAt(LONGEST - 1)) ? LONGEST - 1 : LONGEST;
    return text.substring(0, end) + "… (" + text.length() + " characters; -o json prints them all)";
  }

  private static String state(List<Inspection.State> operators) {
    TextTable table = new TextTable();
    for (Inspection.State state : operators) {
      table.row(
          "operator " + state.operator(),
          state.name() == null ? "name not recorded" : state.name(),
          state.provider().label(),
          state.partitions() + (state.partitions() == 1 ? " partition" : " partitions"),
          String.join(", ", state.stores()),
          "version "
              + state.requiredVersion()
              + (state.loadable()
                  ? " can be loaded"
                  : " CANNOT be loaded, " + state.missing().size() + " files missing or damaged"));
      if (state.deep() != null) {
        table.row("", "", "read whole", deep(state.deep()));
      }
    }
    return table.render("  ");
  }

  private static String deep(Inspection.Deep deep) {
    return deep.filesRead()
        + " files, "
        + deep.bytesRead()
        + " bytes"
        + (deep.keys() == null ? "" : ", " + deep.keys() + " keys")
        + (deep.damaged().isEmpty() ? ", all sound" : ", " + deep.damaged().size() + " damaged");
  }
}
