package org.streammigrator.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.spark.sql.SparkSession;
import org.streammigrator.cli.Cli;
import org.streammigrator.cli.CliContext;

/** Runs the program in this JVM, its jobs in a session that is there. */
public final class MigratorRun {
  private MigratorRun() {}

  /** Runs a command that has to end with an exit code; returns what it printed to stdout. */
  public static String of(SparkSession spark, int exit, String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int code =
        Cli.run(
            List.of(arguments),
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            context(spark));
    String text = out.toString(StandardCharsets.UTF_8);
    assertThat(code).as("%s%n%s", text, err.toString(StandardCharsets.UTF_8)).isEqualTo(exit);
    return text;
  }

  /** The process's own, but that jobs run in a session that is there. */
  public static CliContext context(SparkSession spark) {
    CliContext process = CliContext.ofProcess();
    return new CliContext(
        process.directory(),
        process.environment(),
        process.store(),
        process.clock(),
        process.ids(),
        () -> new SessionJobRunner(spark));
  }
}
