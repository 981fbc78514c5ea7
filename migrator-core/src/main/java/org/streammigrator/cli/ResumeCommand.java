package org.streammigrator.cli;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.Callable;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.checkpoint.source.SourceKind;
import org.streammigrator.facts.Facts;
import org.streammigrator.position.Resume;
import org.streammigrator.position.ResumePositions;
import org.streammigrator.report.JsonOutput;
import org.streammigrator.report.ResumeText;
import org.streammigrator.report.StartCode;
import org.streammigrator.report.StartLanguage;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code migrator resume}. */
@Command(
    name = "resume",
    description = {
      "The exact resume position of every source, ready to paste.",
      "Ends with 0 when every source has an answer, and with 3 when one has none or an error finding"
          + " forbids using it."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Example: migrator resume /chk/orders_bronze --delta 0=/lake/raw/orders",
      "Example: migrator resume /chk/clicks --source 0=kafka --kafka broker:9092 --as python"
    })
final class ResumeCommand implements Callable<Integer> {
  private final Session session;

  @Mixin private OutputFormat output;

  @Mixin private SourceKinds sources;

  @Mixin private WorldOptions world;

  @Option(
      names = "--as",
      paramLabel = "LANGUAGE",
      description = "Print code that starts reading there: ${COMPLETION-CANDIDATES}.")
  private StartLanguage language;

  @Parameters(paramLabel = "CHECKPOINT", description = "The checkpoint's directory.")
  private String checkpoint;

  ResumeCommand(Session session) {
    this.session = requireNonNull(session, "session");
  }

  @Override
  public Integer call() throws IOException {
    Map<String, SourceKind> told = sources.told();
    if (language != null && output.json()) {
      throw new CliFailure(
          ExitCode.USAGE,
          "--as " + language + " and -o json exclude each other; --as json prints the options");
    }
    Checkpoint read = session.checkpoint(checkpoint);
    SourceKinds.requireSources(read, "--source", sources.ids());
    Facts facts = world.facts(session, read, told);
    Resume resume = new ResumePositions(read, facts, told).compute();
    if (language != null) {
      StartCode code = new StartCode(resume, world.paths(session), world.kafka());
      session.out().print(code.in(language));
    } else if (output.json()) {
      session.out().println(JsonOutput.pretty(resume));
    } else {
      session.out().print(ResumeText.render(resume));
    }
    return resume.usable() ? ExitCode.DONE : ExitCode.REFUSED;
  }
}
