package org.streammigrator.jobs.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import org.streammigrator.cli.Cli;
import org.streammigrator.cli.CliContext;
import org.streammigrator.job.JobRunner;

/**
 * The tool's own command line, in this JVM.
 *
 * @param jobs where {@code prove} runs its comparisons
 */
record MigratorCommands(JobRunner jobs) {

  /**
   * What a command did.
   *
   * @param exit its exit code
   * @param text what it printed, results first
   */
  record Outcome(int exit, String text) {}

  MigratorCommands {
    requireNonNull(jobs, "jobs");
  }

  Outcome run(String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    CliContext process = CliContext.ofProcess();
    CliContext context =
        new CliContext(
            process.directory(),
            process.environment(),
            process.store(),
            process.clock(),
            process.ids(),
            () -> jobs);
    int exit =
        Cli.run(
            List.of(arguments),
            new PrintStream(out, true, UTF_8),
            new PrintStream(err, true, UTF_8),
            context);
    return new Outcome(exit, out.toString(UTF_8) + err.toString(UTF_8));
  }
}
