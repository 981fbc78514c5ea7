package org.streammigrator.cli;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.streammigrator.migration.Checksums;
import org.streammigrator.migration.Journal;
import org.streammigrator.migration.PlanReport;
import org.streammigrator.migration.StreamPlanner;
import org.streammigrator.plan.Plan;
import org.streammigrator.plan.PlanReader;
import org.streammigrator.plan.PlanReading;
import org.streammigrator.report.JsonOutput;
import org.streammigrator.report.PlanText;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.ReadOnlyStore;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code migrator reset}: a plan of one stream, made of flags. */
@Command(
    name = "reset",
    description = "Gives a query a new checkpoint: a plan of one stream, made and run from flags.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Exit codes: 0 done, 2 wrong flags, 3 refused, 5 stopped (run it again).",
      "",
      "Example: migrator reset /chk/orders_v1 --to /chk/orders_v2 --sink-delta /lake/orders --dry-run"
    })
final class ResetCommand implements Callable<Integer> {
  private final Session session;

  @Mixin private OutputFormat output;

  @Mixin private ProgressOption progress;

  @Mixin private CopyFlags flags;

  @Mixin private Acceptance.Codes codes;

  @Parameters(paramLabel = "CHECKPOINT", description = "The checkpoint as it is now.")
  private String from;

  @Option(
      names = "--to",
      required = true,
      paramLabel = "URI",
      description = "Where the new checkpoint goes.")
  private String to;

  @Option(names = "--dry-run", description = "Say what would be done, and write nothing.")
  private boolean dryRun;

  @Option(
      names = "--strategy",
      paramLabel = "NAME",
      defaultValue = "seed",
      description =
          "seed (a changed query), relocate (the same one) or rewind (the same one, back at"
              + " --batch); seed if left out.")
  private String strategy;

  @Option(names = "--batch", paramLabel = "N", description = "The batch to go back to (rewind).")
  private Long batch;

  @Option(
      names = "--identity",
      paramLabel = "keep|new",
      description = "Whether the query id is kept (seed, rewind).")
  private String identity;

  @Option(
      names = "--source",
      paramLabel = "I=KIND:PLACE",
      description = "The source at place I, as delta:/lake/t or kafka:HOST:9092; may be repeated.")
  private List<String> sources = new ArrayList<>();

  @Option(
      names = "--delta",
      paramLabel = "I=TABLE",
      description = "The same as --source I=delta:TABLE; may be repeated.")
  private List<String> deltas = new ArrayList<>();

  @Option(
      names = "--sink-delta",
      paramLabel = "TABLE",
      description = "The Delta table that the query writes; may be repeated.")
  private List<String> sinks = new ArrayList<>();

  @Option(
      names = "--sink-files",
      paramLabel = "DIR",
      description = "The directory that the query's file sink writes; may be repeated.")
  private List<String> fileSinks = new ArrayList<>();

  @Option(
      names = "--keys",
      paramLabel = "COLUMN",
      split = ",",
      description = "The columns by which the query's MERGE into --sink-delta knows a row.")
  private List<String> keys = new ArrayList<>();

  @Option(
      names = "--archive-to",
      paramLabel = "DIR",
      description = "Pack the old checkpoint to there first.")
  private String archiveTo;

  @Option(
      names = "--journal",
      paramLabel = "DIR",
      description = "Where the journal goes; beside the new checkpoint if left out.")
  private String journal;

  @Option(
      names = "--take-over",
      description = "Put out another operator that holds the target and surely has ended.")
  private boolean takeOver;

  ResetCommand(Session session) {
    this.session = requireNonNull(session, "session");
  }

  @Override
  public Integer call() throws Exception {
    refuseContradictions();
    Plan plan = plan();
    Location place =
        journal != null
            ? session.location(journal)
            : org.streammigrator.copy.Manifests.beside(session.location(to), "migrator-journal");
    PlanFile.refuseInside(place, plan, "--journal");
    if (!dryRun) {
      return new Applying(
              session, output, progress, flags, codes.accepted(), takeOver, Applying.Manner.PLAIN)
          .run(plan.name(), plan.streams(), List.of(), plan.run(), place);
    }
    ReadOnlyStore store = new ReadOnlyStore(session.context().store());
    StreamPlanner planner =
        new StreamPlanner(
            store,
            Journal.open(store, place, session.context().clock()),
            codes.accepted(),
            Checksums.COMPARED,
            session.jobs());
    PlanReport report = new PlanReport(plan.name(), List.of(planner.plan(plan.streams().get(0))));
    session.out().print(output.json() ? JsonOutput.pretty(report) + "\n" : PlanText.render(report));
    return report.summary().refused() > 0 ? ExitCode.REFUSED : ExitCode.DONE;
  }

