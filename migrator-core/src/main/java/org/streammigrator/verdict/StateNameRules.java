package org.streammigrator.verdict;

import static org.streammigrator.finding.FindingCode.STRAY_STATE_NAME;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.checkpoint.CheckpointFile;
import org.streammigrator.checkpoint.OperatorState;
import org.streammigrator.checkpoint.StateProvider;
import org.streammigrator.checkpoint.StateStoreFiles;
import org.streammigrator.finding.Finding;

/**
 * Rules about names in the directories of state stores. Spark 4.2 lists the snapshots of a store
 * before it loads one, and takes what stands before {@code .snapshot} ({@code
 * HDFSBackedStateStoreProvider.fetchFiles}) or {@code .zip} ({@code RocksDBFileManager}) for a
 * number. Up to 4.1 only RocksDB does, and only where the zip of the very version is not there.
 */
final class StateNameRules {
  private static final Pattern PLACE =
      Pattern.compile("state/([0-9]{1,9})/([0-9]{1,9})/(?:([^/]+)/)?([^/.][^/]*)");

  private final Checkpoint checkpoint;
  private final Restart restart;
  private final Map<Integer, OperatorState> operators = new HashMap<>();

  private StateNameRules(Checkpoint checkpoint, Restart restart) {
    this.checkpoint = checkpoint;
    this.restart = restart;
    checkpoint.operators().forEach(operator -> operators.put(operator.operator(), operator));
  }

  static void check(Checkpoint checkpoint, Restart restart) {
    StateNameRules rules = new StateNameRules(checkpoint, restart);
    for (CheckpointFile file : checkpoint.filesBelow("state")) {
      boolean snapshot = file.path().endsWith(".snapshot") || file.path().endsWith(".zip");
      if (snapshot && file.isFile() && !checkpoint.inNested(file.path())) {
        Matcher place = PLACE.matcher(file.path());
        if (place.matches()) {
          rules.name(file.path(), place);
        }
      }
    }
  }

  private void name(String path, Matcher place) {
    OperatorState operator = operators.get(Integer.valueOf(place.group(1)));
    String store = place.group(3) == null ? "default" : place.group(3);
    String stem = place.group(4).substring(0, place.group(4).lastIndexOf('.'));
    if (operator == null || isNumber(stem)) {
      return;
    }
    boolean snapshot = path.endsWith(".snapshot");
    if (snapshot && operator.provider() == StateProvider.HDFS && stem.indexOf('.') < 0) {
      restart.stop(stray(path, stem), List.of("4.2"));
    } else if (!snapshot && operator.provider() == StateProvider.ROCKSDB) {
      operator.stores().stream()
          .filter(files -> files.partition() == Integer.parseInt(place.group(2)))
          .filter(files -> files.store().equals(store) && !files.hasIds())
          .forEach(
              files ->
                  restart.stop(
                      stray(path, stem), hasZip(files) ? List.of("4.2") : Restart.VERSIONS));
    }
  }

  private boolean hasZip(StateStoreFiles files) {
    long required = checkpoint.requiredStateVersion();
    return files.versioned().stream()
        .anyMatch(file -> file.form() == StateStoreFiles.Form.ZIP && file.version() == required);
  }

  private static boolean isNumber(String text) {
    try {
      Long.parseLong(text);
      return true;
    } catch (NumberFormatException other) {
      return false;
    }
  }

  private static Finding stray(String path, String stem) {
    return Finding.error(
        STRAY_STATE_NAME,
        path,
        "Spark takes what stands before the dot for a version, and stops with"
            + " NumberFormatException: For input string: \""
            + stem
            + '"',
        "move the file out of the store's directory");
  }
}
