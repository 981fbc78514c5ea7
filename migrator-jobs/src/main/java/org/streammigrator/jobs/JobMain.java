package org.streammigrator.jobs;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.streammigrator.job.InvalidJobSpecException;
import org.streammigrator.job.JobJson;
import org.streammigrator.job.ValidateResult;
import org.streammigrator.job.ValidateSpec;
import org.streammigrator.jobs.session.LocalSpark;
import org.streammigrator.jobs.validate.ValidateJob;

/**
 * Runs one job: {@code JobMain SPEC [--debug]}. SPEC is a file that holds the spec as JSON. The
 * result goes to stdout, which carries nothing else, and to the place that the spec names.
 *
 * <p>Exit codes: 0 done; 1 unexpected error; 2 the spec cannot be run; 6 the sink does not agree.
 */
public final class JobMain {
  private static final int OK = 0;
  private static final int UNEXPECTED = 1;
  private static final int INVALID = 2;
  private static final int VERIFICATION_FAILED = 6;

  private JobMain() {}

  /** Runs the job and ends the JVM. */
  public static void main(String[] arguments) {
    PrintStream out = System.out;
    // Whatever a library prints is not the result.
    System.setOut(System.err);
    int exit = run(List.of(arguments), out, System.err);
    out.flush();
    System.exit(exit);
  }

  /** Runs the job; the exit code is the return value. */
  static int run(List<String> arguments, PrintStream out, PrintStream err) {
    List<String> files = new ArrayList<>(arguments);
    boolean debug = files.remove("--debug");
    if (files.size() != 1) {
      err.println("usage: JobMain SPEC [--debug]");
      return INVALID;
    }
    try {
      ValidateSpec spec = JobJson.readValidateSpec(read(files.get(0)));
      SparkSession spark = LocalSpark.open("migrator validate", Map.of());
      ValidateResult result = ValidateJob.run(spark, spec);
      String json = JobJson.write(result);
      if (spec.result() != null) {
        write(spark, spec.result(), json);
      }
      out.println(json);
      return result.ok() ? OK : VERIFICATION_FAILED;
    } catch (InvalidJobSpecException e) {
      return failed(err, "invalid job spec " + files.get(0) + ": ", e, debug, INVALID);
    } catch (Exception e) {
      return failed(err, "the job failed: ", e, debug, UNEXPECTED);
    }
  }

  private static int failed(PrintStream err, String what, Exception e, boolean debug, int exit) {
    String message = e.getMessage() == null ? e.toString() : e.getMessage();
    err.println(what + message.lines().filter(line -> !line.isBlank()).findFirst().orElse(""));
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
