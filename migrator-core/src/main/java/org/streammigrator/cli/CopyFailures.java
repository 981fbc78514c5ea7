package org.streammigrator.cli;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.util.stream.Collectors;
import org.streammigrator.copy.Archives;
import org.streammigrator.copy.DamagedException;
import org.streammigrator.copy.RefusedException;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.storage.Location;

/** The sentences and exit codes for what archives and copies can fail with. */
final class CopyFailures {
  private static final int SHOWN = 20;

  private CopyFailures() {}

  static CliFailure refused(RefusedException refused) {
    Finding finding = refused.finding();
    return new CliFailure(
        ExitCode.REFUSED,
        finding.code() + ": " + finding.message() + "; " + finding.remedy(),
        refused);
  }

  static CliFailure occupied(Location target, FileAlreadyExistsException failure) {
    return new CliFailure(
        ExitCode.REFUSED,
        FindingCode.TARGET_NOT_EMPTY
            + ": "
            + target
            + " is there already; choose a target where nothing is",
        failure);
  }

  static CliFailure damaged(Location archive, DamagedException failure) {
    String damage =
        failure.verification().damage().stream()
            .limit(SHOWN)
            .map(each -> "\n  " + each.kind() + " " + each.path() + ": " + each.message())
            .collect(Collectors.joining());
    int more = failure.verification().damage().size() - SHOWN;
    return new CliFailure(
        ExitCode.NOT_VERIFIED,
        archive
            + " is damaged, nothing was made of it:"
            + damage
            + (more > 0 ? "\n  and " + more + " more; migrator verify lists all" : ""),
        failure);
  }

  /** A file that must be an archive. */
  static void requireArchive(Session session, Location file) throws IOException {
    if (!session.context().store().stat(file).orElseThrow(() -> missing(file)).isFile()
        || !Archives.isArchive(session.context().store(), file)) {
      throw new CliFailure(
          ExitCode.USAGE, file + " is no archive; migrator archive makes one, a .tar.zst file");
    }
  }

  static CliFailure missing(Location place) {
    return new CliFailure(ExitCode.USAGE, place + " does not exist");
  }
}
