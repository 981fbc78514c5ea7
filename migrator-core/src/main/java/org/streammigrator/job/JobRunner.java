package org.streammigrator.job;

/** Where Spark jobs run. */
public interface JobRunner {

  /**
   * Compares a sink with its source.
   *
   * @return what was found, whether it agrees or not
   * @throws InvalidJobSpecException if the spec cannot be run as it stands
   * @throws JobFailedException if the job came to no result
   */
  ValidateResult validate(ValidateSpec spec);
}
