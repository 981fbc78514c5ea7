package org.streammigrator.cli;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.concurrent.Callable;
import org.streammigrator.copy.Archives;
import org.streammigrator.copy.Copies;
import org.streammigrator.copy.CopyProgress;
import org.streammigrator.copy.Manifests;
import org.streammigrator.report.JsonOutput;
import org.streammigrator.report.ProgressDisplay;
import org.streammigrator.report.VerifyReport;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code migrator verify}. */
@Command(
    name = "verify",
    description = {
      "Reads an archive, or a copy with its manifest beside it, and names what is changed, missing,"
          + " added or unreadable.",
      "Ends with 6 if anything is."
    },
    mixinStandardHelpOptions = true,
    footer = {"", "Example: migrator verify /archive/orders-0123456789ab.tar.zst"})
final class VerifyCommand implements Callable<Integer> {
  private final Session session;

  @Mixin private OutputFormat output;

  @Mixin private ProgressOption progress;

  @Parameters(
      paramLabel = "ARCHIVE|COPY",
      description = "An archive, or a directory that restore or apply made.")
  private String place;

  VerifyCommand(Session session) {
    this.session = requireNonNull(session, "session");
  }

  @Override
  public Integer call() throws Exception {
    VerifyReport report;
    try (ProgressDisplay display = progress.display(session)) {
      report = verify(session.location(place), display);
    }
    session.out().println(output.json() ? JsonOutput.pretty(report) : report.text());
    return report.ok() ? ExitCode.DONE : ExitCode.NOT_VERIFIED;
  }

  private VerifyReport verify(Location target, ProgressDisplay display) throws IOException {
    Store store = session.context().store();
    StoreEntry entry = store.stat(target).orElseThrow(() -> CopyFailures.missing(target));
    if (entry.isFile()) {
      CopyFailures.requireArchive(session, target);
      Store told = display.reading(store, CopyProgress.Phase.VERIFY, target);
      return VerifyReport.ofArchive(target, Archives.verify(told, target));
    }
    if (target.parent().isEmpty() || store.stat(Manifests.locationFor(target)).isEmpty()) {
      throw new CliFailure(
          ExitCode.USAGE,
          target
              + " is neither an archive nor a copy with a manifest beside it; restore and apply"
              + " write one");
    }
    return VerifyReport.ofCopy(target, Copies.verify(store, target, display));
  }
}
