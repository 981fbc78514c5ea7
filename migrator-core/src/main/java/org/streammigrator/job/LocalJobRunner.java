package org.streammigrator.job;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * Runs each job in a JVM of its own on this machine. What it says on stderr is shown only if it
 * fails.
 *
 * @param brief how JVMs are started that are over soon
 * @param lasting how JVMs are started that compute much
 */
public record LocalJobRunner(SparkJvm brief, SparkJvm lasting) implements JobRunner {
  public LocalJobRunner {
    requireNonNull(brief, "brief");
    requireNonNull(lasting, "lasting");
  }

  /** A comparison needs little; what is set for the jobs of a backfill is not for it. */
  @Override
  public ValidateResult validate(ValidateSpec spec, RunnerSpec runner) {
    return jobs().validate(spec, RunnerSpec.of(RunnerSpec.LOCAL));
  }

  @Override
  public StateResult state(StateSpec spec, RunnerSpec runner) {
    return jobs().state(spec, RunnerSpec.of(RunnerSpec.LOCAL));
  }

  @Override
  public BackfillResult backfill(BackfillSpec spec, RunnerSpec runner, Consumer<ChunkEvent> told) {
    return jobs().backfill(spec, runner, told);
  }

  private ExecutedJobs jobs() {
    return new ExecutedJobs(
        (spec, runner) ->
            new JobProcess(
                new LocalLauncher(spec.readsOnly() ? brief : lasting, runner),
                Path.of("").toAbsolutePath()));
  }
}
