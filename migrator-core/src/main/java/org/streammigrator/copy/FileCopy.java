package org.streammigrator.copy;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.streammigrator.storage.Content;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Receipt;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;

/**
 * Copies one file at a time into a directory, or finds that it is there. What it writes is durable
 * when the directory has been {@link Store#settle settled}. For several threads.
 */
final class FileCopy {
  private final Store store;
  private final Location place;
  private final CopyLimits limits;
  private final Attempts attempts;
  private final Transfer transfer;
  private final CopyProgress progress;
  private final Map<String, CopiedFile> recorded;
  private final boolean keepsTimes;
  private final boolean wholeOrNothing;

  /**
   * Prepares it.
   *
   * @param place the directory that is filled
   * @param recorded what is known to be there, by path
   */
  FileCopy(
      Store store,
      Location place,
      CopyOptions options,
      CopyProgress progress,
      Map<String, CopiedFile> recorded)
      throws IOException {
    this.store = store;
    this.place = place;
    this.progress = progress;
    this.recorded = recorded;
    this.limits = new CopyLimits(options);
    this.attempts = new Attempts(options.attempts(), limits);
    this.transfer = new Transfer(store, limits);
    this.keepsTimes = store.traits(place).keepsTimes();
    this.wholeOrNothing = store.traits(place).wholeOrNothing();
  }

  Transfer transfer() {
    return transfer;
  }

  /**
   * A file to be copied.
   *
   * @param guard its checksum file, if that is copied with it
   * @param held its bytes, if they have been read already
   */
  record Item(CopySource source, Optional<Guard> guard, Optional<byte[]> held) {
    static Item of(CopySource source) {
      return new Item(source, Optional.empty(), Optional.empty());
    }
  }

  /**
   * Copies a file, unless it is there.
   *
   * @param there what is at its place
   * @throws SourceChangedException if it is gone or has another size than it was listed with
   */
  CopiedFile bring(Item item, Optional<StoreEntry> there) throws IOException {
    String path = item.source().path();
    Optional<StoreEntry> found = there;
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
        progress.retried();
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
    if (isRecorded(source, there)
        && (source.stored().isPresent()
            || known.file().sha256().equals(transfer.hash(source, Optional.empty())))) {
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
      Receipt receipt = store.writeLater(to, content, Optional.of(source.modified()));
      return done(source, sha256[0], receipt.tag(), receipt.verified());
    } catch (FileAlreadyExistsException exists) {
      // Perhaps this very write made it, and the answer was lost.
      Optional<StoreEntry> there = store.stat(to);
      if (there.filter(StoreEntry::isFile).isPresent()) {
        String hash = sha256[0] == null ? transfer.hash(source, Optional.empty()) : sha256[0];
        if (hash.equals(transfer.hash(to, source.size()))) {
          return done(source, hash, there.get().tag(), true);
        }
      }
      throw exists;
    }
  }

  /** Whether these very states of source and target are recorded as the same bytes. */
  boolean isRecorded(CopySource source, StoreEntry there) {
    CopiedFile known = recorded.get(source.path());
    return known != null
        && known.isOf(source)
        && known.isAt(there.size(), there.modified(), there.tag());
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
    if (!sameTag && !sha256.equals(transfer.hash(source, Optional.empty()))) {
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
