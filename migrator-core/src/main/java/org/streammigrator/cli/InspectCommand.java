package org.streammigrator.cli;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.checkpoint.StateReader;
import org.streammigrator.checkpoint.StateReading;
import org.streammigrator.checkpoint.source.SourceKind;
import org.streammigrator.report.InspectionText;
import org.streammigrator.report.JsonOutput;
import org.streammigrator.verdict.Inspection;
import org.streammigrator.verdict.Inspector;
import org.streammigrator.verdict.WindowSpec;
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
    footer = {
      "",
      "Example: migrator inspect /chk/orders_bronze -o json",
      "Example: migrator inspect /chk/totals --window 10m/5m"
    })
final class InspectCommand implements Callable<Integer> {
  private final Session session;

  @Mixin private OutputFormat output;

  @Mixin private SourceKinds sources;

  @Option(
      names = "--window",
      paramLabel = "SIZE[/SLIDE]",
      description =
          "Also tell the first window of this size that is still open, such as 5m, 10m/5m or 1d."
              + " Repeatable.")
  private List<String> windows = new ArrayList<>();

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
    List<WindowSpec> specs = windows.stream().map(InspectCommand::window).toList();
    Checkpoint read = session.checkpoint(checkpoint);
    SourceKinds.requireSources(read, "--source", sources.ids());
    Optional<StateReading> state =
        deep ? new StateReader(session.context().store()).read(read) : Optional.empty();
    Inspection inspection = Inspector.inspect(read, told, specs, state);
    if (output.json()) {
      session.out().println(JsonOutput.pretty(inspection));
    } else {
      session.out().print(InspectionText.render(inspection));
    }
    return inspection.isCheckpoint() ? ExitCode.DONE : ExitCode.REFUSED;
  }

  private static WindowSpec window(String text) {
    try {
      return WindowSpec.parse(text);
    } catch (IllegalArgumentException invalid) {
      throw new CliFailure(
          ExitCode.USAGE, "--window " + text + ": " + invalid.getMessage(), invalid);
    }
  }
}
