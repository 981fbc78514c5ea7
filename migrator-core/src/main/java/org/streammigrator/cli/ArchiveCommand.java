package org.streammigrator.cli;

import static java.util.Objects.requireNonNull;

import java.util.concurrent.Callable;
import org.streammigrator.copy.ArchiveResult;
import org.streammigrator.copy.Archives;
import org.streammigrator.copy.DamagedException;
import org.streammigrator.copy.RefusedException;
import org.streammigrator.report.ArchiveReport;
import org.streammigrator.report.JsonOutput;
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
      "Packs a checkpoint, in whatever state it is, into one file with checksums, and reads it back.",
      "An archive of the same state that is there already is verified and reported."
    },
    mixinStandardHelpOptions = true,
    footer = {"", "Example: migrator archive /chk/orders_bronze --to /archive/checkpoints"})
final class ArchiveCommand implements Callable<Integer> {
  private final Session session;

  @Mixin private OutputFormat output;

  @Parameters(paramLabel = "CHECKPOINT", description = "The checkpoint's directory.")
  private String checkpoint;

  @Option(
      names = "--to",
      paramLabel = "DIR",
      required = true,
      description = "The directory to put the archive in; made if it is missing.")
  private String to;

  ArchiveCommand(Session session) {
    this.session = requireNonNull(session, "session");
  }

  @Override
  public Integer call() throws Exception {
    Store store = session.context().store();
    Location source = session.location(checkpoint);
    Location directory = session.location(to);
    ArchiveReport report;
    try {
      ArchiveResult result = Archives.archive(store, source, directory);
      report = ArchiveReport.of(result);
    } catch (RefusedException refused) {
      throw CopyFailures.refused(refused);
    } catch (DamagedException damaged) {
      throw CopyFailures.damaged(damaged.archive(), damaged);
    }
    session.out().println(output.json() ? JsonOutput.pretty(report) : report.text());
    return ExitCode.DONE;
  }
}