  /** A flag that would be ignored is refused: its user relies on it. */
  private void refuseContradictions() {
    if (!List.of("seed", "relocate", "rewind").contains(strategy)) {
      throw new CliFailure(
          ExitCode.USAGE,
          "--strategy "
              + strategy
              + ": it is one of seed, relocate, rewind; the others need more than flags can say:"
              + " write a plan");
    }
    if (batch != null && !strategy.equals("rewind")) {
      throw new CliFailure(
          ExitCode.USAGE,
          "--batch goes with --strategy rewind, and means nothing with " + strategy);
    }
    if (!keys.isEmpty() && sinks.isEmpty()) {
      throw new CliFailure(
          ExitCode.USAGE, "--keys are the columns of --sink-delta; name the table");
    }
    boolean comesTwice =
        strategy.equals("rewind") || strategy.equals("seed") && "new".equals(identity);
    if (!keys.isEmpty() && !comesTwice) {
      throw new CliFailure(
          ExitCode.USAGE,
          "--keys say what takes up rows that come twice, and mean something with --strategy rewind or"
              + " --identity new only");
    }
  }

  /** The plan that the flags are; read as a plan file is, so that the same rules hold. */
  private Plan plan() {
    ObjectNode stream =
        new ObjectMapper().createObjectNode().put("name", "reset").put("strategy", strategy);
    stream.putObject("checkpoint").put("from", from).put("to", to);
    if (identity != null) {
      stream.put("identity", identity);
    }
    if (batch != null) {
      stream.put("batch", batch);
    }
    Map<Integer, String[]> byPlace = new TreeMap<>();
    sources.forEach(flag -> source(flag, "--source", byPlace));
    deltas.forEach(flag -> source(flag.replaceFirst("=", "=delta:"), "--delta", byPlace));
    if (!byPlace.isEmpty()) {
      ArrayNode list = stream.putArray("sources");
      byPlace.forEach(
          (place, kind) ->
              list.addObject().put(kind[0], kind[1]).put("was", Integer.toString(place)));
    }
    if (!sinks.isEmpty() || !fileSinks.isEmpty()) {
      ArrayNode list = stream.putArray("sink");
      for (String table : sinks) {
        ObjectNode sink = list.addObject().put("delta", table);
        if (!keys.isEmpty()) {
          ArrayNode columns = sink.putArray("keys");
          keys.forEach(columns::add);
        }
      }
      fileSinks.forEach(directory -> list.addObject().put("files", directory));
    }
    if (archiveTo != null) {
      stream.putObject("archive").put("to", archiveTo);
    }
    ObjectNode plan = new ObjectMapper().createObjectNode().put("version", 1).put("name", "reset");
    plan.putArray("streams").add(stream);
    PlanReading reading =
        PlanReader.read(
            JsonOutput.pretty(plan),
            session.context().directory(),
            Map.of(),
            session.context().environment());
    if (reading.plan().isEmpty()) {
      StringBuilder text = new StringBuilder("the flags do not make a plan");
      reading.problems().forEach(problem -> text.append("\n  ").append(problem.message()));
      throw new CliFailure(ExitCode.USAGE, text.toString());
    }
    return reading.plan().get();
  }

  private static void source(String flag, String option, Map<Integer, String[]> byPlace) {
    String[] place = flag.split("=", 2);
    String[] kind = place.length == 2 ? place[1].split(":", 2) : new String[0];
    if (kind.length != 2 || kind[1].isEmpty() || !place[0].matches("[0-9]{1,6}")) {
      throw new CliFailure(
          ExitCode.USAGE, option + " " + flag + ": say I=KIND:PLACE, as in 0=delta:/lake/orders");
    }
    if (byPlace.put(Integer.parseInt(place[0]), kind) != null) {
      throw new CliFailure(ExitCode.USAGE, "source " + place[0] + " is given twice");
    }
  }
}
