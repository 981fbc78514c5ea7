package org.streammigrator.job;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Starts jobs in a JVM on this machine, so that Spark is on no other class path.
 *
 * @param jvm how the JVMs are started
 * @param runner what is set for them
 */
public record LocalLauncher(SparkJvm jvm, RunnerSpec runner) implements JobLauncher {
  /** System property: the master that jobs begin with, if nothing else has set one. */
  public static final String MASTER = "migrator.spark.master";

  /** System property: the process that a job must not outlive. */
  public static final String PARENT = "migrator.parent";

  public LocalLauncher {
    requireNonNull(jvm, "jvm");
    requireNonNull(runner, "runner");
  }

  @Override
  public List<String> command(Path directory, List<String> arguments) throws IOException {
    List<String> options = new ArrayList<>(jvm.options());
    options.add("-D" + PARENT + "=" + ProcessHandle.current().pid());
    options.add("-D" + JobDirectory.PROPERTY + "=" + directory);
    if (runner.memory() != null) {
      options.add("-Xmx" + runner.memory());
    }
    if (runner.master() != null) {
      options.add("-D" + MASTER + "=" + runner.master());
    }
    runner.conf().entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(entry -> options.add("-D" + entry.getKey() + "=" + entry.getValue()));
    return new SparkJvm(jvm.classPath(), options)
        .command(JobDirectory.arguments(directory), MAIN, arguments);
  }
}
