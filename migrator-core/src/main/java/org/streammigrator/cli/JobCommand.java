package org.streammigrator.cli;

import static java.util.Objects.requireNonNull;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code migrator job}. */
@Command(
    name = "job",
    description = "Runs one Spark job from a spec: backfill, copy, dedup, state, validate.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    footer = {"", "Example: migrator job run copy.json"})
final class JobCommand implements Runnable {
  @Spec private CommandSpec spec;

  private JobCommand() {}

  /** The command with those below it. */
  static CommandLine of(Session session) {
    return new CommandLine(new JobCommand())
        .addSubcommand("run", new JobRunCommand(requireNonNull(session, "session")));
  }

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        spec.commandLine(), "say what to do: migrator job run SPEC");
  }
}
