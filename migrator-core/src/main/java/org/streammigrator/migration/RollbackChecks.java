package org.streammigrator.migration;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.streammigrator.authoring.CheckpointWriter;
import org.streammigrator.backfill.Boundary;
import org.streammigrator.backfill.Guard;
import org.streammigrator.copy.InvalidManifestException;
import org.streammigrator.copy.Manifest;
import org.streammigrator.copy.Manifests;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.job.JobJson;
import org.streammigrator.plan.OutputMode;
import org.streammigrator.plan.StreamPlan;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.StoreEntry;

/** What speaks against rolling a stream back, and what would be removed. */
final class RollbackChecks {
  private final NoticingStore store;
  private final Journal journal;
  private final Set<FindingCode> accepted;
  private final String owner;

  /** Over a store that has been told where an operation begins. */
  RollbackChecks(NoticingStore store, Journal journal, Set<FindingCode> accepted) {
    this.store = requireNonNull(store, "store");
    this.journal = requireNonNull(journal, "journal");
    this.accepted = Set.copyOf(accepted);
    this.owner = journal.directory().toString();
  }

  /**
   * What is so of a target.
   *
   * @param removable whether what is at the target is this plan's
   * @param there whether anything is at the target
   * @param staged whether anything is staged for it
   * @param manifest what this plan published there; empty if it did not get that far
   * @param findings an error forbids the rollback
   */
  record Decision(
      boolean removable,
      boolean there,
      boolean staged,
      Optional<Manifest> manifest,
      List<Finding> findings) {}

  /**
   * Looks at the target.
   *
   * @param resolved the journal's last entry of that kind
   * @param verifies whether every byte of the target is read, as has to be before it is removed
   */
  Decision decide(StreamPlan stream, JsonNode resolved, Location to, boolean verifies)
      throws IOException {
    List<Finding> findings = new ArrayList<>();
    Location staging = CheckpointWriter.stagingFor(to);
    boolean there = isOccupied(to);
    boolean staged = store.stat(staging).isPresent();
    Optional<Manifest> manifest = manifest(journal.last(stream.name(), "staged"), to);
    boolean removable = true;
    if (CheckpointWriter.otherWriter(store, to, owner).isPresent()) {
      removable = false;
      findings.add(foreign(to, "another plan has begun to write there; what is there stays"));
    } else if (there && !CheckpointWriter.isOurs(store, to, owner)) {
      if (staged) {
        removable = false;
        findings.add(
            foreign(to, "it is not what this plan wrote, which is still staged; it stays"));
      } else if (manifest.isEmpty()) {
        removable = false;
        findings.add(foreign(to, "this plan did not finish writing it, so that it is another's"));
      } else {
        findings.addAll(
            verifies
                ? ofTarget(stream, resolved, to, manifest.get())
                : new Undoable(store).batches(stream, resolved, to, manifest.get(), accepted));
      }
    }
    merged(stream).ifPresent(findings::add);
    if (there || staged) {
      onlyCopy(place(resolved.path("from")), to).ifPresent(findings::add);
    }
    return new Decision(removable, there, staged, manifest, findings);
  }

  /** What speaks against removing what this plan published; every byte of it is read. */
  List<Finding> ofTarget(StreamPlan stream, JsonNode resolved, Location to, Manifest manifest)
      throws IOException {
    return new Undoable(store).check(stream, resolved, to, manifest, accepted);
  }

  /**
   * What a backfill may have merged into the sink. The old query has those windows in its state,
   * and writes them again.
   */
  private Optional<Finding> merged(StreamPlan stream) {
    Optional<JsonNode> boundary = journal.last(stream.name(), Backfills.BOUNDARY);
    if (boundary.isEmpty() || journal.last(stream.name(), Backfills.STARTED).isEmpty()) {
      return Optional.empty();
    }
    boolean isUpdate = stream.query().outputMode().filter(OutputMode.UPDATE::equals).isPresent();
    String message =
        "the backfill has merged windows into the table, which a rollback leaves there; "
            + (isUpdate
                ? "in update mode the old query writes those again that get further events"
                : "in append mode the old query writes them again");
    String remedy =
        isUpdate
            ? "look whether the old query's rows have what the job's have; RESTORE of the table takes"
                + " back what came since, too"
            : "before the old query is started, and only if it appends: "
                + Guard.deleting(
                    stream, JobJson.value(boundary.get().path(Backfills.BOUNDARY), Boundary.class));
    return Optional.of(
        accepted.contains(FindingCode.BACKFILL_ROWS_STAY)
            ? Finding.warning(FindingCode.BACKFILL_ROWS_STAY, "sink", message, remedy)
            : Finding.error(
                FindingCode.BACKFILL_ROWS_STAY,
                "sink",
                message,
                remedy + "; then roll back with --accept BACKFILL_ROWS_STAY"));
  }

  boolean isOccupied(Location to) throws IOException {
    Optional<StoreEntry> entry = store.stat(to);
    return entry.isPresent() && !(entry.get().isDirectory() && store.list(to).isEmpty());
  }

  /** The manifest beside a place, if it is of what the journal says was staged for it. */
  Optional<Manifest> manifest(Optional<JsonNode> staged, Location to) throws IOException {
    try {
      Manifest manifest = Manifests.read(store, to);
      return staged
          .map(entry -> entry.path("fingerprint").asText())
          .filter(manifest.fingerprint()::equals)
          .map(same -> manifest);
    } catch (NoSuchFileException | InvalidManifestException none) {
      return Optional.empty();
    }
  }

  /** Without the old checkpoint there is nothing to roll back to, and what is there is all. */
  private Optional<Finding> onlyCopy(Location from, Location to) throws IOException {
    return isOccupied(from)
        ? Optional.empty()
        : Optional.of(
            Finding.error(
                FindingCode.OLD_CHECKPOINT_GROWS,
                from.toString(),
                "the old checkpoint is not there any more; what was written for "
                    + to
                    + " is all that is left of it",
                "restore the old one from its archive to its place, and roll back then"));
  }

  private static Location place(JsonNode text) {
    return Location.parse(text.asText(), Path.of("/"));
  }

  static Finding foreign(Location to, String message) {
    return Finding.warning(
        FindingCode.TARGET_NOT_AS_WRITTEN,
        to.toString(),
        message,
        "look at it yourself; nothing of it was removed");
  }
}
