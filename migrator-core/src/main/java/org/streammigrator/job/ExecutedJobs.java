package org.streammigrator.job;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.function.Consumer;
import org.streammigrator.finding.Finding;

/**
 * Jobs whose results are read from what their executions leave.
 *
 * @param executions how a job is carried out
 */
public record ExecutedJobs(Executions executions) implements JobRunner {
  private static final int DONE = 0;
  private static final int INVALID = 2;
  private static final int REFUSED = 3;
  private static final int CHANGED = 4;
  private static final String INVALID_SPEC = "invalid job spec ";
  private static final String EVENT = "{\"event\":";
  private static final int LINES_SHOWN = 15;

  /** Chooses how a job is carried out. */
  public interface Executions {
    /** The execution of a job. */
    JobExecution of(JobSpec spec, RunnerSpec runner);
  }

  public ExecutedJobs {
    requireNonNull(executions, "executions");
  }

  @Override
  public ValidateResult validate(ValidateSpec spec, RunnerSpec runner) {
    JobProcess.Ended ended = run(spec, runner, chunk -> {});
    return JobJson.readResult(result(spec, ended), ValidateSpec.JOB, ValidateResult.class);
  }

  @Override
  public StateResult state(StateSpec spec, RunnerSpec runner) {
    JobProcess.Ended ended = run(spec, runner, chunk -> {});
    return JobJson.readResult(result(spec, ended), StateSpec.JOB, StateResult.class);
  }

  @Override
  public BackfillResult backfill(BackfillSpec spec, RunnerSpec runner, Consumer<ChunkEvent> told) {
    JobProcess.Ended ended = run(spec, runner, told);
    if (ended.exit() == REFUSED || ended.exit() == CHANGED) {
      List<Finding> findings = JobJson.readRefusal(result(spec, ended));
      if (!findings.isEmpty()) {
        throw ended.exit() == REFUSED
            ? JobRefusedException.unsafe(findings.get(0))
            : JobRefusedException.changed(findings.get(0));
      }
    }
    if (ended.exit() != DONE) {
      throw failed(spec, ended);
    }
    return JobJson.readResult(result(spec, ended), BackfillSpec.JOB, BackfillResult.class);
  }

  private JobProcess.Ended run(JobSpec spec, RunnerSpec runner, Consumer<ChunkEvent> told) {
    JobProcess.Ended ended =
        executions
            .of(spec, runner)
            .run(
                spec,
                line -> {
                  ChunkEvent.parse(line).ifPresent(told);
                  return line.startsWith(EVENT);
                });
    if (ended.exit() == INVALID) {
      throw new InvalidJobSpecException(message(ended.errors()));
    }
    return ended;
  }

  /** Without what the job's main says of the file that it was given. */
  private static List<String> message(List<String> errors) {
    int first = Math.max(0, errors.size() - 1);
    for (int i = 0; i < errors.size(); i++) {
      first = errors.get(i).startsWith(INVALID_SPEC) ? i : first;
    }
    return errors.subList(first, errors.size()).stream()
        .map(line -> line.startsWith(INVALID_SPEC) ? line.replaceFirst("[^:]*: ", "") : line)
        .toList();
  }

  private static String result(JobSpec spec, JobProcess.Ended ended) {
    return ended.result().orElseThrow(() -> failed(spec, ended));
  }

  private static JobFailedException failed(JobSpec spec, JobProcess.Ended ended) {
    List<String> errors = ended.errors();
    return new JobFailedException(
        "the %s job ended with exit code %d:%n%s"
            .formatted(
                spec.job(),
                ended.exit(),
                String.join(
                    "\n",
                    errors.subList(Math.max(0, errors.size() - LINES_SHOWN), errors.size()))));
  }
}
