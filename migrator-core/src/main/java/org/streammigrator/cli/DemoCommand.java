package org.streammigrator.cli;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.streammigrator.job.SparkJvm;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code migrator demo}: runs in a JVM of its own, with Spark. */
@Command(
    name = "demo",
    description =
        "Builds a small lake and real streams in DIR, migrates them, restarts them and proves it.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Exit codes: 0 the migration is proved, 2 DIR cannot be used, 6 something is off.",
      "",
      "Example: migrator demo /tmp/migrator-demo"
    })
final class DemoCommand implements Callable<Integer> {
  private static final String MAIN = "org.streammigrator.jobs.demo.DemoMain";

  private final Session session;

  @Parameters(
      paramLabel = "DIR",
      arity = "0..1",
      description = "An empty or new directory (default: a fresh one where you are).")
  private String directory;

  DemoCommand(Session session) {
    this.session = requireNonNull(session, "session");
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    SparkJvm jvm = SparkJvm.fromSystemProperties(true);
    Path arguments = Files.createTempFile("migrator-demo", ".args");
    Process demo = null;
    try {
      List<String> given = directory == null ? List.of() : List.of(directory);
      demo =
          new ProcessBuilder(jvm.command(arguments, MAIN, given))
              .directory(session.context().directory().toFile())
              .inheritIO()
              .start();
      Thread stop = new Thread(demo::destroy, "stop-demo");
      Runtime.getRuntime().addShutdownHook(stop);
      int exit = demo.waitFor();
      Runtime.getRuntime().removeShutdownHook(stop);
      return exit;
    } finally {
      if (demo != null) {
        demo.destroy();
      }
      Files.deleteIfExists(arguments);
    }
  }
}
