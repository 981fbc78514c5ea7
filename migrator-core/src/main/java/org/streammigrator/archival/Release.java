package org.streammigrator.archival;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.streammigrator.archival.ReleaseResult.Status;
import org.streammigrator.authoring.CheckpointWriter;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.checkpoint.CheckpointReader;
import org.streammigrator.copy.Archives;
import org.streammigrator.copy.Copies;
import org.streammigrator.copy.CopyOptions;
import org.streammigrator.copy.Damage;
import org.streammigrator.copy.Manifest;
import org.streammigrator.copy.Retention;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.migration.Operator;
import org.streammigrator.migration.OperatorLock;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.ReadOnlyStore;
import org.streammigrator.storage.Store;

/**
 * Deletes a superseded checkpoint of which an archive is left.
 *
 * <p>Guarantees:
 *
 * <ul>
 *   <li>Nothing is deleted unless a journal says that a migration went on from the checkpoint and
 *       finished, the archive verifies as a whole and holds every file of the checkpoint as it
 *       stands now (path, size, SHA-256), the successor is seen to have run cleanly for the time
 *       that was declared, and the name was confirmed.
 *   <li>A record beside the checkpoint says so before the first file goes, and stays.
 *   <li>No Spark version starts from a checkpoint that is half deleted, see {@link
 *       CheckpointWriter#remove}. A rerun after a crash at any moment goes on, and deletes nothing
 *       that is not in the archive.
 * </ul>
 */
public final class Release {
  private final Store store;
  private final Clock clock;
  private final ReleaseRequest request;
  private final Location checkpoint;
  private final List<Finding> findings = new ArrayList<>();
  private Optional<SuccessorEvidence> evidence = Optional.empty();
  private Manifest archived;
  private String archiveSha256;
  private String fingerprint;
  private LocalDate keepUntil;
  private Supersession supersession;
  private boolean resumes;

  public Release(Store store, Clock clock, ReleaseRequest request) {
    this.store = request.dryRun() ? new ReadOnlyStore(store) : requireNonNull(store, "store");
    this.clock = requireNonNull(clock, "clock");
    this.request = requireNonNull(request, "request");
    this.checkpoint = request.checkpoint();
  }

  /**
   * Releases, if nothing speaks against it.
   *
   * @throws NoSuchFileException if there is no such checkpoint and never was one released there
   * @throws IOException if a store fails; a rerun goes on
   */
  public ReleaseResult run() throws IOException {
    findings.addAll(new ReleasePlace(store, request).check());
    if (Finding.anyError(findings)) {
      return result(Status.REFUSED);
    }
    boolean there = store.stat(checkpoint).isPresent();
    if (!there && !ReleaseRecord.anyOf(store, checkpoint)) {
      throw new NoSuchFileException(checkpoint.toString());
    }
    readArchive();
    if (archived == null || Finding.anyError(findings)) {
      return result(Status.REFUSED);
    }
    ReleaseRecord record = new ReleaseRecord(store, checkpoint, archived.fingerprint());
    boolean open = record.isBegun() && !record.isDone();
    boolean staged = store.stat(CheckpointWriter.stagingFor(checkpoint)).isPresent();
    if (!there && !open) {
      if (record.isDone() && !staged) {
        if (!request.dryRun()) {
          ArchiveLocks.tidy(store, clock, Operator.lockOf(checkpoint));
          tidyPlans();
        }
        return result(Status.ALREADY_RELEASED);
      }
      throw new NoSuchFileException(checkpoint.toString());
    }
    if (there && staged) {
      findings.add(
          Finding.error(
              FindingCode.TARGET_NOT_EMPTY,
              CheckpointWriter.stagingFor(checkpoint).toString(),
              "this is where the checkpoint is moved to before its files are deleted, and something"
                  + " is there: what an apply, a restore or an older release left",
              "look at it, and move it away"));
    }
    compare(there, open);
    if (there && !resumes) {
      checkSuperseded();
    }
    if (Finding.anyError(findings)) {
      return result(Status.REFUSED);
    }
    if (request.dryRun()) {
      return result(Status.WOULD_RELEASE);
    }
    if (!request.confirm().equals(Optional.of(checkpoint.name()))) {
      return result(Status.TO_CONFIRM);
    }
    return delete(record);
  }

