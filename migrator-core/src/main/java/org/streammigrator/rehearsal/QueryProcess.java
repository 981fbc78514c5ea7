package org.streammigrator.rehearsal;

import static java.util.Objects.requireNonNull;

import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * A command that was started, with every process that it starts.
 *
 * <p>Guarantees: {@link #end} leaves none of them alive that was seen as its descendant while it
 * ran; what it prints is read all the time, so that it never waits for a reader, and the last lines
 * are kept.
 */
public final class QueryProcess {
  private static final int LINES_KEPT = 40;

  /** After how many characters a line is cut. */
  static final int LONGEST_LINE = 2000;

  /** What would steer a terminal that shows the line. */
  private static final Pattern CONTROL = Pattern.compile("[\\p{Cntrl}\\x80-\\x9f&&[^\t]]");

  private static final Duration AFTER_KILL = Duration.ofSeconds(5);
  private static final long PAUSE_MS = 25;

  private final Process process;
  private final Set<ProcessHandle> tree = new LinkedHashSet<>();
  private final Deque<String> lines = new ArrayDeque<>();
  private final Thread reader;

  private QueryProcess(Process process) {
    this.process = process;
    tree.add(process.toHandle());
    this.reader = new Thread(this::read, "read-query");
    reader.setDaemon(true);
    reader.start();
  }

  /**
   * Starts a command.
   *
   * @param command a text for the shell, or a program with its arguments; one word that names a
   *     file is that program
   * @param directory where it runs
   * @param environment what is added to this process's environment
   * @throws IOException if it cannot be started
   */
  public static QueryProcess start(
      List<String> command, Path directory, Map<String, String> environment) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(words(command, directory));
    builder.environment().putAll(environment);
    return new QueryProcess(
        builder
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
            .start());
  }

  /** What is started for a command of a plan. */
  static List<String> words(List<String> command, Path directory) {
    Path program = directory.resolve(command.get(0));
    boolean isFile = command.get(0).contains("/") && Files.isRegularFile(program);
    if (command.size() == 1 && !isFile) {
      return List.of("/bin/sh", "-c", requireNonNull(command.get(0)));
    }
    List<String> words = new ArrayList<>(command);
    if (isFile) {
      words.set(0, program.toString());
    }
    return words;
  }

  /**
   * Whether it still runs, or ended well and something that it started does: a command may only
   * start the query.
   */
  public synchronized boolean isAlive() {
    watch();
    return process.isAlive()
        || process.exitValue() == 0 && tree.stream().anyMatch(QueryProcess::runs);
  }

  /** Its exit code; empty while it runs. */
  public OptionalInt exit() {
    return process.isAlive() ? OptionalInt.empty() : OptionalInt.of(process.exitValue());
  }

  /** The last lines that it printed, in order; a long one is cut. */
  public List<String> lines() {
    synchronized (lines) {
      return List.copyOf(lines);
    }
  }

  /**
   * Ends it and all that it started: asks them (SIGTERM), and kills who is still there later.
   *
   * @param grace how long they have to end by themselves
   * @return whether one had to be killed
   */
  public synchronized boolean end(Duration grace) throws InterruptedException {
    watch();
    tree.forEach(ProcessHandle::destroy);
    await(grace);
    watch();
    boolean isForced = tree.stream().anyMatch(QueryProcess::runs);
    if (isForced) {
      tree.stream().filter(QueryProcess::runs).forEach(ProcessHandle::destroyForcibly);
      await(AFTER_KILL);
    }
    process.waitFor(AFTER_KILL.toMillis(), TimeUnit.MILLISECONDS);
    // One that got away may keep the pipe open for ever.
    reader.join(AFTER_KILL.toMillis());
    return isForced;
  }

  private void await(Duration most) throws InterruptedException {
    long until = System.nanoTime() + most.toNanos();
    while (tree.stream().anyMatch(QueryProcess::runs) && System.nanoTime() - until < 0) {
      Thread.sleep(PAUSE_MS);
    }
  }

  /** Notes who is there, since a process whose parent has ended is nobody's descendant. */
  private synchronized void watch() {
    for (ProcessHandle known : List.copyOf(tree)) {
      known.descendants().forEach(tree::add);
    }
  }

  /** Whether a process does anything: one that nobody has waited for yet is listed still. */
  private static boolean runs(ProcessHandle process) {
    if (!process.isAlive()) {
      return false;
    }
    try {
      String status = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
      return !status.substring(status.lastIndexOf(')') + 1).strip().startsWith("Z");
    } catch (IOException noSuchSystem) {
      return process.isAlive();
    }
  }

  private void read() {
    try (Reader in = new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)) {
      StringBuilder line = new StringBuilder();
      for (int c = in.read(); c >= 0; c = in.read()) {
        if (c == '\n' || c == '\r') {
          keep(line.toString());
          line.setLength(0);
        } else if (line.length() < LONGEST_LINE) {
          line.append((char) c);
        }
      }
      keep(line.toString());
    } catch (IOException closed) {
      // The process is gone, and what it said is read.
    }
  }

  private void keep(String line) {
    if (line.isBlank()) {
      return;
    }
    synchronized (lines) {
      lines.addLast(CONTROL.matcher(line).replaceAll("?").stripTrailing());
      if (lines.size() > LINES_KEPT) {
        lines.removeFirst();
      }
    }
  }
}
