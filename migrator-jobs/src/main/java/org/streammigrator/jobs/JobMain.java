package org.streammigrator.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.streammigrator.copy.CopyProgress;
import org.streammigrator.job.BackfillSpec;
import org.streammigrator.job.ChunkEvent;
import org.streammigrator.job.CopyResult;
import org.streammigrator.job.CopySpec;
import org.streammigrator.job.DedupSpec;
import org.streammigrator.job.InvalidJobSpecException;
import org.streammigrator.job.JobDirectory;
import org.streammigrator.job.JobFailedException;
import org.streammigrator.job.JobJson;
import org.streammigrator.job.JobRefusedException;
import org.streammigrator.job.JobResult;
import org.streammigrator.job.JobSpec;
import org.streammigrator.job.LocalLauncher;
import org.streammigrator.job.RefusedResult;
import org.streammigrator.job.RepartitionResult;
import org.streammigrator.job.RepartitionSpec;
import org.streammigrator.job.ResultFile;
import org.streammigrator.job.StateSpec;
import org.streammigrator.job.ValidateSpec;
import org.streammigrator.jobs.backfill.BackfillJob;
import org.streammigrator.jobs.copy.CopyJob;
import org.streammigrator.jobs.dedup.DedupJob;
import org.streammigrator.jobs.repartition.RepartitionJob;
import org.streammigrator.jobs.session.LocalSpark;
import org.streammigrator.jobs.state.StateJob;
import org.streammigrator.jobs.validate.ValidateJob;
import org.streammigrator.report.JsonOutput;
import org.streammigrator.report.ProgressDisplay;
import org.streammigrator.report.ProgressEvents;
import org.streammigrator.report.ProgressForm;

/**
 * Runs one job: {@code JobMain SPEC [--progress] [--debug]}. SPEC is a file that holds the spec as
 * JSON. The result goes to stdout, which carries nothing else, and to the place that the spec
 * names. With {@code --progress} stderr carries events that say how far it is, one a line.
 *
 * <p>Exit codes: 0 done; 1 unexpected error; 2 the spec cannot be run; 3 refused; 4 refused, since
 * what the spec was made for has changed; 5 stopped part-way, a rerun goes on; 6 the sink does not
 * agree.
 */
public final class JobMain {
  private static final int OK = 0;
  private static final int UNEXPECTED = 1;
  private static final int INVALID = 2;
  private static final int REFUSED = 3;
  private static final int CHANGED = 4;
  private static final int STOPPED = 5;
  private static final int VERIFICATION_FAILED = 6;
  private static final int KILLED = 137;

  /** All processors; a task is tried four times, as on a cluster. */
  private static final String LOCAL = "local[*,4]";

  /** For jobs that compute, with rows that may be very many. */
  private static final Map<String, String> MANY_ROWS =
      Map.of(
          "spark.sql.codegen.wholeStage", "true",
          "spark.sql.codegen.factoryMode", "FALLBACK",
          "spark.sql.adaptive.enabled", "true",
          "spark.sql.shuffle.partitions", "64");

  private JobMain() {}

  /** Runs the job and ends the JVM. */
  public static void main(String[] arguments) {
    endWithParent();
    PrintStream out = System.out;
    // Whatever a library prints is not the result.
    System.setOut(System.err);
    int exit = run(List.of(arguments), out, System.err);
    out.flush();
    System.exit(exit);
  }

  /**
   * A job whose starter was killed must not write later, when something else was decided: it ends
   * as if it were killed, too.
   */
  private static void endWithParent() {
    String parent = System.getProperty(LocalLauncher.PARENT);
    if (parent != null) {
      ProcessHandle.of(Long.parseLong(parent))
          .ifPresentOrElse(
              process -> process.onExit().thenRun(JobMain::endAtOnce), JobMain::endAtOnce);
    }
  }

  private static void endAtOnce() {
    JobDirectory.ofThisJob().ifPresent(JobDirectory::delete);
    Runtime.getRuntime().halt(KILLED);
  }

  /** Opens the session in which a job runs. */
  interface Sessions {
    /**
     * The session.
     *
     * @param settings what the job needs where nothing else has set it up
     */
    SparkSession open(String name, Map<String, String> settings);
  }

  /** Runs the job; the exit code is the return value. */
  static int run(List<String> arguments, PrintStream out, PrintStream err) {
    return run(arguments, out, err, LocalSpark::open);
  }

  /** Runs the job in such a session. */
  static int run(List<String> arguments, PrintStream out, PrintStream err, Sessions sessions) {
    List<String> files = new ArrayList<>(arguments);
    boolean debug = files.remove("--debug");
    boolean progress = files.remove("--progress");
    if (files.size() != 1) {
      err.println("usage: JobMain SPEC [--progress] [--debug]");
      return INVALID;
    }
    try {
      JobSpec spec = JobJson.readSpec(read(files.get(0))).spec();
      Optional<String> unwritable = ResultFile.problem(spec.result(), Path.of("").toAbsolutePath());
      if (unwritable.isPresent()) {
        throw new InvalidJobSpecException(unwritable.get());
      }
      SparkSession spark = sessions.open("migrator " + spec.job(), settings(spec));
      Outcome outcome;
      try (ProgressDisplay display =
          new ProgressDisplay(
              progress
                  ? new ProgressForm.Events(told -> err.println(ProgressEvents.event(told)))
                  : ProgressForm.SILENT)) {
        outcome =
            outcome(
                run(
                    spark,
                    spec,
                    display,
                    progress ? chunk -> err.println(chunk.json()) : chunk -> {}));
      } catch (JobRefusedException refused) {
        outcome = outcome(spec, refused);
      }
      String json = JobJson.write(outcome.result());
      outcome.messages().forEach(err::println);
      out.println(json);
      if (spec.result() != null) {
        write(spark, spec.result(), json);
      }
      return outcome.exit();
    } catch (InvalidJobSpecException e) {
      return failed(err, "invalid job spec " + files.get(0) + ": ", e, debug, INVALID);
    } catch (NoSuchFileException e) {
      return failed(err, "there is no ", e, debug, INVALID);
    } catch (IOException | UncheckedIOException | JobFailedException e) {
      return failed(err, "the job stopped: ", e, debug, STOPPED);
    } catch (Exception e) {
      return failed(err, "the job failed: ", e, debug, UNEXPECTED);
    }
  }

