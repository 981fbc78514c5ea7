package org.streammigrator.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.streammigrator.checkpoint.source.SourceKind;
import org.streammigrator.discovery.DiscoveredCheckpoint;
import org.streammigrator.discovery.Discovery;

/** What was found as text: a line a checkpoint, the path last, since it may be long. */
public final class DiscoveryText {
  private static final int LONGEST_POSITION = 26;

  private DiscoveryText() {}

  /** The whole text, ended by a line feed. */
  public static String render(Discovery discovery) {
    StringBuilder text = new StringBuilder();
    if (!discovery.checkpoints().isEmpty()) {
      boolean lag = discovery.checkpoints().stream().anyMatch(DiscoveryText::hasLag);
      text.append(table(discovery.checkpoints(), lag).render("")).append('\n');
    }
    text.append(summary(discovery)).append('\n');
    if (!discovery.findings().isEmpty()) {
      text.append("\nFindings\n").append(FindingText.render(discovery.findings(), "  "));
    }
    return text.toString();
  }

  private static TextTable table(List<DiscoveredCheckpoint> checkpoints, boolean lag) {
    TextTable table = new TextTable();
    row(
        table,
        lag,
        "HEALTH",
        "KIND",
        "READ THROUGH",
        "LAG",
        "BATCH",
        "PENDING",
        "AGE",
        "SIZE",
        "FILES",
        "CHECKPOINT");
    for (DiscoveredCheckpoint one : checkpoints) {
      String codes = one.worstCodes().isEmpty() ? "" : "  " + String.join(" ", one.worstCodes());
      Object batch = orDash(one.batches().lastCommitted());
      Object pending = one.batches().pending().isEmpty() ? "-" : one.batches().pending().size();
      String bytes = bytes(one.allBytes() == null ? one.logBytes() : one.allBytes());
      long files = one.allFiles() == null ? one.logFiles() : one.allFiles();
      String size = one.stateful() && one.allBytes() == null ? bytes + "+" : bytes;
      String path = one.relative().replaceAll("\\p{Cntrl}", "?") + codes;
      row(
          table,
          lag,
          one.health().label(),
          kinds(one),
          position(one),
          lag(one),
          batch,
          pending,
          age(one.ageMs()),
          size,
          files,
          path);
    }
    return table;
  }

  /** Adds a row; the fourth cell is left out where no checkpoint has a lag. */
  private static void row(TextTable table, boolean lag, Object... cells) {
    List<Object> row = new ArrayList<>(Arrays.asList(cells));
    if (!lag) {
      row.remove(3);
    }
    table.row(row.toArray());
  }

  private static Object orDash(Long number) {
    return number == null ? "-" : number;
  }

  private static String kinds(DiscoveredCheckpoint checkpoint) {
    return checkpoint.kinds().isEmpty() ? "-" : String.join("+", checkpoint.kinds());
  }

  private static boolean hasLag(DiscoveredCheckpoint checkpoint) {
    return checkpoint.sources().stream().anyMatch(source -> source.lag() != null);
  }

  private static String lag(DiscoveredCheckpoint checkpoint) {
    String lag =
        checkpoint.sources().stream()
            .filter(source -> source.lag() != null)
            .map(source -> source.lag().amount() + " " + source.lag().unit())
            .collect(Collectors.joining(", "));
    return lag.isEmpty() ? "-" : lag;
  }

  private static String position(DiscoveredCheckpoint checkpoint) {
    String text =
        checkpoint.sources().stream()
            .map(DiscoveryText::position)
            .collect(Collectors.joining("; "));
    if (text.isEmpty()) {
      return "-";
    }
    return text.codePointCount(0, text.length()) > LONGEST_POSITION
        ? text.substring(0, text.offsetByCodePoints(0, LONGEST_POSITION - 1)) + "…"
        : text;
  }

  private static String position(DiscoveredCheckpoint.Source source) {
    JsonNode position = source.position();
    boolean partitioned =
        source.type() == SourceKind.KAFKA || source.type() == SourceKind.EVENTHUBS;
    if (partitioned && position != null && position.size() > 0) {
      int partitions = 0;
      for (JsonNode topic : position) {
        partitions += topic.size();
      }
      String topics =
          position.size() == 1 ? position.fieldNames().next() : position.size() + " topics";
      return topics + ", " + partitions + (partitions == 1 ? " partition" : " partitions");
    }
    return source.consumedThrough() == null
        ? "-"
        : source.consumedThrough().replaceAll("\\p{Cntrl}", "?");
  }

  /** A time span in its largest unit, rounded down. */
  static String age(long milliseconds) {
    long minutes = milliseconds / 60_000;
    if (minutes < 1) {
      return milliseconds / 1000 + "s";
    } else if (minutes < 60) {
      return minutes + "m";
    } else if (minutes < 48 * 60) {
      return minutes / 60 + "h";
    }
    return minutes / (24 * 60) + "d";
  }

  /** Bytes in the unit that keeps them below 1024, with one decimal where they are below ten. */
  static String bytes(long bytes) {
    List<String> units = List.of("B", "K", "M", "G", "T", "P", "E");
    int unit = 0;
    long tenths = bytes > Long.MAX_VALUE / 10 ? Long.MAX_VALUE : bytes * 10;
    while (tenths >= 10_240 && unit < units.size() - 1) {
      tenths /= 1024;
      unit++;
    }
    return unit == 0 || tenths >= 100
        ? tenths / 10 + units.get(unit)
        : tenths / 10 + "." + tenths % 10 + units.get(unit);
  }

  private static String summary(Discovery discovery) {
    Discovery.Summary summary = discovery.summary();
    if (summary.found() == 0) {
      return "No checkpoint was found below "
          + discovery.root()
          + " (looked into "
          + count(summary.directories(), "director", "y", "ies")
          + ").";
    }
    StringBuilder text =
        new StringBuilder(count(summary.checkpoints(), "checkpoint", "", "s"))
            .append(" below ")
            .append(discovery.root());
    if (summary.checkpoints() < summary.found()) {
      text.append(" (of ").append(summary.found()).append(" found)");
    }
    text.append(": ").append(summary.ok()).append(" ok");
    text.append(", ").append(count(summary.warning(), "warning", "", "s"));
    text.append(", ").append(count(summary.error(), "error", "", "s")).append('.');
    boolean stateLeftOut =
        discovery.checkpoints().stream().anyMatch(one -> one.stateful() && one.allFiles() == null);
    if (stateLeftOut) {
      text.append("\nSizes with a + are without state, and state was not looked at; --full does.");
    }
    return text.toString();
  }

  private static String count(long number, String what, String one, String many) {
    return number + " " + what + (number == 1 ? one : many);
  }
}
