package org.streammigrator.copy;

import static java.util.Objects.requireNonNull;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import org.streammigrator.storage.Content;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Receipt;
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
  private static final int BUFFER = 1 << 17;
  private static final int FILES_IN_A_RECORD = 2000;
  private static final long BYTES_IN_A_RECORD = 256L << 20;
  private static final int FEWEST_RECORDED = 100;
  private static final int FEWEST_SENT = 2;
  private static final double FIRST_PAUSE_NANOS = 200e6;
  private static final ThreadLocal<byte[]> BUFFERS =
      ThreadLocal.withInitial(() -> new byte[BUFFER]);

  private final Store store;
  private final Location place;
  private final CopyOptions options;
  private final CopyProgress progress;
  private final CopyLimits limits;
  private final Optional<CopyLedger> ledger;
  private final Optional<CopyWorkers> workers;
  private final boolean keepsTimes;
  private final boolean wholeOrNothing;
  private final Map<String, CopiedFile> recorded;
  private final Map<String, CopiedFile> copied = new ConcurrentHashMap<>();
  private final List<CopiedFile> unrecorded = new ArrayList<>();
  private long unrecordedBytes;

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
    this(store, place, options, progress, Optional.of(new CopyLedger(store, named)), workers);
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
    this.limits = new CopyLimits(options);
    this.ledger = ledger;
    this.workers = requireNonNull(workers, "workers");
    this.keepsTimes = store.traits(place).keepsTimes();
    this.wholeOrNothing = store.traits(place).wholeOrNothing();
    this.recorded = ledger.isPresent() ? ledger.get().read() : Map.of();
  }

  /** Where workers write files before they give them their names, if the store publishes. */
  public static Location attemptsFor(Location named) {
    return Manifests.beside(named, "migrator-attempts");
  }

  /** Deletes the progress kept beside a place; then a rerun reads everything. */
  public static void forget(Store store, Location named) throws IOException {
    new CopyLedger(store, named).delete();
    if (store.traits(named).publishes()) {
      Trees.delete(store, attemptsFor(named));
    }
  }

  /**
   * Copies what is not there yet.
   *
   * @param there what is at the target, by path; files only
   * @return a line of the manifest for each file, in the order given
   * @throws SourceChangedException if a source is gone or has another size than it was listed with
   * @throws FileAlreadyExistsException if something else came to the target meanwhile
   */
  public List<ManifestFile> copy(List<? extends CopySource> files, Map<String, StoreEntry> there)
      throws IOException {
    boolean sent = workers.isPresent() && files.size() >= FEWEST_SENT;
    if (sent) {
      send(files, there);
    }
    List<ManifestFile> lines =
        Parallel.map(
            options.threadsFor(place, files.size()),
            files,
            file -> {
              if (sent && copied.containsKey(file.path())) {
                return copied.get(file.path()).file();
              }
              WatchedSource watched = new WatchedSource(file, progress);
              CopiedFile done = bring(watched, Optional.ofNullable(there.get(file.path())));
              record(done);
              watched.done();
              return done.file();
            });
    if (unrecorded.size() >= FEWEST_RECORDED) {
      flush();
    }
    return lines;
  }

  /** {@link #copy Copies}, and reads each file back unless the store itself has compared it. */
  public List<CopiedFile> copyProven(
      List<? extends CopySource> files, Map<String, StoreEntry> there) throws IOException {
    return Parallel.map(
        options.threadsFor(place, files.size()),
        files,
        file -> {
          CopiedFile done = bring(file, Optional.ofNullable(there.get(file.path())));
          copied.put(file.path(), done);
          if (!isRight(done.file())) {
            throw new IOException(place.child(file.path()) + " is not what was written");
          }
          return done.proven();
        });
  }

  /** Has workers copy what is not recorded as done, and can be read where they are. */
  private void send(List<? extends CopySource> files, Map<String, StoreEntry> there)
      throws IOException {
    List<CopySource> open = new ArrayList<>();
    for (CopySource file : files) {
      StoreEntry found = there.get(file.path());
      CopiedFile known = recorded.get(file.path());
      boolean done =
          found != null
              && known != null
              && known.isOf(file)
              && known.isAt(found.size(), found.modified(), found.tag());
      if (!done && file.stored().isPresent()) {
        open.add(file);
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
            store,
            place,
            listing,
            manifest,
            options.threadsFor(place, listing.files().size()),
            this::proven,
            progress);
    if (verification.ok()) {
      copied.replaceAll((path, file) -> file.proven());
    }
    return verification;
  }

  /** Whether a file that was copied is at the target; reads it if that is not proven. */
  public boolean isRight(ManifestFile file) throws IOException {
    Location to = place.child(file.path());
    CopiedFile known = copied.get(file.path());
    return options.verify() == CopyOptions.Verify.CHECKSUM && known != null && known.verified()
        || hash(to).equals(file.sha256());
  }

  /** Records all that is done, however little it is. */
  public synchronized void flush() throws IOException {
    if (!unrecorded.isEmpty()) {
      List<CopiedFile> batch = List.copyOf(unrecorded);
      unrecorded.clear();
      unrecordedBytes = 0;
      ledger.orElseThrow().append(batch);
    }
  }

  /** The SHA-256 of the bytes a source gives. */
  public String hash(CopySource source) throws IOException {
    return transfer(source, OutputStream.nullOutputStream());
  }

  private Optional<String> proven(Listing.Item item) {
    CopiedFile known = copied.get(item.path());
    return options.verify() == CopyOptions.Verify.CHECKSUM
            && known != null
            && known.verified()
            && known.isAt(item.size(), item.modified(), item.tag())
        ? Optional.of(known.file().sha256())
        : Optional.empty();
  }

  private synchronized void record(CopiedFile done) throws IOException {
    copied.put(done.file().path(), done);
    if (ledger.isPresent() && !done.equals(recorded.get(done.file().path()))) {
      unrecorded.add(done);
      unrecordedBytes += done.file().size();
      if (unrecorded.size() >= FILES_IN_A_RECORD || unrecordedBytes >= BYTES_IN_A_RECORD) {
        flush();
      }
    }
  }

  private CopiedFile bring(CopySource source, Optional<StoreEntry> there) throws IOException {
    Optional<StoreEntry> found = there;
    for (int attempt = 1; ; attempt++) {
      try {
        if (found.isPresent()) {
          Optional<CopiedFile> kept = kept(source, found.get());
          if (kept.isPresent()) {
            return kept.get();
          }
          store.delete(found.get().location());
        }
        return write(source);
      } catch (IOException failure) {
        if (attempt == options.attempts() || place.isLocal() || !isTransient(failure)) {
          throw failure;
        }
        progress.retried();
        double pause = FIRST_PAUSE_NANOS * (1L << (attempt - 1));
        limits.pause(pause * ThreadLocalRandom.current().nextDouble(0.5, 1));
        // A write that was not answered may have left the file, or, in some stores, a part of it.
        found = wholeOrNothing ? Optional.empty() : store.stat(place.child(source.path()));
      }
    }
  }

  private static boolean isTransient(IOException failure) {
    return !(failure instanceof FileSystemException
        || failure instanceof SourceChangedException
        || failure instanceof InterruptedIOException && Thread.currentThread().isInterrupted());
  }

  private Optional<CopiedFile> kept(CopySource source, StoreEntry there) throws IOException {
    if (!there.isFile() || there.size() != source.size()) {
      return Optional.empty();
    }
    if (keepsTimes && !there.modified().equals(source.modified())) {
      return Optional.empty();
    }
    CopiedFile known = recorded.get(source.path());
    if (known != null
        && known.isOf(source)
        && known.isAt(there.size(), there.modified(), there.tag())
        && (source.stored().isPresent() || known.file().sha256().equals(hash(source)))) {
      return Optional.of(known);
    }
    String sha256 = hash(source);
    return sha256.equals(hash(there.location()))
        ? Optional.of(done(source, sha256, there.tag(), true))
        : Optional.empty();
  }

  private CopiedFile write(CopySource source) throws IOException {
    Location to = place.child(source.path());
    Optional<CopiedFile> within = copyWithin(source, to);
    if (within.isPresent()) {
      return within.get();
    }
    String[] sha256 = new String[1];
    Content content = out -> sha256[0] = transfer(source, out);
    limits.request();
    try {
      Receipt receipt = store.write(to, content, Optional.of(source.modified()));
      return done(source, sha256[0], receipt.tag(), receipt.verified());
    } catch (FileAlreadyExistsException exists) {
      // Perhaps this very write made it, and the answer was lost.
      Optional<StoreEntry> there = store.stat(to);
      if (there.filter(StoreEntry::isFile).isPresent()) {
        String hash = sha256[0] == null ? hash(source) : sha256[0];
        if (hash.equals(hash(to))) {
          return done(source, hash, there.get().tag(), true);
        }
      }
      throw exists;
    }
  }

  /** A copy that the store makes; equal tags prove it, else both files are read. */
  private Optional<CopiedFile> copyWithin(CopySource source, Location to) throws IOException {
    if (source.stored().isEmpty() || place.isLocal()) {
      return Optional.empty();
    }
    StoreEntry from = source.stored().get();
    limits.request();
    Optional<Receipt> receipt;
    try {
      receipt = store.copyWithin(from, to, Optional.of(source.modified()));
    } catch (FileAlreadyExistsException exists) {
      return Optional.empty();
    } catch (NoSuchFileException gone) {
      throw new SourceChangedException(from.location() + " is gone", gone);
    }
    if (receipt.isEmpty()) {
      return Optional.empty();
    }
    String sha256 = hash(to);
    boolean sameTag = from.tag().isPresent() && from.tag().equals(receipt.get().tag());
    if (!sameTag && !sha256.equals(hash(source))) {
      throw new SourceChangedException(from.location() + " changed while it was copied");
    }
    return Optional.of(done(source, sha256, receipt.get().tag(), true));
  }

  private CopiedFile done(
      CopySource source, String sha256, Optional<String> tag, boolean verified) {
    return new CopiedFile(
        new ManifestFile(source.path(), source.size(), sha256, source.modified()),
        source.stored().flatMap(StoreEntry::tag),
        tag,
        keepsTimes ? Optional.of(source.modified()) : Optional.<Instant>empty(),
        verified);
  }

  private String hash(Location file) throws IOException {
    limits.request();
    MessageDigest digest = Sha256.digest();
    try (InputStream in = store.open(file)) {
      pump(in, digest, OutputStream.nullOutputStream());
    }
    return Sha256.hex(digest);
  }

  private String transfer(CopySource source, OutputStream out) throws IOException {
    Metered metered = new Metered(out);
    limits.request();
    try {
      source.content(store).writeTo(metered);
      metered.flush();
    } catch (NoSuchFileException gone) {
      throw new SourceChangedException(
          "the file for " + source.path() + " was deleted while it was copied", gone);
    }
    if (metered.count != source.size()) {
      throw new SourceChangedException(
          "the file for "
              + source.path()
              + " changed its size from "
              + source.size()
              + " to "
              + metered.count
              + " bytes while it was copied");
    }
    return metered.sha256();
  }

  private long pump(InputStream in, MessageDigest digest, OutputStream out) throws IOException {
    byte[] buffer = BUFFERS.get();
    long count = 0;
    for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
      limits.bytes(read);
      digest.update(buffer, 0, read);
      out.write(buffer, 0, read);
      count += read;
    }
    return count;
  }

  /** Counts and hashes what is copied, no faster than is allowed. */
  private final class Metered extends FilterOutputStream {
    private final MessageDigest digest = Sha256.digest();
    private long count;

    private Metered(OutputStream out) {
      super(out);
    }

    @Override
    public void write(int value) throws IOException {
      write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      limits.bytes(length);
      digest.update(bytes, offset, length);
      out.write(bytes, offset, length);
      count += length;
    }

    private String sha256() {
      return Sha256.hex(digest);
    }
  }
}