  private record Outcome(JobResult result, int exit, List<String> messages) {}

  private static JobResult run(
      SparkSession spark, JobSpec spec, CopyProgress progress, Consumer<ChunkEvent> chunks)
      throws IOException {
    if (spec instanceof ValidateSpec validate) {
      return ValidateJob.run(spark, validate);
    }
    if (spec instanceof StateSpec state) {
      return StateJob.run(spark, state);
    }
    if (spec instanceof BackfillSpec backfill) {
      return BackfillJob.run(spark, backfill, chunks);
    }
    if (spec instanceof DedupSpec dedup) {
      return DedupJob.run(spark, dedup);
    }
    if (spec instanceof RepartitionSpec repartition) {
      return RepartitionJob.run(
          spark, repartition, Path.of("").toAbsolutePath(), Clock.systemUTC(), progress);
    }
    return CopyJob.run(
        spark, (CopySpec) spec, Path.of("").toAbsolutePath(), Clock.systemUTC(), progress);
  }

  private static Outcome outcome(JobResult result) {
    if (result.ok()) {
      return new Outcome(result, OK, List.of());
    }
    if (result instanceof CopyResult copy) {
      return new Outcome(
          result,
          copy.status().equals("stopped") ? STOPPED : REFUSED,
          messages(copy.status(), copy.message(), copy.findings()));
    }
    if (result instanceof RepartitionResult repartition) {
      return new Outcome(
          result,
          repartition.status().equals("different") ? VERIFICATION_FAILED : REFUSED,
          messages(repartition.status(), repartition.message(), repartition.findings()));
    }
    return new Outcome(result, VERIFICATION_FAILED, List.of());
  }

  private static List<String> messages(String status, String message, List<JsonNode> findings) {
    List<String> messages = new ArrayList<>(List.of(status + ": " + message));
    findings.stream()
        .filter(finding -> finding.path("severity").asText().equals("error"))
        .forEach(finding -> messages.add(message(finding)));
    return messages;
  }

  private static Outcome outcome(JobSpec spec, JobRefusedException refused) {
    JsonNode finding = JsonOutput.tree(refused.finding());
    return new Outcome(
        new RefusedResult(spec.job(), false, List.of(finding)),
        refused.isChanged() ? CHANGED : REFUSED,
        List.of("refused: nothing was written", message(finding)));
  }

  private static String message(JsonNode finding) {
    return "%s: %s: %s; %s"
        .formatted(
            finding.path("code").asText(),
            finding.path("subject").asText(),
            finding.path("message").asText(),
            finding.path("remedy").asText());
  }

  /** What a job needs of Spark where nothing else has set it up. */
  private static Map<String, String> settings(JobSpec spec) {
    if (System.getProperty("spark.master") != null) {
      return Map.of();
    }
    Map<String, String> settings = new HashMap<>();
    String master = System.getProperty(LocalLauncher.MASTER);
    boolean isBrief = spec instanceof ValidateSpec || spec instanceof StateSpec;
    if (!isBrief) {
      master = master == null ? LOCAL : master;
      settings.put(
          "spark.default.parallelism",
          Integer.toString(Runtime.getRuntime().availableProcessors()));
    }
    if (!isBrief && !(spec instanceof CopySpec)) {
      settings.putAll(MANY_ROWS);
    }
    if (master != null) {
      settings.put("spark.master", master);
    }
    settings.keySet().removeIf(key -> System.getProperty(key) != null);
    return settings;
  }

  private static int failed(PrintStream err, String what, Exception e, boolean debug, int exit) {
    String message = e.getMessage() == null ? e.toString() : e.getMessage();
    Stream<String> lines = message.lines().filter(line -> !line.isBlank());
    // Of a spec everything that is wrong; of anything else Spark's messages go on and on.
    lines.limit(exit == INVALID ? Long.MAX_VALUE : 1).forEach(line -> err.println(what + line));
    if (debug) {
      e.printStackTrace(err);
    }
    return exit;
  }

  private static String read(String file) {
    try {
      return Files.readString(Path.of(file));
    } catch (IOException e) {
      throw new InvalidJobSpecException("the file cannot be read", e);
    }
  }

  private static void write(SparkSession spark, String place, String json) throws IOException {
    byte[] bytes = (json + "\n").getBytes(StandardCharsets.UTF_8);
    org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(place);
    String scheme = path.toUri().getScheme();
    if (scheme == null || scheme.equals("file")) {
      Files.write(Path.of(path.toUri().getPath()), bytes);
      return;
    }
    try (OutputStream out =
        path.getFileSystem(spark.sparkContext().hadoopConfiguration()).create(path, true)) {
      out.write(bytes);
    }
  }
}
