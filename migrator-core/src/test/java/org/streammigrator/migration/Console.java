package org.streammigrator.migration;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.streammigrator.cli.Cli;
import org.streammigrator.cli.CliContext;
import org.streammigrator.job.JobRunner;
import org.streammigrator.storage.LocalStore;
import org.streammigrator.storage.Store;

/** Runs commands as a user does, in a directory of their own, and remembers what was printed. */
final class Console {
  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2026-03-27T10:00:00Z"), ZoneOffset.UTC);

  private final Path directory;
  private JobRunner jobs;
  private long drawn;
  private String printed = "";

  Console(Path directory) {
    this.directory = directory;
  }

  /** How many ids were drawn before, so that the next command's are others. */
  void drawIdsAfter(long number) {
    drawn = number;
  }

  /** What runs the jobs of commands from now on. */
  void runJobsBy(JobRunner runner) {
    jobs = runner;
  }

  /** Runs a command on local files and returns its exit code. */
  int run(String... arguments) {
    return run(new LocalStore(), arguments);
  }

  /** Runs a command over a store and returns its exit code. Time stands; ids are 1, 2 and so on. */
  int run(Store store, String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream both = new PrintStream(out, true, UTF_8);
    CliContext process = CliContext.ofProcess();
    AtomicLong ids = new AtomicLong(drawn);
    int exit =
        Cli.run(
            List.of(arguments),
            both,
            both,
            new CliContext(
                directory,
                process.environment(),
                store,
                CLOCK,
                () -> new UUID(0x4000L, ids.incrementAndGet()),
                jobs == null ? process.jobs() : () -> jobs));
    printed = out.toString(UTF_8);
    return exit;
  }

  /** What the last command printed, results and messages. */
  String printed() {
    return printed;
  }
}
