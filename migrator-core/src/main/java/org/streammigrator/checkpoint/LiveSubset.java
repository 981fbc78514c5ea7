package org.streammigrator.checkpoint;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The files of a checkpoint that a restart needs.
 *
 * <p>Guarantees: a restart from nothing but these files does what a restart from the whole does.
 * Spark looks at the newest plan, the one before it and the newest commit ({@code
 * MicroBatchExecution.populateStartOffsets}), at the sources' private files, and at the state files
 * that build the version it loads; older batches only serve a rewind. What this program does not
 * know is kept. Left out besides history: leftovers of writes that never finished, stray names that
 * Spark would take for batches, and checkpoints that lie below this one.
 */
public final class LiveSubset {
  private static final Pattern TEMPORARY =
      Pattern.compile("\\.+.+\\.[0-9a-fA-F-]{36}(\\.TID[0-9]+)?\\.tmp(\\.crc)?");
  private static final Pattern STATE_DESCRIPTION =
      Pattern.compile("state/[^/]+/(?:[^/]+/){0,2}(?:_metadata|_stateSchema)/.+");

  private LiveSubset() {}

  /**
   * The files that a restart needs, sorted by path.
   *
   * @param stateVersions the versions of the state to take along, of those in {@link
   *     Checkpoint#stateVersions()}
   * @throws IllegalArgumentException if the checkpoint has state and a version is not among those
   *     that were looked for
   */
  public static List<CheckpointFile> of(Checkpoint checkpoint, Collection<Long> stateVersions) {
    requireNonNull(checkpoint, "checkpoint");
    Set<String> chosen = new HashSet<>(2 * checkpoint.files().size());
    logFiles(checkpoint, chosen);
    if (checkpoint.stateful()) {
      for (long version : stateVersions) {
        StateVersion needed = checkpoint.stateVersions().get(version);
        if (needed == null) {
          throw new IllegalArgumentException(
              "state version " + version + " was not looked for in " + checkpoint.location());
        }
        needed.files().forEach(file -> chosen.add(file.path()));
      }
    }
    List<String> unknownState =
        checkpoint.operators().stream()
            .filter(operator -> operator.provider() == StateProvider.UNKNOWN)
            .map(operator -> "state/" + operator.operator() + "/")
            .toList();
    for (CheckpointFile file : checkpoint.files()) {
      String path = file.path();
      if (!isHistory(path)
          || isStateDescription(path)
          || (!unknownState.isEmpty() && unknownState.stream().anyMatch(path::startsWith))) {
        chosen.add(path);
      }
    }
    List<CheckpointFile> live = new ArrayList<>(chosen.size());
    for (CheckpointFile file : checkpoint.files()) {
      if (file.isFile()
          && (chosen.contains(file.path()) || isChecksumOf(chosen, file.path()))
          && !isTemporary(file.path())
          && !checkpoint.inNested(file.path())) {
        live.add(file);
      }
    }
    return List.copyOf(live);
  }

  /** Whether a file is the leftover of a write that never finished ({@code .X.<uuid>.tmp}). */
  public static boolean isTemporary(String path) {
    int name = path.lastIndexOf('/') + 1;
    return path.startsWith(".", name) && TEMPORARY.matcher(path.substring(name)).matches();
  }

  private static void logFiles(Checkpoint checkpoint, Set<String> chosen) {
    OptionalLong planned = checkpoint.lastPlanned();
    if (planned.isPresent()) {
      chosen.add(checkpoint.offsets().path(planned.getAsLong()));
      chosen.add(checkpoint.offsets().path(planned.getAsLong() - 1));
    }
    OptionalLong committed = checkpoint.lastCommitted();
    if (committed.isPresent()) {
      chosen.add(checkpoint.commits().path(committed.getAsLong()));
    }
  }

  private static boolean isStateDescription(String path) {
    return (path.contains("/_metadata/") || path.contains("/_stateSchema/"))
        && STATE_DESCRIPTION.matcher(path).matches();
  }

  /** Whether a file is one of those that a query writes with every batch. */
  private static boolean isHistory(String path) {
    return path.startsWith("offsets/") || path.startsWith("commits/") || path.startsWith("state/");
  }

  /** Hadoop's hidden {@code .X.crc}, or Spark 4.1's {@code X.crc}, of a chosen file X. */
  private static boolean isChecksumOf(Set<String> chosen, String path) {
    if (!path.endsWith(".crc")) {
      return false;
    }
    String target = path.substring(0, path.length() - ".crc".length());
    if (chosen.contains(target)) {
      return true;
    }
    int name = target.lastIndexOf('/') + 1;
    if (name >= target.length() || target.charAt(name) != '.') {
      return false;
    }
    String visible = target.substring(0, name) + target.substring(name + 1);
    return chosen.contains(visible) || (visible.endsWith(".crc") && isChecksumOf(chosen, visible));
  }
}
