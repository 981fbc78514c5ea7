package org.streammigrator.cli;

import static java.util.Objects.requireNonNull;

import java.nio.file.FileAlreadyExistsException;
import java.util.concurrent.Callable;
import org.streammigrator.copy.Archives;
import org.streammigrator.copy.CopyProgress;
import org.streammigrator.copy.DamagedException;
import org.streammigrator.copy.RefusedException;
import org.streammigrator.report.JsonOutput;
import org.streammigrator.report.ProgressDisplay;
import org.streammigrator.report.RestoreReport;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code migrator restore}. */
@Command(
    name = "restore",
    description = {
      "Unpacks an archive: the same bytes and modification times, verified against its manifest.",
      "The target appears whole or not at all."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Example: migrator restore /archive/orders-0123456789ab.tar.zst --to /chk/orders"
    })
final class RestoreCommand implements Callable<Integer> {
  private final Session session;

  @Mixin private OutputFormat output;

  @Mixin private ProgressOption progress;

  @Parameters(paramLabel = "ARCHIVE", description = "The archive, a .tar.zst file.")
  private String archive;

  @Option(
      names = "--to",
      paramLabel = "DIR",
      required = true,
      description = "Where to restore: nothing is there yet, or an empty directory.")
  private String to;

  RestoreCommand(Session session) {
    this.session = requireNonNull(session, "session");
  }

  @Override
  public Integer call() throws Exception {
    Location source = session.location(archive);
    Location target = session.location(to);
    if (target.parent().isEmpty()) {
      throw new CliFailure(ExitCode.USAGE, target + " cannot be a target: it is a root");
    }
    CopyFailures.requireArchive(session, source);
    RestoreReport report;
    try (ProgressDisplay display = progress.display(session)) {
      Store store = display.reading(session.context().store(), CopyProgress.Phase.RESTORE, source);
      report = RestoreReport.of(Archives.restore(store, source, target));
    } catch (FileAlreadyExistsException occupied) {
      throw CopyFailures.occupied(target, occupied);
    } catch (RefusedException refused) {
      throw CopyFailures.refused(refused);
    } catch (DamagedException damaged) {
      throw CopyFailures.damaged(source, damaged);
    }
    session.out().println(output.json() ? JsonOutput.pretty(report) : report.text());
    return ExitCode.DONE;
  }
}
