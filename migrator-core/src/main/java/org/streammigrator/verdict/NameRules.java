package org.streammigrator.verdict;

import static org.streammigrator.finding.FindingCode.COMMIT_CORRUPT;
import static org.streammigrator.finding.FindingCode.CRC_MISMATCH;
import static org.streammigrator.finding.FindingCode.OFFSETS_CORRUPT;
import static org.streammigrator.finding.FindingCode.STRAY_BATCH_NAME;

import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.streammigrator.checkpoint.BatchLog;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.checkpoint.CheckpointFile;
import org.streammigrator.checkpoint.LogFile;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;

/**
 * Rules about the names in the log directories. Origin: Spark's {@code HDFSMetadataLog} takes every
 * name that parses as a long for a batch, lists all numbers between the lowest and the highest, and
 * opens the file by its number; Hadoop's {@code ChecksumFs} renames the hidden checksum of a file
 * along with it, and fails where the place is taken.
 */
final class NameRules {
  /** So many numbers Spark cannot hold at once in a driver of ordinary size. */
  private static final long LONGEST_RANGE = 100_000_000;

  private static final String NOT_FOUND = " (BATCH_METADATA_NOT_FOUND, FileNotFoundException)";

  private static final Pattern HIDDEN_CHECKSUM =
      Pattern.compile("(offsets|commits)/\\.(0|[1-9][0-9]{0,17})\\.crc");

  private final Checkpoint checkpoint;
  private final Restart restart;

  private NameRules(Checkpoint checkpoint, Restart restart) {
    this.checkpoint = checkpoint;
    this.restart = restart;
  }

  static void check(Checkpoint checkpoint, Restart restart) {
    NameRules rules = new NameRules(checkpoint, restart);
    rules.directory("offsets", OFFSETS_CORRUPT);
    rules.directory("commits", COMMIT_CORRUPT);
    rules.strays(checkpoint.offsets());
    rules.strays(checkpoint.commits());
    if (checkpoint.location().isLocal()) {
      rules.checksumsWithoutFiles();
    }
  }

  /** Spark lists a file as it lists an empty directory, and cannot write the next batch. */
  private void directory(String name, FindingCode code) {
    if (checkpoint.entry(name).filter(CheckpointFile::isFile).isPresent()) {
      restart.stop(
          Finding.error(
              code,
              name,
              "it is a file where Spark keeps a directory: no batch can be read there or written",
              "restore the directory from a copy of the checkpoint"));
    }
  }

  private <T> void strays(BatchLog<T> log) {
    for (String name : log.strays()) {
      long batch = Long.parseLong(name);
      OptionalLong newest = log.newest();
      boolean isNewest = newest.isPresent() && newest.getAsLong() == batch;
      boolean missing = log.file(batch) instanceof LogFile.Missing<T>;
      if (isNewest && missing) {
        restart.stop(stray(log, name, "and then does not find " + log.path(batch) + NOT_FOUND));
      } else if (newest.orElse(0) - batch > LONGEST_RANGE) {
        restart.stop(
            stray(log, name, "and lists every number between the lowest and the highest one"));
      } else {
        restart.note(
            Finding.warning(
                STRAY_BATCH_NAME,
                log.directory() + "/" + name,
                "the name parses as a number, so Spark takes the file for batch "
                    + batch
                    + "; a start does not look at that one by this name",
                "move the file out of " + log.directory() + "/"));
      }
    }
  }

  private static <T> Finding stray(BatchLog<T> log, String name, String consequence) {
    return Finding.error(
        STRAY_BATCH_NAME,
        log.directory() + "/" + name,
        "the name parses as a number, so Spark takes the file for batch "
            + Long.parseLong(name)
            + " "
            + consequence,
        "move the file out of " + log.directory() + "/");
  }

  /** A file that was deleted while its hidden checksum was left stands in the way of a new one. */
  private void checksumsWithoutFiles() {
    long planned = checkpoint.lastPlanned().orElse(-1);
    long committed = checkpoint.pending().isEmpty() ? planned + 1 : planned;
    for (CheckpointFile file : checkpoint.files()) {
      if (!file.path().startsWith("offsets/.") && !file.path().startsWith("commits/.")) {
        continue;
      }
      Matcher matcher = HIDDEN_CHECKSUM.matcher(file.path());
      if (file.isFile() && matcher.matches()) {
        checksum(
            file.path(),
            matcher.group(1),
            Long.parseLong(matcher.group(2)),
            matcher.group(1).equals("offsets") ? planned + 1 : committed);
      }
    }
  }

  /** The check of one checksum, in a directory whose next file has the number {@code next}. */
  private void checksum(String path, String directory, long number, long next) {
    String file = directory + "/" + number;
    if (number < next || checkpoint.entry(file).isPresent()) {
      return;
    }
    Finding finding =
        Finding.error(
            CRC_MISMATCH,
            path,
            file
                + " is gone and its hidden checksum is left; when batch "
                + number
                + " writes the file anew, Spark stops with FileAlreadyExistsException (\"Rename"
                + " destination … already exists\")",
            "delete the .crc file too");
    if (number == next) {
      restart.stop(finding);
    } else {
      restart.note(finding);
    }
  }
}
