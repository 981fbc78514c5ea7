package org.streammigrator.job;

import static java.util.Objects.requireNonNull;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Starts jobs by spark-submit, in client mode, since the result comes back on stdout.
 *
 * @param submit the command
 * @param jars what the installation has already; null if nobody knows
 * @param classPath the jobs' own class path, the jobs' jar first
 * @param runner what is set
 */
public record SparkSubmitLauncher(Path submit, Path jars, String classPath, RunnerSpec runner)
    implements JobLauncher {
  private static final String COMMAND = "spark-submit";

  public SparkSubmitLauncher {
    requireNonNull(submit, "submit");
    requireNonNull(classPath, "classPath");
    requireNonNull(runner, "runner");
  }

  /**
   * Finds spark-submit: in {@code runner.sparkHome}, else in {@code SPARK_HOME}, else on the PATH.
   *
   * @throws JobFailedException if there is none
   */
  public static SparkSubmitLauncher find(
      RunnerSpec runner, String classPath, Function<String, Optional<String>> environment) {
    String home =
        runner.sparkHome() != null
            ? runner.sparkHome()
            : environment.apply("SPARK_HOME").orElse(null);
    List<Path> candidates = new ArrayList<>();
    if (home != null) {
      candidates.add(Path.of(home, "bin", COMMAND));
    } else {
      for (String directory : environment.apply("PATH").orElse("").split(File.pathSeparator)) {
        candidates.add(Path.of(directory, COMMAND));
      }
    }
    for (Path candidate : candidates) {
      if (Files.isExecutable(candidate)) {
        return new SparkSubmitLauncher(candidate, jarsBeside(candidate), classPath, runner);
      }
    }
    throw new JobFailedException(
        home != null
            ? "there is no " + candidates.get(0) + " that can be run; check sparkHome or SPARK_HOME"
            : "spark-submit is not found; set sparkHome in the runner, or SPARK_HOME, or put it on"
                + " the PATH");
  }

  private static Path jarsBeside(Path submit) {
    try {
      Path jars = submit.toRealPath().getParent().resolveSibling("jars");
      return Files.isDirectory(jars) ? jars : null;
    } catch (IOException unreadable) {
      return null;
    }
  }

  @Override
  public List<String> command(Path directory, List<String> arguments) throws IOException {
    List<String> words = new ArrayList<>(List.of(submit.toString(), "--class", MAIN));
    words.addAll(List.of("--name", "migrator"));
    if (runner.master() != null) {
      words.addAll(List.of("--master", runner.master()));
    }
    if (runner.memory() != null) {
      words.addAll(List.of("--driver-memory", runner.memory()));
    }
    runner.conf().entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(entry -> words.addAll(List.of("--conf", entry.getKey() + "=" + entry.getValue())));
    words.addAll(runner.arguments());
    if (runner.jar() != null) {
      words.add(runner.jar());
    } else {
      List<String> own = List.of(classPath.split(File.pathSeparator));
      List<String> more = missing(own.subList(1, own.size()));
      if (!more.isEmpty()) {
        words.addAll(List.of("--jars", String.join(",", more)));
      }
      words.add(own.get(0));
    }
    words.addAll(arguments);
    return words;
  }

  /** The jars that the installation lacks, in whatever version. */
  private List<String> missing(List<String> own) throws IOException {
    Set<String> there = new HashSet<>();
    if (jars != null) {
      try (Stream<Path> files = Files.list(jars)) {
        files.forEach(file -> there.add(artifact(file.getFileName().toString())));
      }
    }
    return own.stream()
        .filter(jar -> !there.contains(artifact(Path.of(jar).getFileName().toString())))
        .filter(jar -> jars != null || !isPartOfSpark(jar))
        .toList();
  }

  /** A jar's name without its version. */
  static String artifact(String name) {
    return name.replaceAll("(-[0-9][^/]*)?\\.jar$", "");
  }

  private static boolean isPartOfSpark(String jar) {
    return jar.contains("/org/apache/spark/")
        || jar.contains("/org/apache/hadoop/")
        || jar.contains("/org/scala-lang/");
  }
}
