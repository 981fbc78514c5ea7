package org.streammigrator.copy;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
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
  private final Store store;
  private final Location place;
  private final CopyOptions options;
  private final CopyLimits limits;
  private final Attempts attempts;
  private final Transfer transfer;
  private final CopyLedger ledger;
  private final boolean keepsTimes;
  private final boolean wholeOrNothing;
  private final Map<String, CopiedFile> recorded;
  private final Map<String, CopiedFile> copied = new ConcurrentHashMap<>();
  private final Set<String> leftOut = ConcurrentHashMap.newKeySet();

  /**
   * Prepares a copy.
   *
   * @param place the directory that is filled
   * @param named the place beside which the progress is kept; another one if the copy is staged
   */
  public TreeCopy(Store store, Location place, Location named, CopyOptions options)
      throws IOException {
    this.store = requireNonNull(store, "store");
    this.place = requireNonNull(place, "place");
    this.options = requireNonNull(options, "options");
    this.limits = new CopyLimits(options);
    this.attempts = new Attempts(options.attempts(), limits);
    this.transfer = new Transfer(store, limits);
    this.ledger = new CopyLedger(store, named, options.recordEvery());
    this.keepsTimes = store.traits(place).keepsTimes();
    this.wholeOrNothing = store.traits(place).wholeOrNothing();
    this.recorded = ledger.read();
  }

  /** Deletes the progress kept beside a place; then a rerun reads everything. */
  public static void forget(Store store, Location named) throws IOException {
    CopyLedger.delete(store, named);
  }

  /**
   * Copies what is not there yet. A checksum file that contradicts its file is left out.
   *
   * @param there what is at the target, by path; files only
   * @return a line of the manifest for each file that was not left out, in the order given
   * @throws SourceChangedException if a source is gone or has another size than it was listed with
   * @throws FileAlreadyExistsException if something else came to the target meanwhile
   */
  public List<ManifestFile> copy(List<? extends CopySource> files, Map<String, StoreEntry> there)
      throws IOException {
    Map<String, CopySource> checksums = checksumsByFile(files);
    List<CopySource> units = new ArrayList<>(files.size());
    for (CopySource file : files) {
      if (file.checksumOf().isEmpty() || !checksums.containsKey(file.checksumOf().get().path())) {
        units.add(file);
      }
    }
    Parallel.map(
        options.threadsFor(place, files.size()),
        units,
        file -> {
          bring(file, Optional.ofNullable(checksums.get(file.path())), there);
          return null;
        });
    ledger.flushIfDue();
    List<ManifestFile> lines = new ArrayList<>(files.size());
    for (CopySource file : files) {
      if (!leftOut.contains(file.path())) {
        lines.add(copied.get(file.path()).file());
      }
    }
    return lines;
  }

  /** The checksum files that contradicted their file, sorted. */
  public List<String> leftOut() {
    return leftOut.stream().sorted().toList();
  }

  /** Those checksum files whose file is copied, too, and so need not be read for their sake. */
  private static Map<String, CopySource> checksumsByFile(List<? extends CopySource> files) {
    Map<String, CopySource> checksums = new HashMap<>();
    Set<String> plain = new HashSet<>();
    for (CopySource file : files) {
      if (file.checksumOf().isPresent()) {
        checksums.put(file.checksumOf().get().path(), file);
      } else {
        plain.add(file.path());
      }
    }
    checksums.keySet().retainAll(plain);
    return checksums;
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
            });
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

  private void record(CopiedFile done) throws IOException {
    copied.put(done.file().path(), done);
    if (!done.equals(recorded.get(done.file().path()))) {
      ledger.add(done);
    }
  }

  /**
   * A file to be copied.
   *
   * @param guard its checksum file, if that is copied with it
   * @param held its bytes, if they have been read already
   */
  private record Item(CopySource source, Optional<Guard> guard, Optional<byte[]> held) {}

  /** Brings a file and, if it fits, its checksum file, for which it is not read again. */
  private void bring(CopySource file, Optional<CopySource> checksum, Map<String, StoreEntry> there)
      throws IOException {
    if (file.checksumOf().isPresent()) {
      // Its file comes at another time.
      bringChecksum(file, guard(file), file.checksumOf().get(), there);
      return;
    }
    Optional<Guard> guard =
        checksum.isPresent() ? Optional.of(guard(checksum.get())) : Optional.empty();
    record(bring(new Item(file, guard, Optional.empty()), there));
    if (guard.isPresent()) {
      bringChecksum(checksum.get(), guard.get(), file, there);
    }
  }

  private Guard guard(CopySource checksum) throws IOException {
    return new Guard(transfer.read(checksum, Optional.empty()));
  }

  private void bringChecksum(
      CopySource checksum, Guard guard, CopySource guarded, Map<String, StoreEntry> there)
      throws IOException {
    if (guard.fits().isEmpty()) {
      transfer.hash(guarded, Optional.of(guard));
    }
    if (guard.fits().orElseThrow()) {
      record(bring(new Item(checksum, Optional.empty(), Optional.of(guard.sums())), there));
    } else {
      leftOut.add(checksum.path());
      if (there.containsKey(checksum.path())) {
        store.delete(place.child(checksum.path()));
      }
    }
  }

  private CopiedFile bring(Item item, Map<String, StoreEntry> there) throws IOException {
    String path = item.source().path();
    Optional<StoreEntry> found = Optional.ofNullable(there.get(path));
    for (int attempt = 1; ; attempt++) {
      try {
        if (found.isPresent()) {
          Optional<CopiedFile> kept = kept(item, found.get());
          if (kept.isPresent()) {
            return kept.get();
          }
          store.delete(found.get().location());
        }
        return write(item);
      } catch (IOException failure) {
        if (place.isLocal() || !attempts.another(attempt, failure)) {
          throw failure;
        }
        // A write that was not answered may have left the file, or, in some stores, a part of it.
        found = wholeOrNothing ? Optional.empty() : store.stat(place.child(path));
      }
    }
  }

  private Optional<CopiedFile> kept(Item item, StoreEntry there) throws IOException {
    CopySource source = item.source();
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
    String sha256 = transfer.hash(source, item.guard());
    return sha256.equals(transfer.hash(there.location(), there.size()))
        ? Optional.of(done(source, sha256, there.tag(), true))
        : Optional.empty();
  }

  private CopiedFile write(Item item) throws IOException {
    CopySource source = item.source();
    Location to = place.child(source.path());
    Optional<CopiedFile> within = copyWithin(source, to);
    if (within.isPresent()) {
      return within.get();
    }
    String[] sha256 = new String[1];
    Content content;
    if (item.held().isPresent() || Transfer.isHeld(source)) {
      byte[] bytes =
          item.held().isPresent() ? item.held().get() : transfer.read(source, item.guard());
      sha256[0] = Sha256.hex(bytes);
      content = Content.of(bytes);
    } else {
      content = out -> sha256[0] = transfer.send(source, out, item.guard());
    }
    limits.request();
    try {
      Receipt receipt = store.write(to, content, Optional.of(source.modified()));
      return done(source, sha256[0], receipt.tag(), receipt.verified());
    } catch (FileAlreadyExistsException exists) {
      // Perhaps this very write made it, and the answer was lost.
      Optional<StoreEntry> there = store.stat(to);
      if (there.filter(StoreEntry::isFile).isPresent()) {
        String hash = sha256[0] == null ? hash(source) : sha256[0];
        if (hash.equals(transfer.hash(to, source.size()))) {
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
    String sha256 = transfer.hash(to, source.size());
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
}
