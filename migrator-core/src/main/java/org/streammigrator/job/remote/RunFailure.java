package org.streammigrator.job.remote;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.streammigrator.databricks.JobRun;
import org.streammigrator.databricks.Jobs;
import org.streammigrator.databricks.RunOutput;
import org.streammigrator.storage.Location;

/**
 * Why a run left no outcome.
 *
 * @param run the run, which has ended
 * @param directory where the outcome was expected
 */
record RunFailure(Jobs jobs, JobRun run, Location directory) {
  private static final int LINES = 10;
  private static final int LONGEST = 400;

  /** In lines: the run with its state and its page, then what its driver says. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(
        run.succeeded()
            ? run.text() + " ended well and left no outcome in " + directory
            : run.text() + " " + how());
    for (JobRun.Task task : run.tasks()) {
      try {
        driver(jobs.output(task.run()), lines);
      } catch (IOException untold) {
        lines.add("what its driver said is not to be had: " + untold.getMessage());
      }
    }
    return lines;
  }

  private String how() {
    String state = run.result().orElse(run.state());
    return switch (state) {
      case "TIMEDOUT" -> "took longer than runner.timeout, or than its cluster lets it";
      case "CANCELED", "UPSTREAM_CANCELED" -> "was cancelled";
      case "SKIPPED", "MAXIMUM_CONCURRENT_RUNS_REACHED", "EXCLUDED" -> "did not start";
      case "INTERNAL_ERROR" -> "broke in the workspace itself; look at its page";
      default -> "failed";
    };
  }

  private static void driver(RunOutput output, List<String> lines) {
    output
        .error()
        .lines()
        .filter(line -> !line.isBlank())
        .limit(LINES)
        .map(line -> line.length() > LONGEST ? line.substring(0, LONGEST) + "..." : line)
        .forEach(line -> lines.add("the driver says: " + line));
  }
}
