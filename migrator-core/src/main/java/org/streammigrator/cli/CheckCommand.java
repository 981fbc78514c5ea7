package org.streammigrator.cli;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.checkpoint.StateSchemaReader;
import org.streammigrator.checkpoint.source.SourceKind;
import org.streammigrator.compatibility.Check;
import org.streammigrator.compatibility.CheckResult;
import org.streammigrator.plan.ChangesFile;
import org.streammigrator.plan.PlanProblem;
import org.streammigrator.plan.PlanReader;
import org.streammigrator.plan.Reading;
import org.streammigrator.report.CheckText;
import org.streammigrator.report.JsonOutput;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.StoreEntry;
import org.streammigrator.verdict.Inspection;
import org.streammigrator.verdict.Inspector;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code migrator check}. */
@Command(
    name = "check",
    description = {
      "Verdict on a code change: whether the changed query can go on from the checkpoint, what"
          + " Spark checks of it and what not, and the cheapest way if it cannot.",
      "Changes are declared in a file, or found by comparing with a checkpoint that the new code"
          + " made elsewhere. Ends with 3 if a change is incompatible."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Example: migrator check /chk/orders --changes plans/changes.yaml",
      "         migrator check /chk/orders --against /new/orders --spark 4.0"
    })
final class CheckCommand implements Callable<Integer> {
  private final Session session;

  @Mixin private OutputFormat output;

  @Mixin private SourceKinds sources;

  @Parameters(paramLabel = "CHECKPOINT", description = "The old query's checkpoint.")
  private String checkpoint;

  @Option(
      names = "--changes",
      paramLabel = "FILE",
      description = "What changed (YAML or JSON): changes, sources, options.")
  private String changes;

  @Option(
      names = "--against",
      paramLabel = "CHECKPOINT",
      description = "A checkpoint that the new code made, to find the changes by comparing.")
  private String against;

  @Option(
      names = "--spark",
      paramLabel = "VERSION",
      defaultValue = "4.2",
      description = "The Spark version that will run it: 3.5, 4.0, 4.1 or 4.2 (default: 4.2).")
  private String spark;

  CheckCommand(Session session) {
    this.session = requireNonNull(session, "session");
  }

  @Override
  public Integer call() throws IOException {
    if (changes == null && against == null) {
      throw new CliFailure(
          ExitCode.USAGE, "say what changed: --changes FILE, --against CHECKPOINT, or both");
    }
    if (!Check.VERSIONS.contains(spark)) {
      throw new CliFailure(
          ExitCode.USAGE,
          "--spark " + spark + ": the versions known are " + String.join(", ", Check.VERSIONS));
    }
    Map<String, SourceKind> told = sources.told();
    Optional<ChangesFile> declared =
        changes == null ? Optional.empty() : Optional.of(declared(session.location(changes)));
    Optional<Check.Subject> other =
        against == null ? Optional.empty() : Optional.of(subject(against, told));
    CheckResult result = Check.of(subject(checkpoint, told), declared, other, spark);
    if (output.json()) {
      session.out().println(JsonOutput.pretty(result));
    } else {
      session.out().print(CheckText.render(result));
    }
    return result.compatible() ? ExitCode.DONE : ExitCode.REFUSED;
  }

  private Check.Subject subject(String text, Map<String, SourceKind> told) {
    Checkpoint read = session.checkpoint(text);
    Inspection inspection = Inspector.inspect(read, told);
    if (!inspection.isCheckpoint()) {
      throw new CliFailure(
          ExitCode.REFUSED,
          read.location() + " is no checkpoint: it holds neither metadata nor offsets nor commits");
    }
    boolean hasState =
        read.files().stream()
            .anyMatch(
                file -> file.path().equals("state") && file.kind() == StoreEntry.Kind.DIRECTORY);
    return new Check.Subject(
        inspection, new StateSchemaReader(session.context().store()).read(read), hasState);
  }

  private ChangesFile declared(Location file) throws IOException {
    if (session.context().store().stat(file).filter(StoreEntry::isFile).isEmpty()) {
      throw new CliFailure(ExitCode.USAGE, "there is no file of changes " + file);
    }
    String text = new String(session.context().store().readAll(file), StandardCharsets.UTF_8);
    Reading<ChangesFile> reading = PlanReader.readChanges(text);
    if (reading.value().isEmpty()) {
      throw new CliFailure(ExitCode.USAGE, problems(reading.problems()));
    }
    return reading.value().get();
  }

  private String problems(List<PlanProblem> problems) {
    StringBuilder text = new StringBuilder("the file of changes cannot be used");
    problems.forEach(problem -> text.append('\n').append(changes).append(':').append(problem));
    return text.toString();
  }
}
