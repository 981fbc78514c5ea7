package org.streammigrator.jobs;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.function.Consumer;
import org.apache.spark.sql.SparkSession;
import org.streammigrator.job.BackfillResult;
import org.streammigrator.job.BackfillSpec;
import org.streammigrator.job.ChunkEvent;
import org.streammigrator.job.JobFailedException;
import org.streammigrator.job.JobRunner;
import org.streammigrator.job.RunnerSpec;
import org.streammigrator.job.StateResult;
import org.streammigrator.job.StateSpec;
import org.streammigrator.job.ValidateResult;
import org.streammigrator.job.ValidateSpec;
import org.streammigrator.jobs.backfill.BackfillJob;
import org.streammigrator.jobs.state.StateJob;
import org.streammigrator.jobs.validate.ValidateJob;

/**
 * Runs jobs in a session that is there already, such as the demo's.
 *
 * @param spark the session; a runner's own settings do not reach it
 */
public record SessionJobRunner(SparkSession spark) implements JobRunner {
  public SessionJobRunner {
    requireNonNull(spark, "spark");
  }

  @Override
  public ValidateResult validate(ValidateSpec spec, RunnerSpec runner) {
    return ValidateJob.run(spark, spec);
  }

  @Override
  public StateResult state(StateSpec spec, RunnerSpec runner) {
    return StateJob.run(spark, spec);
  }

  @Override
  public BackfillResult backfill(BackfillSpec spec, RunnerSpec runner, Consumer<ChunkEvent> told) {
    try {
      return BackfillJob.run(spark, spec, told);
    } catch (IOException stopped) {
      throw new JobFailedException(stopped.getMessage(), stopped);
    }
  }
}
