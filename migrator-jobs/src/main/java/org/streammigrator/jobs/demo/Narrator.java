package org.streammigrator.jobs.demo;

import static java.util.Objects.requireNonNull;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;

/** Prints the demo as it goes: numbered steps, what they found, and how long they took. */
final class Narrator {
  private final PrintStream out;
  private final long start = System.nanoTime();
  private int step;

  Narrator(PrintStream out) {
    this.out = requireNonNull(out, "out");
  }

  /** What a step did, as a sentence or two. */
  <T> T step(String title, Callable<T> work) throws Exception {
    step++;
    out.printf(Locale.ROOT, "%n%2d  %s%n", step, title);
    out.flush();
    long begin = System.nanoTime();
    T result = work.call();
    out.printf(Locale.ROOT, "    (%s)%n", seconds(begin));
    out.flush();
    return result;
  }

  void say(String text) {
    text.lines().forEach(line -> out.println(line.isEmpty() ? "" : "    " + line));
    out.flush();
  }

  void plain(String text) {
    out.println(text);
    out.flush();
  }

  String total() {
    return seconds(start);
  }

  private static String seconds(long since) {
    Duration duration = Duration.ofNanos(System.nanoTime() - since);
    return String.format(Locale.ROOT, "%.1f s", duration.toMillis() / 1000.0);
  }
}
