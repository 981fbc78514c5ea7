package org.streammigrator.cli;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
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
import org.streammigrator.facts.FactsFile;
import org.streammigrator.position.HoodieStreamerCheckpoint;
import org.streammigrator.position.HoodieStreamerPositions;
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
      "Example: migrator resume /chk/clicks --source 0=kafka --facts broker.json",
      "Example: migrator resume --hoodie-streamer orders,0:120,1:95"
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

  @Option(
      names = "--hoodie-streamer",
      paramLabel = "TEXT",
      description =
          "A checkpoint of HoodieStreamer, such as orders,0:120,1:95, instead of CHECKPOINT.")
  private String hoodieStreamer;

  @Parameters(
      paramLabel = "CHECKPOINT",
      arity = "0..1",
      description = "The checkpoint's directory.")
  private String checkpoint;

  ResumeCommand(Session session) {
    this.session = requireNonNull(session, "session");
  }

  @Override
  public Integer call() throws IOException {
    if ((checkpoint == null) == (hoodieStreamer == null)) {
      throw new CliFailure(
          ExitCode.USAGE,
          "give either CHECKPOINT, the directory of a checkpoint, or --hoodie-streamer TEXT");
    }
    return print(hoodieStreamer == null ? resume() : ofHoodieStreamer());
  }

  private Resume ofHoodieStreamer() {
    if (factsFile != null || !tables.isEmpty() || sources.ids().iterator().hasNext()) {
      throw new CliFailure(
          ExitCode.USAGE,
          "--hoodie-streamer stands alone: --facts, --delta and --source speak of a CHECKPOINT");
    }
    return HoodieStreamerCheckpoint.parse(hoodieStreamer)
        .map(HoodieStreamerPositions::of)
        .orElseThrow(
            () ->
                new CliFailure(
                    ExitCode.USAGE,
                    "--hoodie-streamer "
                        + hoodieStreamer
                        + ": it must be written topic,partition:offset,... such as"
                        + " orders,0:120,1:95"));
  }

  private Resume resume() throws IOException {
    Map<String, SourceKind> told = sources.told();
    Facts facts = factsFile == null ? Facts.NONE : factsOf(factsFile);
    Checkpoint read = session.checkpoint(checkpoint);
    SourceKinds.requireSources(read, "--source", sources.ids());
    SourceKinds.requireSources(read, "--delta", tables.keySet());
    for (Map.Entry<String, String> table : tables.entrySet()) {
      facts = facts.withDelta(table.getKey(), table(read, table.getKey(), table.getValue()));
    }
    return new ResumePositions(read, facts, told).compute();
  }

  private int print(Resume resume) {
    if (output.json()) {
      session.out().println(JsonOutput.pretty(resume));
    } else {
      session.out().print(ResumeText.render(resume));
    }
    return resume.usable() ? ExitCode.DONE : ExitCode.REFUSED;
  }

  private Facts factsOf(String file) throws IOException {
    Location location = session.location(file);
    String text = new String(session.context().store().readAll(location), StandardCharsets.UTF_8);
    try {
      return FactsFile.parse(text);
    } catch (IllegalArgumentException invalid) {
      throw new CliFailure(
          ExitCode.USAGE, "facts file " + location + ", " + invalid.getMessage(), invalid);
    }
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
