package org.streammigrator.migration;

import static java.util.Objects.requireNonNull;

import java.util.function.Supplier;
import org.streammigrator.job.JobRunner;

/**
 * How an apply runs the jobs of the strategy backfill.
 *
 * @param jobs where Spark jobs run; asked only where one is to run
 * @param isFinal whether the final run does not wait for the new query's watermark
 */
public record Backfilling(Supplier<JobRunner> jobs, boolean isFinal) {
  /** For streams whose strategies need no job. */
  public static final Backfilling NONE =
      new Backfilling(
          () -> {
            throw new IllegalStateException("no job was to run here");
          },
          false);

  public Backfilling {
    requireNonNull(jobs, "jobs");
  }
}
