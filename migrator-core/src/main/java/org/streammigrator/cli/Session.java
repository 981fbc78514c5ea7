package org.streammigrator.cli;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.checkpoint.CheckpointReader;
import org.streammigrator.databricks.Jobs;
import org.streammigrator.databricks.WorkspaceJobs;
import org.streammigrator.facts.Facts;
import org.streammigrator.facts.FactsFile;
import org.streammigrator.job.ExecutedJobs;
import org.streammigrator.job.JobRunner;
import org.streammigrator.migration.JobControl;
import org.streammigrator.migration.Workspaces;
import org.streammigrator.plan.WorkspacePlan;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.StorageSettings;
import org.streammigrator.storage.UnservedPlaceException;

/** One run of the program: results go to {@code out}, everything else to {@code err}. */
final class Session {
  private final CliContext outside;
  private final PrintStream out;
  private final PrintStream err;
  private CliContext context;
  private Map<String, WorkspacePlan> workspaces = Map.of();
  private StorageSettings commandLine = StorageSettings.NONE;

  /**
   * A run.
   *
   * @param context what the commands take from outside
   */
  Session(CliContext context, PrintStream out, PrintStream err) {
    this.outside = requireNonNull(context, "context");
    this.context = context;
    this.out = requireNonNull(out, "out");
    this.err = requireNonNull(err, "err");
  }

  /** What the commands take from outside, with the settings of storage that hold by now. */
  CliContext context() {
    return context;
  }

  PrintStream out() {
    return out;
  }

  PrintStream err() {
    return err;
  }

  /** Takes the settings of the command line, which win over those of a plan. */
  void useStorage(StorageSettings settings) {
    commandLine = settings;
    context = outside.withStorage(settings);
  }

  /** Takes the settings of a plan; a plan's are read once, before its places are. */
  void usePlan(StorageSettings settings) {
    context = outside.withStorage(settings.with(commandLine));
  }

  /** Takes the workspaces of a plan, or of the file of {@code --storage}. */
  void useWorkspaces(Map<String, WorkspacePlan> named) {
    workspaces = Map.copyOf(named);
  }

  /** Where Spark jobs run: as their runners say. */
  Supplier<JobRunner> jobs() {
    return () -> new ChosenJobs(context.jobs(), new ExecutedJobs(remoteJobs()));
  }

  /** Jobs as runs in the workspaces. */
  RemoteJobs remoteJobs() {
    return new RemoteJobs(this, workspaces);
  }

  /**
   * The jobs that the plan stops and starts; a workspace is asked for its jobs when they are
   * needed.
   *
   * @param hold whether apply stops right before the cutover
   */
  JobControl jobControl(boolean hold) {
    Map<String, Jobs> known = new HashMap<>();
    Workspaces found =
        name -> {
          if (!workspaces.containsKey(name)) {
            throw new IOException(
                "the journal tells of workspace "
                    + name
                    + ", which the plan does not have: put it back");
          }
          synchronized (known) {
            Jobs jobs = known.get(name);
            if (jobs == null) {
              jobs =
                  WorkspaceJobs.of(
                      "workspace " + name,
                      StorageOption.settings(workspaces.get(name)),
                      context.waits());
              known.put(name, jobs);
            }
            return jobs;
          }
        };
    return new JobControl(Optional.of(found), context.waits(), hold);
  }

  /** The checkpoint that an argument names: read whole, however damaged it is. */
  Checkpoint checkpoint(String text) {
    Location location = location(text);
    try {
      return new CheckpointReader(context.store()).read(location);
    } catch (NoSuchFileException missing) {
      throw new CliFailure(
          ExitCode.USAGE,
          location + " does not exist; give the directory of a checkpoint",
          missing);
    } catch (NotDirectoryException file) {
      throw new CliFailure(
          ExitCode.USAGE,
          location
              + " is a file; give the directory of a checkpoint, the one that holds metadata,"
              + " offsets and commits",
          file);
    } catch (AccessDeniedException denied) {
      throw new CliFailure(
          Failures.exitCode(denied),
          "no permission to read "
              + location
              + Failures.reason(denied)
              + "; give this user access and run it again",
          denied);
    } catch (UnservedPlaceException unserved) {
      throw new CliFailure(ExitCode.USAGE, unserved.getMessage(), unserved);
    } catch (IOException unreadable) {
      String said = String.valueOf(unreadable.getMessage());
      throw new CliFailure(
          Failures.exitCode(unreadable),
          (said.startsWith(location.toString()) ? said : location + " cannot be read: " + said)
              + "; run it again",
          unreadable);
    }
  }

  /** A location from the command line. */
  Location location(String text) {
    try {
      return Location.parse(text, context.directory());
    } catch (IllegalArgumentException invalid) {
      throw new CliFailure(ExitCode.USAGE, invalid.getMessage(), invalid);
    }
  }

  /** The facts file that an argument names. */
  Facts facts(String file) throws IOException {
    Location location = location(file);
    String text = new String(context.store().readAll(location), StandardCharsets.UTF_8);
    try {
      return FactsFile.parse(text);
    } catch (IllegalArgumentException invalid) {
      throw new CliFailure(
          ExitCode.USAGE, "facts file " + location + ", " + invalid.getMessage(), invalid);
    }
  }
}