  /** Reads the whole archive, and finds the checkpoint in it. */
  private void readArchive() throws IOException {
    Location archive = request.archive();
    Archives.Contents contents = Archives.read(store, archive);
    archiveSha256 = contents.sha256();
    if (!contents.verification().ok()) {
      notCurrent("the archive is damaged: " + first(contents.verification().damage()));
      return;
    }
    archived =
        contents.manifests().values().stream()
            .filter(manifest -> isOf(manifest, checkpoint))
            .findFirst()
            .orElse(null);
    if (archived == null) {
      notCurrent(
          "the archive is not of this place but of "
              + String.join(
                  ", ", contents.manifests().values().stream().map(Manifest::checkpoint).toList()));
    }
    Optional<LocalDate> until = Retention.of(store, archive);
    keepUntil = until.orElse(null);
    LocalDate today = clock.instant().atZone(ZoneOffset.UTC).toLocalDate();
    if (until.isPresent() && until.get().isBefore(today)) {
      findings.add(
          Finding.error(
              FindingCode.ARCHIVE_RETENTION_ENDED,
              archive.toString(),
              "the archive was to be kept until "
                  + until.get()
                  + ": anyone may delete it, and then nothing is left of the checkpoint",
              "archive it once more with a later --keep-until, and then release it"));
    }
  }

  private static boolean isOf(Manifest manifest, Location place) {
    try {
      return Location.parse(manifest.checkpoint(), Path.of("/")).equals(place);
    } catch (IllegalArgumentException unreadable) {
      return false;
    }
  }

  /** Compares every byte of what is there with the archive. */
  private void compare(boolean there, boolean open) throws IOException {
    // Where a directory moves in one step it was moved away before its files went.
    Location place = there ? checkpoint : CheckpointWriter.stagingFor(checkpoint);
    List<Damage> differences = new ArrayList<>();
    if (there) {
      fingerprint = Checkpoint.fingerprint(new CheckpointReader(store).list(checkpoint));
    }
    if (store.stat(place).isPresent()) {
      differences.addAll(Copies.verify(store, place, archived).damage());
    }
    resumes =
        open && (!there || hasBegunToDelete()) && differences.stream().allMatch(this::isOfDeletion);
    if (!resumes && !differences.isEmpty()) {
      notCurrent(
          "what is at "
              + place
              + " is not as it was archived: "
              + first(differences)
              + (differences.size() > 1 ? ", and " + (differences.size() - 1) + " more" : ""));
    }
  }

  /** Whether files of the checkpoint were deleted under its own name, the deciding one first. */
  private boolean hasBegunToDelete() throws IOException {
    return CheckpointWriter.isOurs(store, checkpoint, owner())
        && CheckpointWriter.isUnpublished(store, checkpoint);
  }

  private String owner() {
    return "release of " + checkpoint;
  }

  /** Whether a difference is what deleting leaves: a file less, or a directory emptied. */
  private boolean isOfDeletion(Damage difference) {
    String below = difference.path() + "/";
    return difference.kind() == Damage.Kind.MISSING
        || difference.kind() == Damage.Kind.ADDED
            && archived.files().stream().anyMatch(file -> file.path().startsWith(below));
  }

  private static String first(List<Damage> damage) {
    return damage.get(0).path() + ": " + damage.get(0).message();
  }

  private void notCurrent(String message) {
    findings.add(
        Finding.error(
            FindingCode.ARCHIVE_NOT_CURRENT,
            request.archive().toString(),
            message,
            "archive the checkpoint as it is now, and name that archive"));
  }

