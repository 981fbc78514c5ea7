package org.streammigrator.job.remote;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.streammigrator.databricks.JobRun;
import org.streammigrator.databricks.Jobs;
import org.streammigrator.databricks.JobsApiException;
import org.streammigrator.databricks.Waits;
import org.streammigrator.job.InvalidJobSpecException;
import org.streammigrator.job.JobExecution;
import org.streammigrator.job.JobFailedException;
import org.streammigrator.job.JobJson;
import org.streammigrator.job.JobProcess;
import org.streammigrator.job.JobSpec;
import org.streammigrator.job.RunnerSpec;
import org.streammigrator.plan.RunnerRules;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;

/**
 * A job as a run in a workspace. The run is noted in the volume, so that whoever runs the same spec
 * again while it goes on waits for it, and whoever died before it was noted submits it with the
 * same token, which gives the same run.
 */
public final class RemoteJob implements JobExecution {
  private static final int STOPPED = 5;
  private static final int UNEXPECTED = 1;

  private final Jobs jobs;
  private final Store store;
  private final RunnerSpec runner;
  private final String classPath;
  private final Waits waits;
  private final Consumer<String> notes;

  /**
   * @param jobs the workspace
   * @param store reaches its volumes
   * @param runner where the run computes
   * @param classPath the jobs' class path, the jobs' jar first
   * @param notes is told which run it is, and what becomes of it
   */
  public RemoteJob(
      Jobs jobs,
      Store store,
      RunnerSpec runner,
      String classPath,
      Waits waits,
      Consumer<String> notes) {
    this.jobs = requireNonNull(jobs, "jobs");
    this.store = requireNonNull(store, "store");
    this.runner = requireNonNull(runner, "runner");
    this.classPath = requireNonNull(classPath, "classPath");
    this.waits = requireNonNull(waits, "waits");
    this.notes = requireNonNull(notes, "notes");
  }

  /**
   * {@inheritDoc}
   *
   * @throws InvalidJobSpecException if the job cannot run on serverless compute and is to
   */
  @Override
  public JobProcess.Ended run(JobSpec spec, Predicate<String> taken) {
    if (runner.environment() != null) {
      RunnerRules.notServerless(spec.job())
          .ifPresent(
              why -> {
                throw new InvalidJobSpecException(List.of("runner.environment: " + why));
              });
    }
    try {
      Location volume = Location.parse(runner.volume(), Path.of("/"));
      RunDirectory directory = RunDirectory.open(store, volume, spec);
      Optional<RunningJob> before = attached(directory, spec);
      RunningJob running =
          before.isPresent()
              ? before.get()
              : submitted(directory.run().isPresent() ? directory.next() : directory, volume, spec);
      return follow(running, spec, taken);
    } catch (IOException failed) {
      throw new JobFailedException(
          "the " + spec.job() + " job could not be run: " + failed.getMessage(), failed);
    }
  }

  /** The run that goes on, or has ended and nobody has taken its outcome. */
  private Optional<RunningJob> attached(RunDirectory directory, JobSpec spec) throws IOException {
    OptionalLong noted = directory.run();
    if (noted.isEmpty()) {
      return Optional.empty();
    }
    JobRun run;
    try {
      run = jobs.run(noted.getAsLong());
    } catch (JobsApiException refused) {
      if (!refused.isMissing()) {
        throw refused;
      }
      directory.close("the workspace has no run " + noted.getAsLong() + " any more");
      return Optional.empty();
    }
    if (!run.isActive() && spec.readsOnly()) {
      directory.close("it has ended, and what it saw may have changed since");
      return Optional.empty();
    }
    notes.accept("waiting for " + run.text() + ", which was submitted before");
    return Optional.of(new RunningJob(jobs, directory, run.id(), run.url()));
  }

  private RunningJob submitted(RunDirectory directory, Location volume, JobSpec spec)
      throws IOException {
    List<String> jars = new JobJars(store, volume.child("jars"), classPath).places(spec, runner);
    directory.write(RunFiles.SPEC, JobJson.write(spec) + "\n");
    long id =
        jobs.submit(
            Submission.of(spec, runner, jars, directory.location().path(), directory.token()));
    directory.started(id, jobs.host());
    JobRun run = jobs.run(id);
    notes.accept("submitted " + run.text());
    return new RunningJob(jobs, directory, id, run.url());
  }

  private JobProcess.Ended follow(RunningJob running, JobSpec spec, Predicate<String> taken)
      throws IOException {
    Thread onExit =
        new Thread(() -> running.leave(runner.isCancelledOnInterrupt(), notes), "leave-run");
    Runtime.getRuntime().addShutdownHook(onExit);
    try {
      return ended(running.await(waits, taken), running.directory(), spec);
    } catch (IOException unreachable) {
      if (Thread.currentThread().isInterrupted()) {
        throw interrupted(running, spec, unreachable);
      }
      throw new JobFailedException(unreachable.getMessage() + "; " + running.goesOn(), unreachable);
    } finally {
      try {
        Runtime.getRuntime().removeShutdownHook(onExit);
      } catch (IllegalStateException goingDown) {
        // The hook is doing its work.
      }
    }
  }

  private JobFailedException interrupted(RunningJob running, JobSpec spec, IOException cause) {
    // What is asked of the workspace now would be interrupted as well.
    Thread.interrupted();
    running.leave(runner.isCancelledOnInterrupt(), notes);
    Thread.currentThread().interrupt();
    return new JobFailedException("the " + spec.job() + " job was interrupted", cause);
  }

  private JobProcess.Ended ended(JobRun run, RunDirectory directory, JobSpec spec)
      throws IOException {
    JobProcess.Ended ended =
        directory
            .outcome()
            .map(RunOutcome::ended)
            .orElseGet(
                () ->
                    new JobProcess.Ended(
                        spec.readsOnly() ? UNEXPECTED : STOPPED,
                        Optional.empty(),
                        new RunFailure(jobs, run, directory.location()).lines()));
    directory.close(run.text());
    return ended;
  }
}
