package org.streammigrator.cli;

import static java.util.Objects.requireNonNull;

import java.util.Map;
import java.util.concurrent.Callable;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.checkpoint.CheckpointReader;
import org.streammigrator.facts.Facts;
import org.streammigrator.position.Resume;
import org.streammigrator.position.ResumePositions;
import org.streammigrator.report.JsonOutput;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code migrator resume}. */
@Command(
    name = "resume",
    description = "The exact resume position of every source, ready to paste.",
    mixinStandardHelpOptions = true,
    footer = {"", "Example: migrator resume /chk/orders_bronze --delta 0=/lake/raw/orders"})
final class ResumeCommand implements Callable<Integer> {
  private final Session session;

  @Mixin private OutputFormat output;

  @Parameters(paramLabel = "CHECKPOINT", description = "The checkpoint's directory.")
  private String checkpoint;

  ResumeCommand(Session session) {
    this.session = requireNonNull(session, "session");
  }

  @Override
  public Integer call() throws Exception {
    Checkpoint read =
        new CheckpointReader(session.context().store()).read(session.location(checkpoint));
    Resume resume = new ResumePositions(read, Facts.NONE, Map.of()).compute();
    session.out().println(JsonOutput.pretty(resume));
    return resume.usable() ? ExitCode.DONE : ExitCode.REFUSED;
  }
}
