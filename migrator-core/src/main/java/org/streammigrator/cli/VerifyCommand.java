package org.streammigrator.cli;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.concurrent.Callable;
import org.streammigrator.copy.Archives;
import org.streammigrator.copy.Copies;
import org.streammigrator.copy.CopyProgress;
import org.streammigrator.copy.Manifests;
import org.streammigrator.copy.Sampling;
import org.streammigrator.report.JsonOutput;
import org.streammigrator.report.ProgressDisplay;
import org.streammigrator.report.VerifyReport;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
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
    footer = {
      "",
      "Example: migrator verify /archive/orders-0123456789ab.tar.zst",
      "         migrator verify /archive/orders-0123456789ab.tar.zst --sample 5%"
    })
final class VerifyCommand implements Callable<Integer> {
  private final Session session;

  @Mixin private OutputFormat output;

  @Mixin private ProgressOption progress;

  @Parameters(
      paramLabel = "ARCHIVE|COPY",
      description = "An archive, or a directory that restore or apply made.")
  private String place;

  @Option(
      names = "--sample",
      paramLabel = "SHARE",
      description = "Read only this share of the files, as 5%, and say what was not looked at.")
  private String sample;

  @Option(
      names = "--seed",
      paramLabel = "NUMBER",
      description = "What chooses the files of a sample; 0 if left out.")
  private Long seed;

  VerifyCommand(Session session) {
    this.session = requireNonNull(session, "session");
  }

  @Override
  public Integer call() throws Exception {
    Location target = session.location(place);
    VerifyReport report;
    try (ProgressDisplay display = progress.display(session)) {
      report = sample == null ? verify(target, display) : verifySample(target);
    }
    session.out().println(output.json() ? JsonOutput.pretty(report) : report.text());
    return report.ok() ? ExitCode.DONE : ExitCode.NOT_VERIFIED;
  }

  private VerifyReport verify(Location target, ProgressDisplay display) throws IOException {
    if (seed != null) {
      throw new CliFailure(ExitCode.USAGE, "--seed belongs to --sample");
    }
    Store store = session.context().store();
    if (!isArchive(target)) {
      return VerifyReport.ofCopy(target, Copies.verify(store, target, display));
    }
    Store told = display.reading(store, CopyProgress.Phase.VERIFY, target);
    return VerifyReport.ofArchive(target, Archives.verify(told, target));
  }

  private VerifyReport verifySample(Location target) throws IOException {
    Sampling sampling;
    try {
      sampling = Sampling.of(sample, seed == null ? 0 : seed);
    } catch (IllegalArgumentException invalid) {
      throw new CliFailure(
          ExitCode.USAGE, "--sample " + sample + ": " + invalid.getMessage(), invalid);
    }
    Store store = session.context().store();
    return isArchive(target)
        ? VerifyReport.ofSample(target, "archive", sampling, sampling.archive(store, target))
        : VerifyReport.ofSample(target, "copy", sampling, sampling.copy(store, target));
  }

  /** Whether a place is an archive; fails if it is no copy either. */
  private boolean isArchive(Location target) throws IOException {
    Store store = session.context().store();
    StoreEntry entry = store.stat(target).orElseThrow(() -> CopyFailures.missing(target));
    if (entry.isFile()) {
      CopyFailures.requireArchive(session, target);
      return true;
    }
    if (target.parent().isEmpty() || store.stat(Manifests.locationFor(target)).isEmpty()) {
      throw new CliFailure(
          ExitCode.USAGE,
          target
              + " is neither an archive nor a copy with a manifest beside it; restore and apply"
              + " write one");
    }
    return false;
  }
}
