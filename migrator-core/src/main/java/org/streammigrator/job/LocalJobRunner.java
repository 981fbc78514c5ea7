package org.streammigrator.job;

import static java.util.Objects.requireNonNull;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Runs each job in a JVM of its own on this machine, so that Spark is on no other class path. The
 * child dies with its parent, and when the waiting thread is interrupted. What it says on stderr is
 * shown only if it fails.
 *
 * @param jvm how the JVMs are started
 */
public record LocalJobRunner(SparkJvm jvm) implements JobRunner {
  private static final String MAIN = "org.streammigrator.jobs.JobMain";
  private static final int VERIFICATION_FAILED = 6;
  private static final int INVALID = 2;
  private static final int LINES_SHOWN = 15;

  public LocalJobRunner {
    requireNonNull(jvm, "jvm");
  }

  @Override
  public ValidateResult validate(ValidateSpec spec) {
    Path directory = null;
    try {
      directory = Files.createTempDirectory("migrator-job");
      Path result =
          spec.result() == null ? directory.resolve("result.json") : Path.of(spec.result());
      Path specFile = directory.resolve("spec.json");
      Files.writeString(specFile, JobJson.write(spec.withResult(result.toString())));
      run(directory, specFile);
      return JobJson.readValidateResult(Files.readString(result));
    } catch (IOException e) {
      throw new JobFailedException("the validate job could not be run: " + e.getMessage(), e);
    } finally {
      delete(directory);
    }
  }

  private void run(Path directory, Path specFile) throws IOException {
    Path arguments = directory.resolve("java.args");
    Path errors = directory.resolve("stderr");
    Process process =
        new ProcessBuilder(jvm.command(arguments, MAIN, List.of(specFile.toString())))
            .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(errors.toFile())
            .start();
    Thread reaper = new Thread(process::destroyForcibly, "kill-job");
    Runtime.getRuntime().addShutdownHook(reaper);
    int exit;
    try {
      exit = process.waitFor();
    } catch (InterruptedException e) {
      stop(process);
      Thread.currentThread().interrupt();
      throw new JobFailedException("the validate job was interrupted", e);
    } finally {
      removeHook(reaper);
    }
    if (exit == INVALID) {
      throw new InvalidJobSpecException(String.join("\n", tail(errors, 1)));
    }
    if (exit != 0 && exit != VERIFICATION_FAILED) {
      throw new JobFailedException(
          "the validate job ended with exit code %d:%n%s"
              .formatted(exit, String.join("\n", tail(errors, LINES_SHOWN))));
    }
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

  private static List<String> tail(Path file, int lines) throws IOException {
    List<String> all =
        Files.readString(file, StandardCharsets.UTF_8).lines().filter(l -> !l.isBlank()).toList();
    return all.subList(Math.max(0, all.size() - lines), all.size());
  }

  private static void delete(Path directory) {
    if (directory == null) {
      return;
    }
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        Files.deleteIfExists(file);
      }
      Files.deleteIfExists(directory);
    } catch (IOException e) {
      // Left-over temporary files harm nobody, and the result counts.
    }
  }
}
