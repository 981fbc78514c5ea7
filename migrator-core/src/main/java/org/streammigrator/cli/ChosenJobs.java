package org.streammigrator.cli;

import static java.util.Objects.requireNonNull;

import java.util.function.Consumer;
import java.util.function.Supplier;
import org.streammigrator.job.BackfillResult;
import org.streammigrator.job.BackfillSpec;
import org.streammigrator.job.ChunkEvent;
import org.streammigrator.job.ExecutedJobs;
import org.streammigrator.job.JobRunner;
import org.streammigrator.job.RunnerSpec;
import org.streammigrator.job.StateResult;
import org.streammigrator.job.StateSpec;
import org.streammigrator.job.ValidateResult;
import org.streammigrator.job.ValidateSpec;

/**
 * Runs each job where its runner says.
 *
 * @param here on this machine
 * @param remote in workspaces
 */
record ChosenJobs(Supplier<JobRunner> here, ExecutedJobs remote) implements JobRunner {
  ChosenJobs {
    requireNonNull(here, "here");
    requireNonNull(remote, "remote");
  }

  private JobRunner of(RunnerSpec runner) {
    return runner.isDatabricks() ? remote : here.get();
  }

  @Override
  public ValidateResult validate(ValidateSpec spec, RunnerSpec runner) {
    return of(runner).validate(spec, runner);
  }

  @Override
  public StateResult state(StateSpec spec, RunnerSpec runner) {
    return of(runner).state(spec, runner);
  }

  @Override
  public BackfillResult backfill(BackfillSpec spec, RunnerSpec runner, Consumer<ChunkEvent> told) {
    return of(runner).backfill(spec, runner, told);
  }
}
