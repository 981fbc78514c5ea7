package org.streammigrator.position;

import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import org.streammigrator.checkpoint.FileSourceLog;
import org.streammigrator.checkpoint.source.FilesOffset;
import org.streammigrator.facts.InputFile;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;

/**
 * Positions of file sources. Which files are done stands only in the source's own log; a new
 * checkpoint takes all there are. The rules about age are those of {@code
 * FileStreamSource.fetchMaxOffset} and {@code FileStreamSource.SeenFilesMap}: a file that is not in
 * the log is new unless it is older than {@code maxFileAge} (7 days by default) before the newest
 * file in it; the first batch of a new log compares with nothing.
 */
final class FilesPositions {
  private static final long MAX_FILE_AGE_MS = 7L * 24 * 60 * 60 * 1000;

  private FilesPositions() {}

  static SourcePosition of(RecordedSource source, FilesOffset offset) {
    List<InputFile> listing = source.facts().inputFiles().get(source.id());
    FileSourceLog.Seen seen = source.directory().log().seen();
    String message =
        "a new, empty checkpoint ingests again "
            + (seen.files() > 0 ? count(seen.files(), "file", "files") : "the files")
            + " of the "
            + count(offset.logOffset() + 1, "log entry", "log entries")
            + " that this one has seen";
    return source.notExpressible(
        offset,
        offset.logOffset() < 0 ? "nothing" : "entry " + offset.logOffset() + " of its log",
        "a new checkpoint would read every input file again: which files are done stands only in"
            + " sources/"
            + source.id()
            + "; seed or relocate carries it along",
        List.of(
            Finding.warning(
                FindingCode.FILES_WOULD_BE_REINGESTED,
                source.subject(),
                listing == null ? message : message + "; " + byAge(listing, seen.newestMs()),
                "use strategy seed or relocate, which take the list of seen files along")));
  }

  private static String count(long number, String one, String several) {
    return number + " " + (number == 1 ? one : several);
  }

  private static String byAge(List<InputFile> listing, OptionalLong newestMs) {
    String all =
        "the first batch of a new checkpoint takes all "
            + listing.size()
            + " files of the listing, however old (maxFileAge compares with files that it has seen)";
    if (newestMs.isEmpty()) {
      return all;
    }
    long oldest = newestMs.getAsLong() - MAX_FILE_AGE_MS;
    long ignored = listing.stream().filter(file -> file.modifiedMs() < oldest).count();
    return all
        + "; this checkpoint ignores files older than 7 days before the newest that it has seen ("
        + Instant.ofEpochMilli(newestMs.getAsLong())
        + "): "
        + ignored
        + " of them are older, and those of these that it has not seen it never reads";
  }
}
