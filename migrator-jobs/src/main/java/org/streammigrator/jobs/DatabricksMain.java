package org.streammigrator.jobs;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.SparkSession;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.job.JobProcess;
import org.streammigrator.job.remote.RunFiles;
import org.streammigrator.job.remote.RunOutcome;

/**
 * Runs one job in the driver of a Databricks cluster: {@code DatabricksMain DIRECTORY}. The
 * directory is one of a volume, which the driver has as files; it holds the spec, and gets what the
 * job tells and how it ended.
 *
 * <p>The session is the cluster's. Nothing here ends the JVM, which is the cluster's, too: a job
 * that does not end well throws, so that its run is seen to have failed.
 */
public final class DatabricksMain {
  private static final int REFUSED = 3;

  private DatabricksMain() {}

  /**
   * Runs the job.
   *
   * @throws IllegalStateException if it did not end well; its outcome is written all the same
   * @throws IOException if the outcome cannot be written
   */
  public static void main(String[] arguments) throws IOException {
    if (arguments.length != 1) {
      throw new IllegalArgumentException("usage: DatabricksMain DIRECTORY");
    }
    Path directory = Path.of(arguments[0]);
    ToldLines told = new ToldLines(directory.resolve(RunFiles.PROGRESS), System.err);
    LastLine result = new LastLine();
    int exit;
    try (PrintStream out = new PrintStream(result, true, StandardCharsets.UTF_8);
        PrintStream err = new PrintStream(told, true, StandardCharsets.UTF_8)) {
      exit =
          JobMain.run(
              List.of(directory.resolve(RunFiles.SPEC).toString(), "--progress"),
              out,
              err,
              (name, settings) -> SparkSession.builder().getOrCreate());
    } catch (LinkageError missing) {
      exit = REFUSED;
      told.line(
          FindingCode.NOT_AVAILABLE
              + ": the cluster's runtime lacks a class that the job needs ("
              + missing.getMessage()
              + "); use another runtime, or run the job by spark-submit");
    }
    RunOutcome outcome = new RunOutcome(new JobProcess.Ended(exit, result.line(), told.messages()));
    Files.writeString(directory.resolve(RunFiles.OUTCOME), outcome.json());
    if (exit != 0) {
      throw new IllegalStateException(
          "the job ended with exit code "
              + exit
              + Optional.of(told.messages())
                  .filter(lines -> !lines.isEmpty())
                  .map(lines -> ": " + String.join("; ", lines))
                  .orElse(""));
    }
  }
}
