package org.streammigrator.verdict;

import static org.streammigrator.finding.FindingCode.ABSOLUTE_PATHS;
import static org.streammigrator.finding.FindingCode.CRC_MISMATCH;
import static org.streammigrator.finding.FindingCode.NESTED_CHECKPOINT;
import static org.streammigrator.finding.FindingCode.TEMPORARY_LOCATION;
import static org.streammigrator.finding.FindingCode.TEMP_LEFTOVERS;
import static org.streammigrator.finding.FindingCode.UNREADABLE;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.checkpoint.CheckpointFile;
import org.streammigrator.checkpoint.FileSourceLog;
import org.streammigrator.checkpoint.LiveSubset;
import org.streammigrator.checkpoint.embedded.EmbeddedFiles;
import org.streammigrator.checkpoint.embedded.EmbeddedIn;
import org.streammigrator.finding.Finding;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.StoreEntry;

/** Rules about where a checkpoint lies and what else lies there. */
final class PlaceRules {
  private static final Pattern TEMPORARY_NAME =
      Pattern.compile("temporary-[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");
  private static final Set<String> NEEDED_BY_EVERY_START =
      Set.of("metadata", "offsets", "commits", "sources", "state");
  private static final int MOST_NAMED = 5;

  private final Checkpoint checkpoint;
  private final Restart restart;

  private PlaceRules(Checkpoint checkpoint, Restart restart) {
    this.checkpoint = checkpoint;
    this.restart = restart;
  }

  static void check(Checkpoint checkpoint, Restart restart) {
    PlaceRules rules = new PlaceRules(checkpoint, restart);
    rules.unreadable();
    rules.location();
    rules.nested();
    rules.leftovers();
    rules.checksums();
    rules.seenFiles();
    rules.schemaLogs();
  }

  private void unreadable() {
    for (CheckpointFile file : checkpoint.files()) {
      if (file.kind() != StoreEntry.Kind.OTHER) {
        continue;
      }
      String message =
          "it is neither a file nor a directory that can be read: no permission, or a link that is"
              + " broken or leads back to itself; what is in it is not looked at";
      String remedy = "give this user access, or repair or remove the link";
      if (NEEDED_BY_EVERY_START.contains(file.path())) {
        restart.stop(Finding.error(UNREADABLE, file.path(), message, remedy));
      } else {
        restart.note(Finding.warning(UNREADABLE, file.path(), message, remedy));
      }
    }
  }

  private void location() {
    Location location = checkpoint.location();
    String path = location.path() + "/";
    if (TEMPORARY_NAME.matcher(location.name()).matches()) {
      restart.note(
          Finding.warning(
              TEMPORARY_LOCATION,
              location.toString(),
              "the place is not durable: Spark makes up such a checkpoint when the query names none,"
                  + " and it goes away with the cluster or on a clean stop",
              "archive it before the cluster ends, and set checkpointLocation on the writeStream"));
    } else if (location.isLocal()
        && (path.startsWith("/tmp/") || path.startsWith("/local_disk0/tmp/"))) {
      restart.note(
          Finding.warning(
              TEMPORARY_LOCATION,
              location.toString(),
              "the place is not durable: what is below a tmp directory goes away with the cluster,"
                  + " or when the machine starts again",
              "archive it before that, and let the query go on from a place that lasts"));
    }
  }

  private void nested() {
    for (String path : checkpoint.nested()) {
      restart.note(
          Finding.warning(
              NESTED_CHECKPOINT,
              path,
              "another checkpoint lies below this one; it counts in files and in nothing else",
              "inspect it by itself, and put new checkpoints beside old ones, not into them"));
    }
  }

  private void leftovers() {
    List<String> leftovers = paths(file -> file.isFile() && LiveSubset.isTemporary(file.path()));
    if (!leftovers.isEmpty()) {
      restart.note(
          Finding.info(
              TEMP_LEFTOVERS,
              leftovers.get(0),
              count(leftovers.size(), "temporary file")
                  + " of writes that never finished; Spark does not see them: "
                  + named(leftovers),
              "nothing to do; they are not copied"));
    }
  }

  private void checksums() {
    for (String path : checkpoint.staleCrc()) {
      restart.note(
          Finding.warning(
              CRC_MISMATCH,
              path,
              "its hidden .crc file does not fit its content: it was edited or damaged after Spark"
                  + " wrote it. Spark's default file manager does not look; Hadoop's FileSystem API"
                  + " throws a ChecksumException",
              "compare it with a copy; if the content is right, delete the .crc file"));
    }
  }

  private void seenFiles() {
    new TreeMap<>(checkpoint.sourceDirectories())
        .forEach(
            (source, directory) -> {
              FileSourceLog.Seen seen = directory.log().seen();
              if (seen.files() > 0) {
                restart.note(
                    Finding.info(
                        ABSOLUTE_PATHS,
                        "sources/" + source,
                        "the source's log names "
                            + count(seen.files(), "file")
                            + " that it has seen, by full path"
                            + (seen.prefix().isEmpty() ? "" : ", all below " + seen.prefix())
                            + "; a file is known again only under the same path",
                        "keep the input where it is, or move the checkpoint with relocate and"
                            + " `rewrite`: else "
                            + count(seen.files(), "file")
                            + " would be read again"));
              }
            });
  }

  private void schemaLogs() {
    TreeMap<String, Integer> entries = new TreeMap<>();
    for (CheckpointFile file : checkpoint.files()) {
      if (EmbeddedFiles.kind(checkpoint, file).equals(Optional.of(EmbeddedIn.SCHEMA_LOG))) {
        String directory =
            file.path().substring(0, file.path().length() - file.name().length() - 1);
        entries.merge(directory, 1, Integer::sum);
      }
    }
    entries.forEach(
        (directory, count) ->
            restart.note(
                Finding.info(
                    ABSOLUTE_PATHS,
                    directory,
                    "a Delta source's schema log with "
                        + (count == 1 ? "1 entry" : count + " entries")
                        + " names this checkpoint by full path; in another place Delta stops with"
                        + " \"source metadata path … is different\"",
                    "move the checkpoint with strategy relocate, which rewrites such paths")));
  }

  private List<String> paths(java.util.function.Predicate<CheckpointFile> wanted) {
    List<String> paths = new ArrayList<>();
    for (CheckpointFile file : checkpoint.files()) {
      if (wanted.test(file) && !checkpoint.inNested(file.path())) {
        paths.add(file.path());
      }
    }
    return paths;
  }

  private static String count(long number, String what) {
    return number + " " + what + (number == 1 ? "" : "s");
  }

  private static String named(List<String> paths) {
    return paths.stream().limit(MOST_NAMED).collect(Collectors.joining(", "))
        + (paths.size() > MOST_NAMED ? ", …" : "");
  }
}
