package org.streammigrator.databricks;

import static java.util.Objects.requireNonNull;

/**
 * What a task's run left with the workspace.
 *
 * @param error what the driver says it failed with; empty if nothing
 * @param trace the stack trace of that; empty if none
 * @param logs what it printed, as far as the workspace keeps it
 */
public record RunOutput(String error, String trace, String logs) {
  public RunOutput {
    requireNonNull(error, "error");
    requireNonNull(trace, "trace");
    requireNonNull(logs, "logs");
  }
}
