package org.streammigrator.report;

import java.util.Locale;

/** Progress for people, in one line of ASCII. */
public final class ProgressText {
  private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  private static final int WIDEST_BAR = 30;
  private static final int NARROWEST_BAR = 10;
  private static final int NARROWEST_WITH_BAR = 50;

  /** What the facts take at most, as a rule: a bar that grows and shrinks beside them is a pain. */
  private static final int FACTS = 75;

  private static final int MINUTE = 60;
  private static final int HOUR = 60 * MINUTE;

  private ProgressText() {}

  /** All there is to say, without a bar. */
  public static String line(Progress progress) {
    return progress.phase().label() + " " + progress.percent() + "%" + facts(progress);
  }

  /**
   * A line with a bar, if there is room for one; what does not fit is cut off.
   *
   * @param width the columns there are; the line is shorter than that
   */
  public static String bar(Progress progress, int width) {
    String head =
        String.format(Locale.ROOT, "%s %3d%%", progress.phase().label(), progress.percent());
    String tail = facts(progress);
    int room = Math.min(WIDEST_BAR, width - 1 - head.length() - FACTS - 3);
    room = Math.max(NARROWEST_BAR, room);
    String bar = "";
    if (width >= NARROWEST_WITH_BAR) {
      int full = room * progress.percent() / 100;
      bar = " [" + "=".repeat(full) + " ".repeat(room - full) + "]";
    }
    String line = head + bar + tail;
    return line.length() < width ? line : line.substring(0, Math.max(0, width - 1));
  }

  private static String facts(Progress progress) {
    StringBuilder text = new StringBuilder();
    progress
        .secondsLeft()
        .ifPresent(seconds -> text.append("  ").append(duration(seconds)).append(" left"));
    progress.bytesPerSecond().ifPresent(rate -> text.append("  ").append(size(rate)).append("/s"));
    text.append("  ")
        .append(size(progress.bytes()))
        .append(" of ")
        .append(size(progress.bytesTotal()));
    text.append(", ").append(progress.files()).append(" of ").append(progress.filesTotal());
    text.append(progress.filesTotal() == 1 ? " file" : " files");
    if (progress.retries() > 0) {
      text.append(", ").append(progress.retries());
      text.append(progress.retries() == 1 ? " retry" : " retries");
    }
    return text.toString();
  }

  /** Bytes in the largest unit of which there is one, with one digit after the point. */
  static String size(long bytes) {
    int unit = 0;
    long whole = Math.max(0, bytes);
    long rest = 0;
    while (whole >= 1024) {
      rest = whole % 1024;
      whole /= 1024;
      unit++;
    }
    return unit == 0 ? whole + " B" : whole + "." + rest * 10 / 1024 + " " + UNITS[unit];
  }

  /** Seconds as {@code M:SS} or {@code H:MM:SS}. */
  static String duration(long seconds) {
    return seconds < HOUR
        ? String.format(Locale.ROOT, "%d:%02d", seconds / MINUTE, seconds % MINUTE)
        : String.format(
            Locale.ROOT, "%d:%02d:%02d", seconds / HOUR, seconds % HOUR / MINUTE, seconds % MINUTE);
  }
}
