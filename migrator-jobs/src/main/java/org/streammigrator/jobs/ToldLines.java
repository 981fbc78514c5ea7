package org.streammigrator.jobs;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.streammigrator.job.remote.RunFiles;

/**
 * What a job says: events go into a file, which is written anew each time, since the files of a
 * volume cannot be appended to; everything else is kept as messages and shown.
 */
final class ToldLines extends LineStream {
  private static final String EVENT = "{\"event\":";
  private static final int MESSAGES = 100;

  /** Writing a small file into a volume takes about as long. */
  private static final long PAUSE_NANOS = 2_000_000_000L;

  private final Path file;
  private final PrintStream shown;
  private final List<String> kept = new ArrayList<>();
  private final Deque<String> messages = new ArrayDeque<>();
  private long written = System.nanoTime() - PAUSE_NANOS;

  ToldLines(Path file, PrintStream shown) {
    this.file = file;
    this.shown = shown;
  }

  @Override
  void line(String text) {
    if (!text.startsWith(EVENT)) {
      messages.addLast(text);
      if (messages.size() > MESSAGES) {
        messages.removeFirst();
      }
      shown.println(text);
      return;
    }
    boolean stays = text.startsWith(RunFiles.KEPT);
    if (stays) {
      kept.add(text);
    }
    if (stays || System.nanoTime() - written >= PAUSE_NANOS) {
      write(stays ? "" : text + "\n");
    }
  }

  private void write(String last) {
    StringBuilder lines = new StringBuilder();
    kept.forEach(line -> lines.append(line).append('\n'));
    try {
      Files.writeString(file, lines + last);
      written = System.nanoTime();
    } catch (IOException lost) {
      // What is told is not what counts, and the next line tells more.
    }
  }

  /** The last messages. */
  List<String> messages() {
    return List.copyOf(messages);
  }
}
