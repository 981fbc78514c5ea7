package org.streammigrator.migration;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.time.Clock;
import java.util.Optional;
import org.streammigrator.databricks.JobDefinition;
import org.streammigrator.databricks.JobReference;
import org.streammigrator.databricks.Jobs;
import org.streammigrator.databricks.Waits;
import org.streammigrator.plan.CutoverPlan;
import org.streammigrator.plan.JobPlan;
import org.streammigrator.plan.StreamPlan;

/**
 * The jobs that a plan stops and starts.
 *
 * @param workspaces the plan's workspaces; empty if jobs are left alone, as in a rehearsal
 * @param waits how it waits for runs
 * @param hold whether apply stops right before the cutover
 */
public record JobControl(Optional<Workspaces> workspaces, Waits waits, boolean hold) {
  /** Leaves jobs alone. */
  public static final JobControl NONE =
      new JobControl(Optional.empty(), Waits.real(Clock.systemUTC()), false);

  public JobControl {
    requireNonNull(workspaces, "workspaces");
    requireNonNull(waits, "waits");
  }

  /** A job where it is. */
  record Placed(String workspace, Jobs jobs, JobDefinition job) {
    /** How messages name it. */
    String text() {
      return job.text() + " in workspace " + workspace;
    }
  }

  /** The old query's job, if it is to be stopped through its workspace. */
  Optional<JobPlan> old(StreamPlan stream) {
    return stream.job().filter(job -> workspaces.isPresent() && job.workspace().isPresent());
  }

  /** The new query's job, if it is to be switched through its workspace. */
  Optional<CutoverPlan> next(StreamPlan stream) {
    return stream
        .cutover()
        .filter(cutover -> workspaces.isPresent() && cutover.workspace().isPresent());
  }

  /** Looks a job up. */
  Placed find(JobPlan job) throws IOException {
    return find(job.workspace().orElseThrow(), reference(job.id(), job.name()));
  }

  /** Looks a job up. */
  Placed find(CutoverPlan cutover) throws IOException {
    return find(cutover.workspace().orElseThrow(), reference(cutover.id(), cutover.name()));
  }

  /** Looks a job up. */
  Placed find(String workspace, JobReference reference) throws IOException {
    Jobs jobs = workspaces.orElseThrow().jobs(workspace);
    return new Placed(workspace, jobs, jobs.job(reference));
  }

  private static JobReference reference(Optional<String> id, Optional<String> name) {
    return id.isPresent()
        ? new JobReference.ById(Long.parseLong(id.get()))
        : new JobReference.ByName(name.orElseThrow());
  }
}
