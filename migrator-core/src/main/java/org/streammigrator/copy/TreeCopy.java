package org.streammigrator.copy;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;

/**
 * Copies files into a directory: several at a time, each byte read once and hashed on its way.
 *
 * <p>Guarantees: what is at the target already and is right is kept, so that a rerun copies only
 * what is missing or different; nothing but the files asked for is written or deleted there; every
 * call may be repeated after a crash at any moment. A file counts as kept without being read if the
 * progress beside the target says that these very states of source and target are the same bytes;
 * else both are read. The source's own state is the caller's to list again at the end.
 */
public final class TreeCopy {
  private static final int FEWEST_SENT = 2;

  private final Store store;
  private final Location place;
  private final CopyOptions options;
  private final CopyProgress progress;
  private final FileCopy files;
  private final Transfer transfer;
  private final Optional<CopyLedger> ledger;
  private final Optional<CopyWorkers> workers;
  private final Map<String, CopiedFile> recorded;
  private final Map<String, CopiedFile> copied = new ConcurrentHashMap<>();
  private final Set<String> leftOut = ConcurrentHashMap.newKeySet();

  /**
   * Prepares a copy.
   *
   * @param place the directory that is filled
   * @param named the place beside which the progress is kept; another one if the copy is staged
   * @param workers copy many files, if there are any
   */
  public TreeCopy(
      Store store,
      Location place,
      Location named,
      CopyOptions options,
      CopyProgress progress,
      Optional<CopyWorkers> workers)
      throws IOException {
    this(
        store,
        place,
        options,
        progress,
        Optional.of(new CopyLedger(store, place, named, options.recordEvery())),
        workers);
  }

  /**
   * Prepares a part of a copy whose records another process keeps.
   *
   * @param place the directory that is filled
   */
  public TreeCopy(Store store, Location place, CopyOptions options) throws IOException {
    this(store, place, options, CopyProgress.NONE, Optional.empty(), Optional.empty());
  }

  private TreeCopy(
      Store store,
      Location place,
      CopyOptions options,
      CopyProgress progress,
      Optional<CopyLedger> ledger,
      Optional<CopyWorkers> workers)
      throws IOException {
    this.store = requireNonNull(store, "store");
    this.place = requireNonNull(place, "place");
    this.options = requireNonNull(options, "options");
    this.progress = requireNonNull(progress, "progress");
    this.ledger = ledger;
    this.workers = requireNonNull(workers, "workers");
    this.recorded = ledger.isPresent() ? ledger.get().read() : Map.of();
    this.files = new FileCopy(store, place, options, progress, recorded);
    this.transfer = files.transfer();
  }

  /** Where workers write files before they give them their names, if the store publishes. */
  public static Location attemptsFor(Location named) {
    return Manifests.beside(named, "migrator-attempts");
  }

  /** Deletes the progress kept beside a place; then a rerun reads everything. */
  public static void forget(Store store, Location named) throws IOException {
    CopyLedger.delete(store, named);
    if (store.traits(named).publishes()) {
      Trees.delete(store, attemptsFor(named));
    }
  }

  /**
   * Copies what is not there yet. A checksum file that contradicts its file is left out.
   *
   * @param there what is at the target, by path; files only
   * @return a line of the manifest for each file that was not left out, in the order given
   * @throws SourceChangedException if a source is gone or has another size than it was listed with
   * @throws FileAlreadyExistsException if something else came to the target meanwhile
   */
  public List<ManifestFile> copy(List<? extends CopySource> sources, Map<String, StoreEntry> there)
      throws IOException {
    boolean sent = workers.isPresent() && sources.size() >= FEWEST_SENT;
    if (sent) {
      send(sources, there);
    }
    Parallel.map(
        options.threadsFor(place, sources),
        CopyUnit.of(sources),
        unit -> {
          bring(unit, there);
          return null;
        });
    store.settle(place);
    if (ledger.isPresent()) {
      ledger.get().flushIfDue();
    }
    List<ManifestFile> lines = new ArrayList<>(sources.size());
    for (CopySource source : sources) {
      if (!leftOut.contains(source.path())) {
        lines.add(copied.get(source.path()).file());
      }
    }
    return lines;
  }

  /**
   * Copies while something still writes to the source, proves what it copied and records it, so
   * that a later {@link #copy} need not read it again. A file that changes or goes meanwhile is
   * passed over.
   *
   * @param there what is at the target, by path; files only
   * @return what is at the target now, of the files asked for
   */
  public List<ManifestFile> copyAhead(
      List<? extends CopySource> sources, Map<String, StoreEntry> there) throws IOException {
    Parallel.map(
        options.threadsFor(place, sources),
        CopyUnit.of(sources),
        unit -> {
          try {
            bring(unit, there);
            proveRecorded(unit.file());
            if (unit.checksum().isPresent()) {
              proveRecorded(unit.checksum().get());
            }
          } catch (SourceChangedException passedOver) {
            copied.remove(unit.file().path());
          }
          return null;
        });
    store.settle(place);
    if (ledger.isPresent()) {
      ledger.get().flush();
    }
    List<ManifestFile> lines = new ArrayList<>();
    for (CopySource source : sources) {
      Optional.ofNullable(copied.get(source.path())).ifPresent(done -> lines.add(done.file()));
    }
    return lines;
  }

  private void proveRecorded(CopySource source) throws IOException {
    CopiedFile done = copied.get(source.path());
    if (done != null && !done.verified()) {
      if (!isRight(done.file())) {
        throw new IOException(place.child(source.path()) + " is not what was written");
      }
      record(done.proven());
    }
  }

