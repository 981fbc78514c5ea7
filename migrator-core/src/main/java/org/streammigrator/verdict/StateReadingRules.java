package org.streammigrator.verdict;

import static org.streammigrator.finding.FindingCode.STATE_FILE_CORRUPT;

import java.util.List;
import java.util.stream.Collectors;
import org.streammigrator.checkpoint.StateReading;
import org.streammigrator.finding.Finding;

/**
 * Rules about what only a reading of all bytes shows. Damage that keeps the state from being built
 * is told with the files that are missing.
 */
final class StateReadingRules {
  private static final int MOST_NAMED = 10;

  private StateReadingRules() {}

  static void check(StateReading reading, Restart restart) {
    reading
        .schemas()
        .forEach(
            (path, reason) ->
                restart.stop(
                    Finding.error(
                        STATE_FILE_CORRUPT,
                        path,
                        "the state's schema cannot be read: "
                            + reason
                            + "; Spark reads it before the first batch and stops, unless"
                            + " spark.sql.streaming.stateStore.stateSchemaCheck is off",
                        "restore the file from a copy; if there is none, take it away: Spark writes"
                            + " the query's own schema, and checks nothing this once")));
    reading
        .operators()
        .forEach((operator, read) -> altered("state/" + operator, read.altered(), restart));
  }

  private static void altered(String subject, List<String> paths, Restart restart) {
    if (!paths.isEmpty()) {
      restart.note(
          Finding.error(
              STATE_FILE_CORRUPT,
              subject,
              (paths.size() == 1 ? "a state file is" : paths.size() + " state files are")
                  + " not what was written, their hidden .crc files do not fit: "
                  + paths.stream().limit(MOST_NAMED).collect(Collectors.joining(", "))
                  + (paths.size() > MOST_NAMED ? ", …" : "")
                  + ". They can be decoded, and Spark's default file manager does not compare them:"
                  + " the query starts, with whatever stands in them now",
              "compare them with a copy; if the content is right, delete the .crc files"));
    }
  }
}
