package org.streammigrator.cases;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.streammigrator.cli.Cli;
import org.streammigrator.cli.CliContext;
import org.streammigrator.storage.LocalStore;
import org.streammigrator.storage.ReadOnlyStore;
import org.streammigrator.storage.Store;

/**
 * One run of the command line in this process, over a store that refuses to write unless another is
 * given.
 *
 * @param exit its exit code
 * @param out what it printed as its result
 * @param err what else it printed
 */
public record CommandRun(int exit, String out, String err) {

  /** Runs a command that only reads. */
  public static CommandRun of(Path directory, List<String> args) {
    return of(directory, args, new ReadOnlyStore(new LocalStore()));
  }

  /** Runs a command over a store. */
  static CommandRun of(Path directory, List<String> args, Store store) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    CliContext context =
        new CliContext(
            directory,
            name -> Optional.empty(),
            store,
            Clock.fixed(Instant.EPOCH, ZoneOffset.UTC),
            UUID::randomUUID,
            () -> {
              throw new IllegalStateException("these commands start no job");
            });
    int exit =
        Cli.run(
            args,
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            context);
    return new CommandRun(
        exit, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }
}