  /** The checksum files that contradicted their file, sorted. */
  public List<String> leftOut() {
    return leftOut.stream().sorted().toList();
  }

  /** Brings a file and, if it fits, its checksum file, for which it is not read again. */
  private void bring(CopyUnit unit, Map<String, StoreEntry> there) throws IOException {
    CopySource source = unit.file();
    if (source.checksumOf().isPresent()) {
      // Its file comes at another time.
      bringChecksum(source, guard(source), source.checksumOf().get(), there);
      return;
    }
    Optional<Guard> guard =
        unit.checksum().isPresent() ? Optional.of(guard(unit.checksum().get())) : Optional.empty();
    if (!copied.containsKey(source.path())) {
      bring(source, guard, Optional.empty(), there);
    }
    if (guard.isPresent()) {
      bringChecksum(unit.checksum().get(), guard.get(), source, there);
    }
  }

  private Guard guard(CopySource checksum) throws IOException {
    return new Guard(transfer.read(checksum, Optional.empty()));
  }

  private void bringChecksum(
      CopySource checksum, Guard guard, CopySource guarded, Map<String, StoreEntry> there)
      throws IOException {
    StoreEntry found = there.get(checksum.path());
    boolean recordedAsRight =
        guard.fits().isEmpty()
            && found != null
            && files.isRecorded(checksum, found)
            && copied.get(guarded.path()) != null
            && copied.get(guarded.path()).equals(recorded.get(guarded.path()));
    if (guard.fits().isEmpty() && !recordedAsRight) {
      transfer.hash(guarded, Optional.of(guard));
    }
    if (recordedAsRight || guard.fits().orElseThrow()) {
      bring(checksum, Optional.empty(), Optional.of(guard.sums()), there);
      return;
    }
    leftOut.add(checksum.path());
    if (found != null) {
      store.delete(place.child(checksum.path()));
    }
    progress.moved(checksum.size());
    progress.done(1);
  }

  private void bring(
      CopySource source,
      Optional<Guard> guard,
      Optional<byte[]> held,
      Map<String, StoreEntry> there)
      throws IOException {
    WatchedSource watched = new WatchedSource(source, progress);
    FileCopy.Item item = new FileCopy.Item(watched, guard, held);
    record(files.bring(item, Optional.ofNullable(there.get(source.path()))));
    watched.done();
  }

  private void record(CopiedFile done) throws IOException {
    copied.put(done.file().path(), done);
    if (ledger.isPresent() && !done.equals(recorded.get(done.file().path()))) {
      ledger.get().add(done);
    }
  }

  /** {@link #copy Copies}, and reads each file back unless the store itself has compared it. */
  public List<CopiedFile> copyProven(
      List<? extends CopySource> sources, Map<String, StoreEntry> there) throws IOException {
    List<CopiedFile> proven =
        Parallel.map(options.threadsFor(place, sources), sources, source -> prove(source, there));
    store.settle(place);
    return proven;
  }

  private CopiedFile prove(CopySource source, Map<String, StoreEntry> there) throws IOException {
    CopiedFile done =
        files.bring(FileCopy.Item.of(source), Optional.ofNullable(there.get(source.path())));
    copied.put(source.path(), done);
    if (!isRight(done.file())) {
      throw new IOException(place.child(source.path()) + " is not what was written");
    }
    return done.proven();
  }

  /** Has workers copy what is not recorded as done, and can be read where they are. */
  private void send(List<? extends CopySource> sources, Map<String, StoreEntry> there)
      throws IOException {
    List<CopySource> open = new ArrayList<>();
    for (CopySource source : sources) {
      StoreEntry found = there.get(source.path());
      boolean done = found != null && files.isRecorded(source, found);
      if (!done && source.stored().isPresent() && source.checksumOf().isEmpty()) {
        open.add(source);
      }
    }
    workers
        .get()
        .copy(
            place,
            open,
            there,
            done -> {
              try {
                record(done);
              } catch (IOException failure) {
                throw new UncheckedIOException(failure);
              }
              progress.moved(done.file().size());
              progress.done(1);
            });
  }

  /** Compares the target with a manifest; reads what is not proven yet, several files at a time. */
  public Verification verify(Manifest manifest) throws IOException {
    Listing listing = Listing.of(store, place);
    Verification verification =
        Copies.verify(
            listing,
            manifest,
            options.threadsFor(place, listing.files().size()),
            item -> {
              CopiedFile known = copied.get(item.path());
              boolean proven =
                  isProven(known) && known.isAt(item.size(), item.modified(), item.tag());
              String sha256 =
                  proven
                      ? known.file().sha256()
                      : transfer.hash(place.child(item.path()), item.size());
              return new ManifestFile(item.path(), item.size(), sha256, item.modified());
            },
            progress);
    if (verification.ok()) {
      copied.replaceAll((path, file) -> file.proven());
    }
    return verification;
  }

  /** Whether a file that was copied is at the target; reads it if that is not proven. */
  public boolean isRight(ManifestFile file) throws IOException {
    return isProven(copied.get(file.path()))
        || transfer.hash(place.child(file.path()), file.size()).equals(file.sha256());
  }

  private boolean isProven(CopiedFile known) {
    return options.verify() == CopyOptions.Verify.CHECKSUM && known != null && known.verified();
  }

  /** The SHA-256 of the bytes a source gives. */
  public String hash(CopySource source) throws IOException {
    return transfer.hash(source, Optional.empty());
  }
}
