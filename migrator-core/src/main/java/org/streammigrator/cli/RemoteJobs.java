package org.streammigrator.cli;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.streammigrator.databricks.Jobs;
import org.streammigrator.databricks.Volumes;
import org.streammigrator.databricks.WorkspaceJobs;
import org.streammigrator.finding.DidYouMean;
import org.streammigrator.job.ExecutedJobs;
import org.streammigrator.job.JobExecution;
import org.streammigrator.job.JobFailedException;
import org.streammigrator.job.JobSpec;
import org.streammigrator.job.RunnerSpec;
import org.streammigrator.job.SparkJvm;
import org.streammigrator.job.remote.RemoteJob;
import org.streammigrator.plan.WorkspacePlan;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;

/**
 * Carries out jobs in the workspaces that their runners name.
 *
 * @param workspaces those that there are, by name; a runner that names none means that of the
 *     environment
 */
record RemoteJobs(Session session, Map<String, WorkspacePlan> workspaces)
    implements ExecutedJobs.Executions {
  RemoteJobs {
    requireNonNull(session, "session");
    workspaces = Map.copyOf(workspaces);
  }

  @Override
  public JobExecution of(JobSpec spec, RunnerSpec runner) {
    String name = runner.workspace();
    if (name != null && !workspaces.containsKey(name)) {
      throw new CliFailure(
          ExitCode.USAGE,
          "runner.workspace: there is no workspace "
              + name
              + " in `workspaces` of the plan, or of the file of --storage"
              + DidYouMean.among(name, workspaces.keySet()));
    }
    Map<String, String> settings =
        name == null ? Map.of() : StorageOption.settings(workspaces.get(name));
    CliContext context = session.context();
    try {
      Jobs jobs =
          WorkspaceJobs.of(
              name == null ? "the runner databricks" : "workspace " + name,
              settings,
              context.waits());
      Store store =
          new Volumes(context.environment())
              .make(Location.parse(runner.volume(), Path.of("/")), settings);
      return new RemoteJob(
          jobs,
          store,
          runner,
          runner.jar() == null ? SparkJvm.fromSystemProperties(false).classPath() : "",
          context.waits(),
          note -> session.err().println("migrator: " + note));
    } catch (IOException unusable) {
      throw new JobFailedException(unusable.getMessage(), unusable);
    }
  }
}
