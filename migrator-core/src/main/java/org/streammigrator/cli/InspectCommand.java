package org.streammigrator.cli;

import static java.util.Objects.requireNonNull;

import java.util.concurrent.Callable;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.checkpoint.CheckpointReader;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code migrator inspect}. */
@Command(
    name = "inspect",
    description = "What a checkpoint holds, and whether Spark could restart from it.",
    mixinStandardHelpOptions = true,
    footer = {"", "Example: migrator inspect /chk/orders_bronze -o json"})
final class InspectCommand implements Callable<Integer> {
  private final Session session;

  @Mixin private OutputFormat output;

  @Parameters(paramLabel = "CHECKPOINT", description = "The checkpoint's directory.")
  private String checkpoint;

  InspectCommand(Session session) {
    this.session = requireNonNull(session, "session");
  }

  @Override
  public Integer call() throws Exception {
    Checkpoint read =
        new CheckpointReader(session.context().store()).read(session.location(checkpoint));
    session.out().println(read.location() + (output.json() ? "" : " "));
    return ExitCode.DONE;
  }
}
