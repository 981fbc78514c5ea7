package org.streammigrator.job;

import java.util.function.Predicate;

/** How a job is carried out, here or elsewhere. */
public interface JobExecution {
  /**
   * Runs the job to its end.
   *
   * @param taken is shown every line that the job says while it runs, and says which ones are no
   *     messages but taken
   * @throws JobFailedException if it cannot be started or waited for
   */
  JobProcess.Ended run(JobSpec spec, Predicate<String> taken);
}
