package org.streammigrator.cli;

import static java.util.Objects.requireNonNull;

import java.util.Map;
import java.util.concurrent.Callable;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.checkpoint.StateReader;
import org.streammigrator.checkpoint.source.SourceKind;
import org.streammigrator.report.InspectionText;
import org.streammigrator.report.JsonOutput;
import org.streammigrator.verdict.Inspection;
import org.streammigrator.verdict.Inspector;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code migrator inspect}. */
@Command(
    name = "inspect",
    description = {
      "What a checkpoint holds, and whether Spark could restart from it.",
      "Ends with 0 for every checkpoint, however damaged (findings say how), and with 3 for a"
          + " directory that is none."
    },
    mixinStandardHelpOptions = true,
    footer = {"", "Example: migrator inspect /chk/orders_bronze -o json"})
final class InspectCommand implements Callable<Integer> {
  private final Session session;

  @Mixin private OutputFormat output;

  @Mixin private SourceKinds sources;

  @Parameters(paramLabel = "CHECKPOINT", description = "The checkpoint's directory.")
  private String checkpoint;

  @Option(
      names = "--deep",
      description = {
        "Read every byte of the state that a restart loads, and say what is damaged.",
        "Without it the state's files are only listed."
      })
  private boolean deep;

  InspectCommand(Session session) {
    this.session = requireNonNull(session, "session");
  }

  @Override
  public Integer call() {
    Map<String, SourceKind> told = sources.told();
    Checkpoint read = session.checkpoint(checkpoint);
    SourceKinds.requireSources(read, "--source", sources.ids());
    Inspection inspection =
        deep
            ? Inspector.inspect(read, told, new StateReader(session.context().store()).read(read))
            : Inspector.inspect(read, told);
    if (output.json()) {
      session.out().println(JsonOutput.pretty(inspection));
    } else {
      session.out().print(InspectionText.render(inspection));
    }
    return inspection.isCheckpoint() ? ExitCode.DONE : ExitCode.REFUSED;
  }
}
