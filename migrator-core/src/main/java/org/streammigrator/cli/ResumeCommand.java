package org.streammigrator.cli;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.checkpoint.OffsetLog;
import org.streammigrator.checkpoint.source.DeltaOffset;
import org.streammigrator.checkpoint.source.SourceKind;
import org.streammigrator.facts.DeltaFacts;
import org.streammigrator.facts.DeltaTables;
import org.streammigrator.facts.Facts;
import org.streammigrator.position.Resume;
import org.streammigrator.position.ResumePositions;
import org.streammigrator.report.JsonOutput;
import org.streammigrator.report.ResumeText;
import org.streammigrator.storage.Location;
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
      "Example: migrator resume /chk/clicks --source 0=kafka --facts broker.json"
    })
final class ResumeCommand implements Callable<Integer> {
  private final Session session;

  @Mixin private OutputFormat output;

  @Mixin private SourceKinds sources;

  @Option(
      names = "--facts",
      paramLabel = "FILE",
      description = "JSON file of facts about brokers, tables and the sink.")
  private String factsFile;

  @Option(
      names = "--delta",
      paramLabel = "ID=TABLE_PATH",
      description = "The Delta table that source ID reads, to be looked at now. Repeatable.")
  private Map<String, String> tables = new LinkedHashMap<>();

  @Parameters(paramLabel = "CHECKPOINT", description = "The checkpoint's directory.")
  private String checkpoint;

  ResumeCommand(Session session) {
    this.session = requireNonNull(session, "session");
  }

  @Override
  public Integer call() throws IOException {
    Map<String, SourceKind> told = sources.told();
    Facts facts = factsFile == null ? Facts.NONE : session.facts(factsFile);
    Checkpoint read = session.checkpoint(checkpoint);
    SourceKinds.requireSources(read, "--source", sources.ids());
    SourceKinds.requireSources(read, "--delta", tables.keySet());
    for (Map.Entry<String, String> table : tables.entrySet()) {
      facts = facts.withDelta(table.getKey(), table(read, table.getKey(), table.getValue()));
    }
    Resume resume = new ResumePositions(read, facts, told).compute();
    if (output.json()) {
      session.out().println(JsonOutput.pretty(resume));
    } else {
      session.out().print(ResumeText.render(resume));
    }
    return resume.usable() ? ExitCode.DONE : ExitCode.REFUSED;
  }

  private DeltaFacts table(Checkpoint read, String id, String path) throws IOException {
    DeltaTables deltaTables = new DeltaTables(session.context().store());
    Location table = session.location(path);
    Optional<String> known =
        read.committedOffsets()
            .flatMap(log -> log.source(id))
            .map(OffsetLog.SourceLine::raw)
            .map(raw -> new ResumePositions(read, Facts.NONE, Map.of()).decode(id, raw))
            .map(offset -> offset instanceof DeltaOffset delta ? delta.tableId() : null);
    return known.isPresent() ? deltaTables.read(table, known.get()) : deltaTables.read(table);
  }
}
