package org.streammigrator.migration;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.streammigrator.checkpoint.BatchLog;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.checkpoint.CheckpointFile;
import org.streammigrator.checkpoint.CheckpointReader;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Overlay;
import org.streammigrator.storage.Store;

/**
 * Leaves out of a checkpoint what only harms it: files whose names Spark takes for batches without
 * having written them so; the newest plan if it is empty and not committed; and commits whose plan
 * is gone, if the sinks say that they do not have those batches. The old checkpoint is only read:
 * it is read again as if those files were not there.
 */
final class Repair {
  private final Store store;
  private final Set<Location> leftOut = new HashSet<>();
  private boolean emptyPlan;
  private String whole = "";

  Repair(Store store) {
    this.store = requireNonNull(store, "store");
  }

  /** The checkpoint without stray names and empty plans at its end. */
  Checkpoint withoutStrays(Checkpoint checkpoint, List<Finding> findings) throws IOException {
    whole = Checkpoint.fingerprint(checkpoint.files());
    for (BatchLog<?> log : List.of(checkpoint.offsets(), checkpoint.commits())) {
      for (String name : log.strays()) {
        leaveOut(
            checkpoint,
            log.directory() + "/" + name,
            FindingCode.STRAY_BATCH_NAME,
            "Spark takes this file for a batch, and did not write it so",
            findings);
      }
    }
    Checkpoint repaired = read(checkpoint);
    while (emptyAtTheEnd(repaired)) {
      leaveOut(
          repaired,
          repaired.offsets().path(repaired.lastPlanned().getAsLong()),
          FindingCode.OFFSETS_EMPTY,
          "the newest plan has 0 bytes: its batch is planned anew",
          findings);
      emptyPlan = true;
      repaired = read(repaired);
    }
    return repaired;
  }

  private static boolean emptyAtTheEnd(Checkpoint checkpoint) {
    if (checkpoint.lastPlanned().isEmpty()) {
      return false;
    }
    long newest = checkpoint.lastPlanned().getAsLong();
    Optional<CheckpointFile> file = checkpoint.entry(checkpoint.offsets().path(newest));
    return file.isPresent()
        && file.get().size() == 0
        && !checkpoint.commits().batches().contains(newest);
  }

  /**
   * The checkpoint without commits above its plans, if the sinks do not have those batches.
   *
   * @param recorded the last batch that all sinks have, as far as they tell
   */
  Checkpoint withoutCommitsAhead(
      Checkpoint checkpoint, OptionalLong recorded, List<Finding> findings) throws IOException {
    long planned = checkpoint.lastPlanned().orElse(-1);
    boolean notInSinks = recorded.isPresent() && recorded.getAsLong() <= planned;
    if (checkpoint.commitsAhead().isEmpty() || !notInSinks) {
      return checkpoint;
    }
    for (long batch : new TreeSet<>(checkpoint.commits().after(planned))) {
      leaveOut(
          checkpoint,
          checkpoint.commits().path(batch),
          FindingCode.COMMIT_WITHOUT_OFFSETS,
          "the plan of this commit is gone, and the sink, which ends at batch "
              + recorded.getAsLong()
              + ", does not have its rows",
          findings);
    }
    return read(checkpoint);
  }

  /** The fingerprint of the checkpoint as it is; empty if nothing is left out. */
  Optional<String> wholeFingerprint() {
    return leftOut.isEmpty() ? Optional.empty() : Optional.of(whole);
  }

  /** Whether a batch is planned anew of which nobody knows whether the sink has it. */
  boolean mayRepeat(OptionalLong recorded) {
    return emptyPlan && recorded.isEmpty();
  }

  private Checkpoint read(Checkpoint checkpoint) throws IOException {
    return leftOut.isEmpty()
        ? checkpoint
        : new CheckpointReader(Overlay.hiding(leftOut).over(store)).read(checkpoint.location());
  }

  private void leaveOut(
      Checkpoint checkpoint,
      String path,
      FindingCode code,
      String message,
      List<Finding> findings) {
    leftOut.add(checkpoint.location().child(path));
    int name = path.lastIndexOf('/') + 1;
    leftOut.add(
        checkpoint.location().child(path.substring(0, name) + "." + path.substring(name) + ".crc"));
    findings.add(
        Finding.warning(
            code, path, message, "nothing to do; the new checkpoint leaves the file out"));
  }
}
