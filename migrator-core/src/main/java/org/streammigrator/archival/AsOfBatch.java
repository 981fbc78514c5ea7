package org.streammigrator.archival;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.streammigrator.authoring.AsOf;
import org.streammigrator.authoring.LaterNames;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.checkpoint.CheckpointReader;
import org.streammigrator.copy.ArchiveListing;
import org.streammigrator.copy.Manifest;
import org.streammigrator.copy.RefusedException;
import org.streammigrator.copy.RestoreResult;
import org.streammigrator.copy.Restoring;
import org.streammigrator.copy.UnknownEntryException;
import org.streammigrator.facts.Facts;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.finding.Severity;
import org.streammigrator.position.ResumePositions;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;
import org.streammigrator.verdict.Inspection;
import org.streammigrator.verdict.Inspector;

/**
 * Restores a checkpoint as it stood when a batch N had been committed.
 *
 * <p>Left out is what came later by its name ({@link LaterNames}). What sources keep for themselves
 * stays whole: a file source keeps the files that it has seen in a log with numbers of its own, and
 * after a restart plans from the end of the last plan ({@code FileStreamSource.fetchMaxOffset}): it
 * reads at once what came after. Where a source has noted what misleads a start, the batch is
 * refused.
 *
 * <p>Guarantee: what is restored has N as its last planned and its last committed batch, and is one
 * that a restart goes on from, state included; or else nothing is restored.
 */
public final class AsOfBatch {
  private final Store store;
  private final long batch;
  private Long newest;

  private AsOfBatch(Store store, long batch) {
    this.store = requireNonNull(store, "store");
    this.batch = batch;
  }

  /**
   * What was restored.
   *
   * @param findings what to know before a query is started from it
   */
  public record Result(RestoreResult restored, List<Finding> findings) {}

  /**
   * Restores.
   *
   * @param checkpoint the name of the checkpoint; needed with an archive of several
   * @param target a place where nothing is, or an empty directory
   * @throws RefusedException if the archive does not hold what a restart after the batch needs
   * @throws UnknownEntryException if there is no such checkpoint, or several and none is named
   * @throws IOException as {@link Restoring#restore} does
   */
  public static Result restore(
      Store store, Location archive, Optional<String> checkpoint, long batch, Location target)
      throws IOException {
    List<String> names =
        ArchiveListing.of(store, archive).checkpoints().stream()
            .map(ArchiveListing.Part::name)
            .toList();
    if (checkpoint.isEmpty() && names.size() > 1) {
      throw UnknownEntryException.ofCheckpoint(archive, "", names);
    }
    AsOfBatch asOf = new AsOfBatch(store, batch);
    RestoreResult restored =
        new Restoring(checkpoint, path -> !LaterNames.isLater(path, batch), asOf::check)
            .restore(store, archive, target);
    return new Result(restored, asOf.warnings(target));
  }

  private void check(Location staged, Manifest manifest) throws IOException {
    newest = manifest.summary().lastPlanned();
    Checkpoint checkpoint = new CheckpointReader(store).read(staged);
    List<String> missing = new ArrayList<>();
    if (checkpoint.lastPlanned().orElse(-1) != batch) {
      missing.add("it holds no plan of the batch in offsets/" + batch);
    }
    if (checkpoint.lastCommitted().orElse(-1) != batch) {
      missing.add("it holds no commit of the batch in commits/" + batch);
    }
    if (missing.isEmpty()) {
      ResumePositions positions = new ResumePositions(checkpoint, Facts.NONE, Map.of());
      Set<String> later = AsOf.of(store, checkpoint, positions, batch).misleading();
      if (!later.isEmpty()) {
        missing.add(
            "a source has noted there what later batches read, such as "
                + later.iterator().next()
                + ", and a start would go by it; restore the whole archive, and go back to the batch"
                + " with strategy rewind");
      }
      Inspection inspection = Inspector.inspect(checkpoint, Map.of());
      if (!inspection.restartable()) {
        for (Finding finding : inspection.findings()) {
          if (finding.severity() == Severity.ERROR) {
            missing.add(finding.code() + ": " + finding.message());
          }
        }
        if (missing.isEmpty()) {
          missing.add("a query would not start from what is left of it");
        }
      }
    }
    if (!missing.isEmpty()) {
      throw new RefusedException(
          Finding.error(
              FindingCode.BATCH_NOT_IN_ARCHIVE,
              "batch " + batch,
              "the checkpoint as of batch "
                  + batch
                  + " cannot be restored from this archive: "
                  + missing.stream().distinct().limit(5).collect(Collectors.joining("; ")),
              "restore the whole archive, or one that was made sooner after that batch; Spark keeps"
                  + " about 100 batches and their state"));
    }
  }

  private List<Finding> warnings(Location target) {
    if (newest == null || newest <= batch) {
      return List.of();
    }
    return List.of(
        Finding.warning(
            FindingCode.ARCHIVE_BEHIND_SINK,
            target.toString(),
            "this is the checkpoint as of batch "
                + batch
                + "; the query went on to batch "
                + newest
                + ". A sink that keeps batch numbers (Delta, a file sink) skips the batches up to"
                + " the last that it has, whatever they then hold; any other gets them once more",
            "look what the sink has before a query is started from it, or give it a sink of its"
                + " own"));
  }
}
