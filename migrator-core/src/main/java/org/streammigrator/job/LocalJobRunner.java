package org.streammigrator.job;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.List;

/**
 * Runs each job in a JVM of its own on this machine. What it says on stderr is shown only if it
 * fails.
 *
 * @param jvm how the JVMs are started
 */
public record LocalJobRunner(SparkJvm jvm) implements JobRunner {
  private static final int INVALID = 2;
  private static final int LINES_SHOWN = 15;

  public LocalJobRunner {
    requireNonNull(jvm, "jvm");
  }

  @Override
  public ValidateResult validate(ValidateSpec spec) {
    JobProcess.Ended ended =
        new JobProcess(
                new LocalLauncher(jvm, RunnerSpec.of(RunnerSpec.LOCAL)),
                Path.of("").toAbsolutePath())
            .run(spec, line -> false);
    if (ended.exit() == INVALID) {
      throw new InvalidJobSpecException(last(ended.errors(), 1));
    }
    if (ended.result().isEmpty()) {
      throw new JobFailedException(
          "the validate job ended with exit code %d:%n%s"
              .formatted(ended.exit(), String.join("\n", last(ended.errors(), LINES_SHOWN))));
    }
    return JobJson.readResult(ended.result().get(), ValidateSpec.JOB, ValidateResult.class);
  }

  private static List<String> last(List<String> lines, int count) {
    return lines.subList(Math.max(0, lines.size() - count), lines.size());
  }
}
