package org.streammigrator.report;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.streammigrator.migration.MigrationReport;
import org.streammigrator.migration.StreamLine;
import org.streammigrator.migration.Timeline;

/** Words that every format of a report has in common. */
final class ReportWords {
  static final String UNKNOWN = "not known";
  static final String NOT_YET = "not known yet: the new query has run no batch";

  private static final long MILLIS = 1000;
  private static final long MINUTE = 60;
  private static final long HOUR = 60 * MINUTE;
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss 'UTC'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private ReportWords() {}

  /** A verdict as a noun phrase that a whole run can have. */
  static String verdict(MigrationReport report) {
    return switch (report.verdict()) {
      case GOOD -> report.command().equals("prove") ? "proved" : "done";
      case WAITING -> "waiting";
      case BAD -> report.command().equals("prove") ? "not proved" : "refused";
      case STOPPED -> "stopped part-way";
    };
  }

  /** A sign that needs no colour. */
  static String sign(StreamLine.Verdict verdict) {
    return switch (verdict) {
      case GOOD -> "✓";
      case WAITING -> "…";
      case BAD -> "✕";
      case STOPPED -> "!";
    };
  }

  static String time(Instant instant) {
    return TIME.format(instant);
  }

  static String size(Long bytes) {
    return bytes == null ? "–" : ProgressText.size(bytes);
  }

  static String number(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  static String number(Long number) {
    return number == null ? "–" : number(number.longValue());
  }

  static String took(Long millis) {
    if (millis == null) {
      return "–";
    }
    long seconds = millis / MILLIS;
    if (seconds < MINUTE) {
      return String.format(Locale.ROOT, "%.1f s", (double) millis / MILLIS);
    }
    return seconds < HOUR
        ? seconds / MINUTE + " min " + seconds % MINUTE + " s"
        : seconds / HOUR + " h " + seconds % HOUR / MINUTE + " min";
  }

  static String batches(Timeline.Batches batches) {
    return batches.first() == batches.last()
        ? "batch " + batches.last()
        : "batches " + batches.first() + " to " + batches.last();
  }

  /** What became of a run, in a sentence of counts. */
  static String counts(MigrationReport report) {
    List<String> parts = new ArrayList<>();
    boolean isProof = report.command().equals("prove");
    count(report, StreamLine.Verdict.GOOD, isProof ? "proved" : "done", parts);
    count(report, StreamLine.Verdict.WAITING, "waiting", parts);
    count(report, StreamLine.Verdict.BAD, isProof ? "not proved" : "refused", parts);
    count(report, StreamLine.Verdict.STOPPED, "stopped", parts);
    int streams = report.streams().size();
    return number(streams)
        + (streams == 1 ? " stream: " : " streams: ")
        + (parts.isEmpty() ? "none looked at" : String.join(", ", parts));
  }

  private static void count(
      MigrationReport report, StreamLine.Verdict verdict, String word, List<String> parts) {
    long count = report.count(verdict);
    if (count > 0) {
      parts.add(number(count) + " " + word);
    }
  }

  /** What comes next, as a sentence; the commands in it are as typed. */
  static String next(MigrationReport report) {
    boolean isProof = report.command().equals("prove");
    return switch (report.verdict()) {
      case GOOD ->
          isProof
              ? "Nothing is left to do. Keep the old checkpoint or its archive as long as a way back"
                  + " is wanted."
              : "Start the new queries from their new checkpoints, then run prove.";
      case WAITING ->
          "Something outside has to happen first; each stream says what. Then run "
              + report.command()
              + " again.";
      case BAD ->
          isProof
              ? "Do not trust the sinks of the streams that are not proved before their findings are"
                  + " settled."
              : "Settle the findings of the streams that are refused, and apply the plan again. The"
                  + " others are as they are said to be.";
      case STOPPED -> "Apply the plan again: it goes on where it stopped.";
    };
  }

  /** Whether a ledger line's word means that old and new meet as they should. */
  static boolean meets(String word) {
    return word.equals("exact") || word.equals("yes");
  }

  /** How often the same happens twice or not at all, in a word that says more. */
  static String meeting(String word) {
    return switch (word) {
      case "exact" -> "exact: no gap, no overlap";
      case "yes" -> "yes: the new query began exactly there";
      case "overlap" -> "overlap: something is read twice";
      case "loss" -> "loss: something is not read";
      case "no" -> "no: they do not meet";
      default -> word;
    };
  }

  /** A text with what cannot be shown, or is in no XML, made visible. */
  static String printable(String text) {
    StringBuilder printable = new StringBuilder(text.length());
    text.codePoints()
        .forEach(
            c -> {
              if (c == '\n' || c == '\t') {
                printable.append((char) c);
              } else if (c < ' ') {
                printable.append((char) (CONTROL_PICTURES + c));
              } else if (c >= DELETE && c < FIRST_PRINTABLE
                  || c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE
                  || (c & NON_CHARACTER) == NON_CHARACTER) {
                printable.append(REPLACEMENT);
              } else {
                printable.appendCodePoint(c);
              }
            });
    return printable.toString();
  }

  private static final int CONTROL_PICTURES = 0x2400;
  private static final int DELETE = 0x7f;
  private static final int FIRST_PRINTABLE = 0xa0;
  private static final int NON_CHARACTER = 0xfffe;
  private static final char REPLACEMENT = '\ufffd';
}
