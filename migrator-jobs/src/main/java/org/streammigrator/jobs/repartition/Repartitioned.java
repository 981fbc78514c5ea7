package org.streammigrator.jobs.repartition;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.checkpoint.CheckpointReader;
import org.streammigrator.copy.InvalidManifestException;
import org.streammigrator.copy.Manifest;
import org.streammigrator.copy.ManifestFile;
import org.streammigrator.copy.Manifests;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;

/** What a repartition of a checkpoint has to have made: one batch more, and another number. */
final class Repartitioned {
  private Repartitioned() {}

  /**
   * What is not as a restart needs it, beyond what relocating looks at.
   *
   * @param made what Spark made; empty if it cannot be read
   * @param place where that is
   */
  static List<Finding> problems(
      Optional<Checkpoint> made, Checkpoint old, int partitions, Location place) {
    return made.isPresent()
            && isNext(made.get(), old, partitions)
            && isWhole(made.get(), old, partitions)
        ? List.of()
        : List.of(
            Finding.error(
                FindingCode.STATE_PARTITION_MISMATCH,
                place.toString(),
                "it is not what a repartition of batch "
                    + old.lastCommitted().orElse(-1)
                    + " to "
                    + partitions
                    + " partitions makes: one batch more, committed, that pins them, and as many"
                    + " directories for each operator",
                "keep it and report it; the old checkpoint is as it was"));
  }

  /** Whether an earlier run has finished, and no query has run at the target since. */
  static boolean isFinished(Store store, Location target, Checkpoint old, int partitions)
      throws IOException {
    Manifest manifest;
    Checkpoint there;
    try {
      manifest = Manifests.read(store, target);
      there = new CheckpointReader(store).read(target);
    } catch (NoSuchFileException | InvalidManifestException none) {
      return false;
    }
    List<String> written = manifest.files().stream().map(Repartitioned::line).sorted().toList();
    List<String> found =
        store.walk(target).stream()
            .filter(StoreEntry::isFile)
            .map(entry -> entry.location().relativeTo(target) + " " + entry.size())
            .sorted()
            .toList();
    return written.equals(found) && isNext(there, old, partitions);
  }

  private static String line(ManifestFile file) {
    return file.path() + " " + file.size();
  }

  private static boolean isNext(Checkpoint made, Checkpoint old, int partitions) {
    return old.lastCommitted().isPresent()
        && made.lastCommitted().equals(made.lastPlanned())
        && made.lastCommitted().orElse(-1) == old.lastCommitted().getAsLong() + 1
        && made.queryId().isPresent()
        && made.queryId().equals(old.queryId())
        && RepartitionRules.pinned(made).equals(OptionalInt.of(partitions));
  }

  private static boolean isWhole(Checkpoint made, Checkpoint old, int partitions) {
    return made.operators().size() == old.operators().size()
        && made.operators().stream()
            .allMatch(
                operator ->
                    operator.partitions().size() == partitions
                        && operator.partitions().last() == partitions - 1);
  }
}
