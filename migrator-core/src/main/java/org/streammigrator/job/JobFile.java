package org.streammigrator.job;

import static java.util.Objects.requireNonNull;

/**
 * A job spec and where it runs.
 *
 * @param json the spec without its runner, as the job itself reads it
 */
public record JobFile(JobSpec spec, RunnerSpec runner, String json) {
  public JobFile {
    requireNonNull(spec, "spec");
    requireNonNull(runner, "runner");
    requireNonNull(json, "json");
  }
}
