package org.streammigrator.cli;

import static java.util.Objects.requireNonNull;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.streammigrator.archival.ArchiveLocks;
import org.streammigrator.archival.AsOfBatch;
import org.streammigrator.copy.CopyProgress;
import org.streammigrator.copy.DamagedException;
import org.streammigrator.copy.RefusedException;
import org.streammigrator.copy.Restoring;
import org.streammigrator.copy.UnknownEntryException;
import org.streammigrator.report.FindingText;
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
      "The target appears whole or not at all. Of an archive of several checkpoints each is"
          + " restored below it under its name, unless --checkpoint names one."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Example: migrator restore /archive/orders-0123456789ab.tar.zst --to /chk/orders",
      "         migrator restore /archive/orders-0123456789ab.tar.zst --batch 41 --to /chk/orders",
      "         migrator restore /archive/orders-0123456789ab.tar.zst --file offsets/41 --to ./41"
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
      description =
          "Where to restore: nothing is there yet, or an empty directory. With --file the file.")
  private String to;

  @Option(
      names = "--checkpoint",
      paramLabel = "NAME",
      description = "The checkpoint to restore, of an archive of several.")
  private String checkpoint;

  @Option(
      names = "--file",
      paramLabel = "PATH",
      description = "Restore one file, by its path in the checkpoint.")
  private String path;

  @Option(
      names = "--batch",
      paramLabel = "N",
      description =
          "Restore the checkpoint as it stood when batch N was committed; refused if its plan, its"
              + " commit or its state are not in the archive.")
  private Long batch;

  @Option(
      names = "--take-over",
      description = "Put out another run that writes to the same target and surely has ended.")
  private boolean takeOver;

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
    if (path != null && batch != null) {
      throw new CliFailure(ExitCode.USAGE, "give --file or --batch, not both");
    }
    if (batch != null && batch < 0) {
      throw new CliFailure(ExitCode.USAGE, "--batch " + batch + ": batches are counted from 0");
    }
    RestoreReport report;
    Store store = session.context().store();
    try (ProgressDisplay display = progress.display(session);
        Closeable held =
            ArchiveLocks.ofTarget(store, session.context().clock(), target, takeOver)) {
      report =
          restore(
              path == null ? display.reading(store, CopyProgress.Phase.RESTORE, source) : store,
              source,
              target);
    } catch (UnknownEntryException unknown) {
      throw new CliFailure(ExitCode.USAGE, unknown.getMessage(), unknown);
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

  private RestoreReport restore(Store store, Location source, Location target) throws IOException {
    Optional<String> name = Optional.ofNullable(checkpoint);
    if (path != null) {
      return RestoreReport.of(Restoring.file(store, source, name.orElse(""), path, target));
    }
    if (batch != null) {
      AsOfBatch.Result result = AsOfBatch.restore(store, source, name, batch, target);
      result
          .findings()
          .forEach(finding -> session.err().print(FindingText.render(List.of(finding), "")));
      return RestoreReport.ofBatch(result.restored(), batch, result.findings());
    }
    return RestoreReport.of(
        new Restoring(name, any -> true, (staged, manifest) -> {}).restore(store, source, target));
  }
}
