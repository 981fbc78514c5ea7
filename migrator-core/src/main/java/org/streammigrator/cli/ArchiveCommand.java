package org.streammigrator.cli;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.streammigrator.archival.ArchiveLocks;
import org.streammigrator.copy.ArchiveListing;
import org.streammigrator.copy.ArchiveResult;
import org.streammigrator.copy.Archives;
import org.streammigrator.copy.DamagedException;
import org.streammigrator.copy.RefusedException;
import org.streammigrator.copy.Retention;
import org.streammigrator.report.ArchiveListReport;
import org.streammigrator.report.ArchiveReport;
import org.streammigrator.report.JsonOutput;
import org.streammigrator.report.ProgressDisplay;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code migrator archive}. */
@Command(
    name = "archive",
    description = {
      "Packs checkpoints, in whatever state they are, into one file with checksums, and reads it"
          + " back. An archive of the same state that is there already is verified and reported.",
      "With --policy: every checkpoint that a policy file chooses, each into its own archive.",
      "With --list: what an archive holds."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Exit codes of --policy: 0 all, 5 some failed, 3 none could be archived, 2 invalid policy.",
      "",
      "Example: migrator archive /chk/orders_bronze --to /archive/checkpoints",
      "         migrator archive --policy archive-policy.yaml --dry-run",
      "         migrator archive --list /archive/checkpoints/orders-0123456789ab.tar.zst"
    })
final class ArchiveCommand implements Callable<Integer> {
  private final Session session;

  @Mixin private OutputFormat output;

  @Mixin private KeepOptions keep;

  @Mixin private ProgressOption progress;

  @Parameters(
      paramLabel = "CHECKPOINT",
      arity = "0..*",
      description = "The checkpoint's directory; several go into one archive.")
  private List<String> checkpoints = new ArrayList<>();

  @Option(
      names = "--to",
      paramLabel = "DIR",
      description = "The directory to put the archive in; made if it is missing.")
  private String to;

  @Option(names = "--list", paramLabel = "ARCHIVE", description = "Show what an archive holds.")
  private String list;

  @Option(names = "--policy", paramLabel = "FILE", description = "A policy file, YAML.")
  private String policy;

  @Option(
      names = "--var",
      paramLabel = "NAME=VALUE",
      description = "A value of ${var:NAME} in the policy; may be repeated.")
  private Map<String, String> variables = new TreeMap<>();

  @Option(
      names = "--dry-run",
      description = "Only say what would be archived; nothing is written (--policy).")
  private boolean dryRun;

  @Option(
      names = "--take-over",
      description = "Put out another run that writes the same archive and surely has ended.")
  private boolean takeOver;

  ArchiveCommand(Session session) {
    this.session = requireNonNull(session, "session");
  }

  @Override
  public Integer call() throws Exception {
    int ways = (checkpoints.isEmpty() ? 0 : 1) + (list == null ? 0 : 1) + (policy == null ? 0 : 1);
    if (ways != 1) {
      throw new CliFailure(
          ExitCode.USAGE,
          "archive takes one of: checkpoints with --to DIR, --policy FILE, --list ARCHIVE");
    }
    if (policy == null && (dryRun || !variables.isEmpty())) {
      throw new CliFailure(ExitCode.USAGE, "--dry-run and --var belong to --policy");
    }
    if (list != null) {
      return list();
    }
    return policy != null ? runPolicy() : archive();
  }

  private int list() throws IOException {
    if (to != null || keep.isGiven()) {
      throw new CliFailure(
          ExitCode.USAGE, "--list only shows; it takes no --to and no --keep-until");
    }
    Location archive = session.location(list);
    CopyFailures.requireArchive(session, archive);
    try {
      ArchiveListReport report =
          ArchiveListReport.of(ArchiveListing.of(session.context().store(), archive));
      session.out().println(output.json() ? JsonOutput.pretty(report) : report.text());
    } catch (DamagedException damaged) {
      throw CopyFailures.damaged(archive, damaged);
    }
    return ExitCode.DONE;
  }

  private int runPolicy() throws IOException {
    if (to != null || keep.isGiven()) {
      throw new CliFailure(
          ExitCode.USAGE,
          "a policy says where to and until when itself: leave --to and --keep away");
    }
    return new PolicyFile(session, policy, variables).run(output, dryRun, takeOver);
  }

  private int archive() throws IOException {
    if (to == null) {
      throw new CliFailure(ExitCode.USAGE, "--to DIR is missing: where the archive goes");
    }
    Store store = session.context().store();
    Location directory = session.location(to);
    List<Location> sources = new ArrayList<>();
    checkpoints.forEach(checkpoint -> sources.add(session.location(checkpoint)));
    if (new LinkedHashSet<>(sources).size() < sources.size()) {
      throw new CliFailure(ExitCode.USAGE, "a checkpoint is named twice");
    }
    Optional<LocalDate> until = keep.until(session.context().clock());
    try (ProgressDisplay display = progress.display(session)) {
      ArchiveResult result =
          Archives.archive(
              store,
              sources,
              directory,
              ArchiveLocks.of(store, session.context().clock(), "archive", takeOver),
              display);
      if (until.isPresent()) {
        until = Optional.of(Retention.keep(store, result.archive(), until.get()));
      }
      ArchiveReport report = ArchiveReport.of(result, until);
      session.out().println(output.json() ? JsonOutput.pretty(report) : report.text());
    } catch (RefusedException refused) {
      throw CopyFailures.refused(refused);
    } catch (DamagedException damaged) {
      throw CopyFailures.damaged(damaged.archive(), damaged);
    }
    return ExitCode.DONE;
  }
}
