package org.streammigrator.job;

import java.util.function.Consumer;

/** Where Spark jobs run. */
public interface JobRunner {

  /**
   * Compares a sink with its source.
   *
   * @param runner what is set for the job
   * @return what was found, whether it agrees or not
   * @throws InvalidJobSpecException if the spec cannot be run as it stands
   * @throws JobFailedException if the job came to no result
   */
  ValidateResult validate(ValidateSpec spec, RunnerSpec runner);

  /**
   * Reads state, and compares it with another.
   *
   * @param runner what is set for the job
   * @return what was found, whether it is the same or not
   * @throws InvalidJobSpecException if there is no such state
   * @throws JobFailedException if the job came to no result
   */
  StateResult state(StateSpec spec, RunnerSpec runner);

  /**
   * Computes windows and merges them, or only measures ({@code dryRun}).
   *
   * @param runner what is set for the job
   * @param told is told of each chunk that is done, from any thread
   * @throws InvalidJobSpecException if the spec cannot be run as it stands
   * @throws JobRefusedException if a finding forbids it; nothing of what was refused is written
   * @throws JobFailedException if it stopped part-way, or came to no result; run again, it goes on
   */
  BackfillResult backfill(BackfillSpec spec, RunnerSpec runner, Consumer<ChunkEvent> told);
}
