package org.streammigrator.report;

import static java.util.Objects.requireNonNull;

import java.io.PrintStream;
import java.util.function.Consumer;

/** How progress looks. Used by one thread at a time. */
public interface ProgressForm {
  /** Shows nothing. */
  ProgressForm SILENT = (progress, last) -> {};

  /**
   * Shows it, if it is time to.
   *
   * @param last whether this is the end of the phase
   */
  void show(Progress progress, boolean last);

  /** Leaves the terminal as it was found, so that something else can be printed. */
  default void clear() {}

  /** A line of a terminal that is drawn again and again. */
  final class Bar implements ProgressForm {
    private static final String CLEAR = "\r\u001b[K";

    private final PrintStream out;
    private final int width;
    private boolean drawn;

    /** A bar on a terminal of so many columns. */
    public Bar(PrintStream out, int width) {
      this.out = requireNonNull(out, "out");
      this.width = width;
    }

    @Override
    public void show(Progress progress, boolean last) {
      if (last) {
        clear();
        return;
      }
      // One write, so that nothing comes between clearing and drawing.
      out.print(CLEAR + ProgressText.bar(progress, width));
      out.flush();
      drawn = true;
    }

    @Override
    public void clear() {
      if (drawn) {
        out.print(CLEAR);
        out.flush();
        drawn = false;
      }
    }
  }

  /** A line now and then: every ten seconds, or every tenth of the work where that is longer. */
  final class Lines implements ProgressForm {
    private static final long FIRST_MILLIS = 2_000;
    private static final long SHORTEST_MILLIS = 2_000;
    private static final long LONGEST_MILLIS = 10_000;
    private static final int STEP_PERCENT = 10;

    private final Consumer<String> out;
    private boolean begun;
    private long shownMillis;
    private int shownPercent;

    /** Lines, each given to whoever prints them. */
    public Lines(Consumer<String> out) {
      this.out = requireNonNull(out, "out");
    }

    @Override
    public void show(Progress progress, boolean last) {
      if (last ? begun : isDue(progress)) {
        out.accept(ProgressText.line(progress));
        shownMillis = progress.elapsedMillis();
        shownPercent = progress.percent();
        begun = true;
      }
      if (last) {
        begun = false;
      }
    }

    private boolean isDue(Progress progress) {
      if (!begun) {
        return progress.elapsedMillis() >= FIRST_MILLIS;
      }
      long silent = progress.elapsedMillis() - shownMillis;
      return silent >= LONGEST_MILLIS
          || silent >= SHORTEST_MILLIS && progress.percent() >= shownPercent + STEP_PERCENT;
    }
  }

  /** An event a second, and one at the end of each phase. */
  final class Events implements ProgressForm {
    private static final long EVERY_MILLIS = 1_000;

    private final Consumer<Progress> out;
    private long shownMillis;

    /** Events, each given to whoever writes them. */
    public Events(Consumer<Progress> out) {
      this.out = requireNonNull(out, "out");
    }

    @Override
    public void show(Progress progress, boolean last) {
      if (last || progress.elapsedMillis() - shownMillis >= EVERY_MILLIS) {
        out.accept(progress);
        shownMillis = last ? 0 : progress.elapsedMillis();
      }
    }
  }
}
