package org.streammigrator.job;

import static java.util.Objects.requireNonNull;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;

/**
 * Runs a job as a process. The child dies with its parent, and when the waiting thread is
 * interrupted.
 *
 * @param launcher how it is started
 * @param directory where it runs: relative paths of the spec are relative to it
 */
public record JobProcess(JobLauncher launcher, Path directory) implements JobExecution {
  private static final int LINES_KEPT = 100;

  /**
   * How a job ended.
   *
   * @param exit the exit code, one of the program's own if the job came that far
   * @param result the result as JSON; empty if it gave none
   * @param errors the last lines on its stderr
   */
  public record Ended(int exit, Optional<String> result, List<String> errors) {
    public Ended {
      requireNonNull(result, "result");
      errors = List.copyOf(errors);
    }
  }

  public JobProcess {
    requireNonNull(launcher, "launcher");
    requireNonNull(directory, "directory");
  }

  @Override
  public Ended run(JobSpec spec, Predicate<String> taken) {
    AtomicReference<JobDirectory> files = new AtomicReference<>();
    AtomicReference<Process> process = new AtomicReference<>();
    Runnable end =
        () -> {
          Optional.ofNullable(process.get()).ifPresent(Process::destroyForcibly);
          Optional.ofNullable(files.get()).ifPresent(JobDirectory::delete);
        };
    Thread reaper = new Thread(end, "kill-job");
    Runtime.getRuntime().addShutdownHook(reaper);
    try {
      files.set(JobDirectory.make());
      Path specFile = files.get().write(spec);
      process.set(
          new ProcessBuilder(
                  launcher.command(files.get().path(), List.of(specFile.toString(), "--progress")))
              .directory(directory.toFile())
              .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
              .start());
      return follow(process.get(), spec.job(), taken);
    } catch (IOException e) {
      throw new JobFailedException(
          "the " + spec.job() + " job could not be run: " + e.getMessage(), e);
    } finally {
      removeHook(reaper);
      end.run();
    }
  }

  private static Ended follow(Process process, String job, Predicate<String> taken) {
    try {
      Deque<String> results = new ArrayDeque<>();
      Deque<String> errors = new ArrayDeque<>();
      Thread out = read(process.getInputStream(), JobJson::isResult, results, 1);
      Thread err = read(process.getErrorStream(), line -> !taken.test(line), errors, LINES_KEPT);
      int exit = process.waitFor();
      out.join();
      err.join();
      return new Ended(exit, Optional.ofNullable(results.peekLast()), new ArrayList<>(errors));
    } catch (InterruptedException e) {
      stop(process);
      Thread.currentThread().interrupt();
      throw new JobFailedException("the " + job + " job was interrupted", e);
    }
  }

  /** Keeps the last of the lines that are wanted. The queue is the reader's until it has ended. */
  private static Thread read(
      InputStream in, Predicate<String> wanted, Deque<String> kept, int most) {
    Thread reader =
        new Thread(
            () -> {
              try (BufferedReader lines =
                  new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                  if (!line.isBlank() && wanted.test(line)) {
                    kept.addLast(line);
                    if (kept.size() > most) {
                      kept.removeFirst();
                    }
                  }
                }
              } catch (IOException closed) {
                // The process is gone, and what it said is read.
              }
            },
            "read-job");
    reader.setDaemon(true);
    reader.start();
    return reader;
  }

  private static void stop(Process process) {
    process.destroy();
    try {
      if (!process.waitFor(5, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException again) {
      process.destroyForcibly();
    }
  }

  private static void removeHook(Thread reaper) {
    try {
      Runtime.getRuntime().removeShutdownHook(reaper);
    } catch (IllegalStateException e) {
      // The JVM is going down, and the hook is doing its work.
    }
  }
}
