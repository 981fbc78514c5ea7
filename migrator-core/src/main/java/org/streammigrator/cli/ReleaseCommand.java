package org.streammigrator.cli;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.streammigrator.archival.NoJournalException;
import org.streammigrator.archival.Release;
import org.streammigrator.archival.ReleaseRequest;
import org.streammigrator.archival.ReleaseResult;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.plan.ArchivePlan;
import org.streammigrator.plan.Plan;
import org.streammigrator.plan.StreamPlan;
import org.streammigrator.report.JsonOutput;
import org.streammigrator.report.ReleaseText;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.RealPaths;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code migrator release}. */
@Command(
    name = "release",
    description = {
      "Deletes a superseded checkpoint, as no other command does: if a finished"
          + " migration went on from it, its archive verifies and holds every file as it is now, and"
          + " the successor ran cleanly for the declared time."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Exit codes: 0 released (or would be), 2 not confirmed, 3 refused, 5 stopped (run it again).",
      "",
      "Example: migrator release /chk/orders_v1 \\",
      "           --archive /archive/orders_v1-0123456789ab.tar.zst \\",
      "           --plan orders.yaml --clean-for 7d --confirm orders_v1"
    })
final class ReleaseCommand implements Callable<Integer> {
  private final Session session;

  @Mixin private OutputFormat output;

  @Parameters(paramLabel = "CHECKPOINT", description = "The superseded checkpoint.")
  private String checkpoint;

  @Option(
      names = "--archive",
      paramLabel = "ARCHIVE",
      required = true,
      description = "The archive that holds it.")
  private String archive;

  @Option(
      names = "--plan",
      paramLabel = "PLAN",
      description = "The plan whose migration went on from it; its journal is looked at.")
  private String plan;

  @Option(
      names = "--var",
      paramLabel = "NAME=VALUE",
      description = "A value for $${var:NAME} in the plan; may be repeated.")
  private Map<String, String> variables = new LinkedHashMap<>();

  @Option(
      names = "--journal",
      paramLabel = "DIR",
      description =
          "The journal of that migration. Without --plan and --journal those beside the checkpoint,"
              + " as reset leaves them, are looked at.")
  private List<String> journals = new ArrayList<>();

  @Option(
      names = "--clean-for",
      paramLabel = "DURATION",
      description =
          "How long the successor has to have run cleanly, as 7d; at least the plan's"
              + " archive.releaseAfter.")
  private String cleanFor;

  @Option(
      names = "--confirm",
      paramLabel = "NAME",
      description = "The last part of the checkpoint's path: nothing is deleted without.")
  private String confirm;

  @Option(names = "--dry-run", description = "Only check; nothing is written or deleted.")
  private boolean dryRun;

  @Option(
      names = "--accept",
      paramLabel = "CODE",
      description = "Take a finding knowingly: SUCCESSOR_HISTORY_SHORT.")
  private List<FindingCode> accepted = new ArrayList<>();

  @Option(
      names = "--take-over",
      description = "Put out another operator that holds the checkpoint and surely has ended.")
  private boolean takeOver;

  ReleaseCommand(Session session) {
    this.session = requireNonNull(session, "session");
  }

  @Override
  public Integer call() throws Exception {
    Location place = session.location(checkpoint);
    Location source = session.location(archive);
    if (confirm != null && !confirm.equals(place.name())) {
      throw new CliFailure(
          ExitCode.USAGE,
          "--confirm " + confirm + " is not the name of " + place + "; nothing was deleted");
    }
    Set<FindingCode> codes = EnumSet.noneOf(FindingCode.class);
    codes.addAll(accepted);
    if (!ReleaseRequest.ACCEPTABLE.containsAll(codes)) {
      throw new CliFailure(
          ExitCode.USAGE, "--accept takes SUCCESSOR_HISTORY_SHORT here, and nothing else");
    }
    List<Location> places = new ArrayList<>();
    journals.forEach(journal -> places.add(session.location(journal)));
    Duration declared =
        cleanFor == null ? Duration.ZERO : DurationOption.parse("--clean-for", cleanFor);
    declared = addPlan(place, places, declared);
    if (declared.isZero()) {
      throw new CliFailure(
          ExitCode.USAGE,
          "nothing declares how long the successor has to have run: say --clean-for 7d, or"
              + " archive.releaseAfter in the plan");
    }
    // By now the plan's settings of storage hold.
    CopyFailures.requireArchive(session, source);
    if (plan == null && journals.isEmpty()) {
      places.addAll(journalsBeside(place));
    }
    ReleaseResult result;
    try {
      result =
          new Release(
                  session.context().store(),
                  session.context().clock(),
                  new ReleaseRequest(
                      place,
                      source,
                      places,
                      declared,
                      Optional.ofNullable(confirm),
                      dryRun,
                      takeOver,
                      codes))
              .run();
    } catch (NoJournalException none) {
      throw new CliFailure(ExitCode.USAGE, none.getMessage(), none);
    }
    session
        .out()
        .print(
            output.json()
                ? JsonOutput.pretty(result) + "\n"
                : ReleaseText.render(result, place.name()));
    return switch (result.status()) {
      case RELEASED, ALREADY_RELEASED, WOULD_RELEASE -> ExitCode.DONE;
      case TO_CONFIRM -> ExitCode.USAGE;
      case REFUSED -> ExitCode.REFUSED;
    };
  }

  /** Adds the plan's journal, and the time that it declares. */
  private Duration addPlan(Location place, List<Location> places, Duration declared)
      throws IOException {
    if (plan == null) {
      if (!variables.isEmpty()) {
        throw new CliFailure(ExitCode.USAGE, "--var belongs to --plan");
      }
      return declared;
    }
    PlanFile file = PlanFile.of(plan, variables);
    Plan read = file.plan(session);
    places.add(file.journalPlace(session, read));
    Duration longest = declared;
    for (StreamPlan stream : read.streams()) {
      Location from = stream.checkpoint().from();
      if (from.equals(place) || RealPaths.resolve(from).equals(RealPaths.resolve(place))) {
        Duration own = stream.archive().flatMap(ArchivePlan::releaseAfter).orElse(Duration.ZERO);
        longest = own.compareTo(longest) > 0 ? own : longest;
      }
    }
    return longest;
  }

  /** The journals that {@code reset} leaves beside what it makes. */
  private List<Location> journalsBeside(Location place) throws IOException {
    Store store = session.context().store();
    List<Location> found = new ArrayList<>();
    if (place.parent().isPresent() && store.stat(place.parent().get()).isPresent()) {
      for (StoreEntry entry :
          store.list(place.parent().get(), name -> name.endsWith(".migrator-journal"))) {
        found.add(entry.location());
      }
    }
    return found;
  }
}
