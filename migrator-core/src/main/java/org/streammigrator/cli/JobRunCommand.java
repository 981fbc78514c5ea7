package org.streammigrator.cli;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.job.ChunkEvent;
import org.streammigrator.job.CopySpec;
import org.streammigrator.job.InvalidJobSpecException;
import org.streammigrator.job.JobExecution;
import org.streammigrator.job.JobFailedException;
import org.streammigrator.job.JobFile;
import org.streammigrator.job.JobJson;
import org.streammigrator.job.JobLauncher;
import org.streammigrator.job.JobProcess;
import org.streammigrator.job.LocalLauncher;
import org.streammigrator.job.RepartitionSpec;
import org.streammigrator.job.ResultFile;
import org.streammigrator.job.RunnerSpec;
import org.streammigrator.job.SparkJvm;
import org.streammigrator.job.SparkSubmitLauncher;
import org.streammigrator.job.StateSpec;
import org.streammigrator.job.ValidateSpec;
import org.streammigrator.report.JsonOutput;
import org.streammigrator.report.ProgressDisplay;
import org.streammigrator.report.ProgressEvents;
import org.streammigrator.storage.Location;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code migrator job run}. */
@Command(
    name = "run",
    description = {
      "Runs one Spark job where its spec says: in a JVM on this machine, by spark-submit, or as a",
      "run in a Databricks workspace.",
      "The result is JSON, on stdout and at the spec's `result`."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "A copy, spread over executors; the result can be checked by 'migrator verify':",
      "  {\"schema\":\"migrator/job/1\",\"job\":\"copy\",\"runner\":\"spark-submit\",",
      "   \"from\":\"s3a://old/chk/orders\",\"to\":\"s3a://new/chk/orders\"}",
      "",
      "Exit codes: 0 done, 2 invalid spec, 3 refused, 5 stopped (run it again),",
      " 6 a verification failed.",
      "",
      "Example: migrator job run copy.json"
    })
final class JobRunCommand implements Callable<Integer> {
  private static final int LINES_SHOWN = 15;

  private final Session session;

  @Mixin private OutputFormat output;

  @Mixin private ProgressOption progress;

  @Parameters(paramLabel = "SPEC", description = "The spec, a JSON file.")
  private String file;

  JobRunCommand(Session session) {
    this.session = requireNonNull(session, "session");
  }

  @Override
  public Integer call() throws IOException {
    JobFile job = read();
    if (!job.runner().isDatabricks()) {
      ResultFile.problem(job.spec().result(), session.context().directory())
          .ifPresent(
              problem -> {
                throw new CliFailure(ExitCode.USAGE, file + ": " + problem);
              });
    }
    if (job.spec() instanceof CopySpec copy) {
      requirePlaces("from", copy.from(), copy.to(), job.runner());
    }
    if (job.spec() instanceof RepartitionSpec repartition) {
      requirePlaces("checkpoint", repartition.checkpoint(), repartition.to(), job.runner());
    }
    JobExecution execution = execution(job);
    JobProcess.Ended ended;
    try (ProgressDisplay display = progress.display(session)) {
      ProgressEvents events = new ProgressEvents(display);
      ended = execution.run(job.spec(), line -> events.take(line) || told(line));
    } catch (InvalidJobSpecException invalid) {
      throw invalid(invalid);
    } catch (JobFailedException failed) {
      boolean isOutOfReach = failed.getCause() instanceof IOException;
      throw new CliFailure(
          job.runner().isDatabricks() && isOutOfReach ? ExitCode.STOPPED : ExitCode.UNEXPECTED,
          failed.getMessage(),
          failed);
    }
    return report(job, ended);
  }

  /** Tells of a chunk that is done; false if a line is about something else. */
  private boolean told(String line) {
    Optional<ChunkEvent> chunk = ChunkEvent.parse(line);
    chunk.map(ChunkEvent::text).ifPresent(progress.lines(session, ""));
    return chunk.isPresent();
  }

  private int report(JobFile job, JobProcess.Ended ended) throws IOException {
    if (ended.exit() != ExitCode.DONE) {
      List<String> errors = ended.errors();
      errors
          .subList(Math.max(0, errors.size() - LINES_SHOWN), errors.size())
          .forEach(line -> session.err().println("migrator: " + line));
    }
    if (ended.result().isPresent()) {
      String result = ended.result().get();
      session
          .out()
          .println(output.json() ? result : JsonOutput.pretty(new ObjectMapper().readTree(result)));
      return ended.exit();
    }
    if (ended.exit() == ExitCode.DONE) {
      session
          .err()
          .println(
              "migrator: the job is done, and gave no result on its stdout; look at "
                  + (job.spec().result() == null ? "its log" : job.spec().result()));
      return ExitCode.DONE;
    }
    if (ended.exit() <= ExitCode.STOPPED) {
      return ended.exit(); // The job itself has said why.
    }
    boolean resumes = !(job.spec() instanceof ValidateSpec || job.spec() instanceof StateSpec);
    session
        .err()
        .println(
            "migrator: the "
                + job.spec().job()
                + " job ended with exit code "
                + ended.exit()
                + (resumes ? "; run it again, it goes on where it stopped" : ""));
    return resumes ? ExitCode.STOPPED : ExitCode.UNEXPECTED;
  }

  /** What can be told of the places of a new checkpoint before Spark is started for it. */
  private void requirePlaces(String key, String old, String target, RunnerSpec runner)
      throws IOException {
    Location from = session.location(old);
    Location to = session.location(target);
    if (to.equals(from) || to.isInside(from) || from.isInside(to)) {
      throw new CliFailure(
          ExitCode.USAGE,
          file
              + ": "
              + (to.equals(from) ? FindingCode.SAME_LOCATION : FindingCode.TARGET_INSIDE_SOURCE)
              + ": `to` ("
              + to
              + ") must lie outside of `"
              + key
              + "` ("
              + from
              + "), and not around it; give the copy a place beside the old checkpoint");
    }
    boolean here = runner.kind().equals(RunnerSpec.LOCAL) && from.isLocal();
    if (here && session.context().store().stat(from).isEmpty()) {
      throw new CliFailure(
          ExitCode.USAGE, file + ": `" + key + "`: " + from + " does not exist; give a checkpoint");
    }
  }

  private JobFile read() {
    Path path = session.context().directory().resolve(file);
    String text;
    try {
      text = Files.readString(path);
    } catch (IOException unreadable) {
      throw new CliFailure(ExitCode.USAGE, "the job spec " + path + " cannot be read", unreadable);
    }
    try {
      return JobJson.readSpec(text);
    } catch (InvalidJobSpecException invalid) {
      throw invalid(invalid);
    }
  }

  private CliFailure invalid(InvalidJobSpecException invalid) {
    return new CliFailure(
        ExitCode.USAGE,
        "invalid job spec " + file + ":\n  " + invalid.getMessage().replace("\n", "\n  "),
        invalid);
  }

  private JobExecution execution(JobFile job) {
    try {
      return job.runner().isDatabricks()
          ? session.remoteJobs().of(job.spec(), job.runner())
          : new JobProcess(launcher(job.runner()), session.context().directory());
    } catch (JobFailedException unusable) {
      throw new CliFailure(ExitCode.USAGE, unusable.getMessage(), unusable);
    }
  }

  private JobLauncher launcher(RunnerSpec runner) {
    SparkJvm jvm = SparkJvm.fromSystemProperties(false);
    return runner.kind().equals(RunnerSpec.LOCAL)
        ? new LocalLauncher(jvm, runner)
        : SparkSubmitLauncher.find(runner, jvm.classPath(), session.context().environment());
  }
}
