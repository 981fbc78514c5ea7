package org.streammigrator.verdict;

import static org.streammigrator.finding.FindingCode.ABSOLUTE_PATHS;
import static org.streammigrator.finding.FindingCode.LOG_VERSION_UNSUPPORTED;
import static org.streammigrator.finding.FindingCode.STATE_FILE_CORRUPT;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.checkpoint.CheckpointFile;
import org.streammigrator.checkpoint.LogFile;
import org.streammigrator.checkpoint.OperatorMetadata;
import org.streammigrator.checkpoint.OperatorState;
import org.streammigrator.finding.Finding;
import org.streammigrator.storage.Location;

/** Rules about the operators' metadata, which Spark 4.0 and later compare with the query. */
final class StateMetadataRules {
  private static final Path ROOT = Path.of("/");

  private static final Pattern VERSION_2 = Pattern.compile("state/[0-9]+/_metadata/v2/[0-9]+");
  private static final String RELOCATE =
      "move the checkpoint with strategy relocate, which rewrites such paths";

  private StateMetadataRules() {}

  static void check(Checkpoint checkpoint, OperatorState operator, Restart restart) {
    if (operator.metadata() instanceof LogFile.Damaged<OperatorMetadata> damaged) {
      restart.note(
          Finding.warning(
              STATE_FILE_CORRUPT,
              "state/" + operator.operator() + "/_metadata",
              "the operator's metadata cannot be read: "
                  + damaged.message()
                  + "; Spark 4.0 and later go on without it, and do not notice if the query has other"
                  + " stateful operators than the checkpoint",
              "restore the file from a copy, or compare the query's operators by hand"));
    }
    operator
        .metadata()
        .readable()
        .ifPresent(metadata -> schemaFiles(checkpoint, operator, metadata, restart));
  }

  /** What can be said of metadata of version 2, and of that which was not read or could not be. */
  static void ofVersion2(Checkpoint checkpoint, Restart restart) {
    List<String> all =
        checkpoint.filesBelow("state").stream()
            .map(CheckpointFile::path)
            .filter(path -> path.contains("/_metadata/v2/") && VERSION_2.matcher(path).matches())
            .filter(path -> !checkpoint.inNested(path))
            .toList();
    if (!all.isEmpty()) {
      restart.stop(
          Finding.info(
              LOG_VERSION_UNSUPPORTED,
              all.get(0),
              "operator metadata of version 2 describes operators that Spark 3.5 does not have"
                  + " (transformWithState, joins of state format 3)",
              "restart it with Spark 4.0 or newer"),
          List.of("3.5"));
    }
    List<String> files = all.stream().filter(path -> !isRead(checkpoint, path)).toList();
    if (!files.isEmpty()) {
      restart.note(
          Finding.info(
              ABSOLUTE_PATHS,
              files.get(0),
              (files.size() == 1
                      ? "an operator's metadata file"
                      : files.size() + " files of operators' metadata")
                  + " of version 2 may name state schema files of this checkpoint by full path; in"
                  + " another place Spark takes them for missing, and skips its schema check",
              RELOCATE));
    }
  }

  private static boolean isRead(Checkpoint checkpoint, String path) {
    return checkpoint.operators().stream()
        .filter(operator -> path.startsWith("state/" + operator.operator() + "/"))
        .anyMatch(operator -> operator.metadata().readable().isPresent());
  }

  private static void schemaFiles(
      Checkpoint checkpoint, OperatorState operator, OperatorMetadata metadata, Restart restart) {
    List<String> named =
        metadata.stores().stream().flatMap(store -> store.schemaFiles().stream()).toList();
    if (named.isEmpty()) {
      return;
    }
    List<String> outside =
        named.stream().filter(uri -> !isInside(uri, checkpoint.location())).toList();
    if (outside.isEmpty()) {
      restart.note(
          Finding.info(
              ABSOLUTE_PATHS,
              metadata.path(),
              count(named)
                  + " of this checkpoint is named by full path; in another place Spark takes it for"
                  + " missing, and skips its schema check",
              RELOCATE));
    } else {
      restart.note(
          Finding.warning(
              ABSOLUTE_PATHS,
              metadata.path(),
              "operator "
                  + operator.operator()
                  + " ("
                  + metadata.name()
                  + ") names "
                  + count(outside)
                  + " outside this checkpoint, "
                  + outside.get(0)
                  + ": the checkpoint was moved. While the old place can be read, Spark goes on"
                  + " depending on it; once it is gone, Spark takes the schema for missing, skips its"
                  + " check and begins to number schemas at 0 again, which Avro-encoded state does"
                  + " not survive",
              "move the checkpoint with strategy relocate, which makes it name its own files; where"
                  + " it does not have them, put them back to where they are named"));
    }
  }

  private static boolean isInside(String uri, Location checkpoint) {
    try {
      return Location.parse(uri, ROOT).isInside(checkpoint);
    } catch (IllegalArgumentException noLocation) {
      return false;
    }
  }

  private static String count(List<String> files) {
    return files.size() == 1 ? "a state schema file" : files.size() + " state schema files";
  }
}