  private void checkSuperseded() throws IOException {
    Checkpoint read = new CheckpointReader(store).read(checkpoint);
    if (!read.isCheckpoint()) {
      findings.add(
          Finding.error(
              FindingCode.NOT_A_CHECKPOINT,
              checkpoint.toString(),
              "this is no checkpoint: it has neither metadata nor offsets nor commits",
              "name the checkpoint's own directory; nothing else is ever deleted"));
      return;
    }
    if (!read.nested().isEmpty()) {
      findings.add(
          Finding.error(
              FindingCode.NESTED_CHECKPOINT,
              checkpoint.toString(),
              "another checkpoint lies in it: " + String.join(", ", read.nested()),
              "move that one away with its query, archive anew, and release then"));
    }
    Optional<Supersession> found = supersession();
    if (found.isEmpty()) {
      return;
    }
    supersession = found.get();
    if (!supersession.oldFingerprint().equals(fingerprint)) {
      findings.add(
          Finding.error(
              FindingCode.OLD_CHECKPOINT_GROWS,
              checkpoint.toString(),
              "it has changed since the migration went on from it: its query may still run",
              "stop the old query, and find out what it wrote since; migrator prove tells"));
    }
    Successor successor =
        new Successor(store, supersession, request.cleanFor(), clock.instant(), request.accepted());
    evidence = successor.look();
    findings.addAll(successor.findings());
  }

  private Optional<Supersession> supersession() throws IOException {
    List<String> looked = new ArrayList<>();
    for (Location journal : request.journals()) {
      looked.add(journal.toString());
      for (Supersession each : Supersession.read(store, journal)) {
        if (each.isOf(checkpoint)) {
          findings.addAll(new ReleasePlace(store, request).checkOthers(each));
          return Optional.of(each);
        }
      }
    }
    notSuperseded(
        looked.isEmpty()
            ? "nothing says that a migration went on from it"
            : "no finished migration in "
                + String.join(", ", looked)
                + " went on from it, or it was rolled back");
    return Optional.empty();
  }

  private void notSuperseded(String message) {
    findings.add(
        Finding.error(
            FindingCode.NOT_SUPERSEDED,
            checkpoint.toString(),
            message,
            "name the plan that did with --plan, or its journal with --journal"));
  }

  private ReleaseResult delete(ReleaseRecord record) throws IOException {
    try (OperatorLock lock =
        OperatorLock.take(
            store, Operator.lockOf(checkpoint), clock, "release", request.takeOver())) {
      if (resumes) {
        tidyPlans();
        return delete(record, lock);
      }
      // Whoever rolls the plan back at this moment would take the successor away.
      try (OperatorLock plan =
          OperatorLock.take(store, planLock(supersession.journal()), clock, "release", false)) {
        if (!Supersession.read(store, supersession.journal()).contains(supersession)) {
          notSuperseded("what its journal says changed while it was compared");
          return result(Status.REFUSED);
        }
        plan.check();
        return delete(record, lock);
      }
    }
  }

  private ReleaseResult delete(ReleaseRecord record, OperatorLock lock) throws IOException {
    String now = null;
    if (store.stat(checkpoint).isPresent()) {
      now = Checkpoint.fingerprint(new CheckpointReader(store).list(checkpoint));
    }
    if (!Objects.equals(now, fingerprint)) {
      notCurrent("the checkpoint changed while it was compared");
      return result(Status.REFUSED);
    }
    ReleaseResult released = result(Status.RELEASED);
    lock.check();
    record.begin(released, archiveSha256, clock.instant());
    new CheckpointWriter(store, CopyOptions.DEFAULT, owner()).remove(checkpoint);
    record.end(clock.instant());
    return released;
  }

  private static Location planLock(Location journal) {
    return journal.child("lock");
  }

  /** Removes what a crashed release left in the plans' locks. */
  private void tidyPlans() throws IOException {
    for (Location journal : request.journals()) {
      ArchiveLocks.tidy(store, clock, planLock(journal));
    }
  }

  private ReleaseResult result(Status status) {
    return new ReleaseResult(
        checkpoint.toString(),
        request.archive().toString(),
        status,
        archived == null ? 0 : archived.files().size(),
        archived == null ? 0 : archived.bytes(),
        keepUntil == null ? null : keepUntil.toString(),
        evidence.orElse(null),
        findings);
  }
}
