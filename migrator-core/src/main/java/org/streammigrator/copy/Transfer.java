package org.streammigrator.copy;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.NoSuchFileException;
import java.security.MessageDigest;
import java.util.Optional;
import org.streammigrator.checkpoint.HadoopCrc;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;

/**
 * Bytes on their way: read once, hashed, compared with their checksum file if they have one, and no
 * faster than is allowed. For any number of threads.
 */
final class Transfer {
  /** Files up to this size, in bytes, are held in memory while they are copied. */
  static final int SMALL = 1 << 18;

  private static final int BUFFER = 1 << 17;
  private static final ThreadLocal<byte[]> BUFFERS =
      ThreadLocal.withInitial(() -> new byte[BUFFER]);

  private final Store store;
  private final CopyLimits limits;

  Transfer(Store store, CopyLimits limits) {
    this.store = store;
    this.limits = limits;
  }

  /** SHA-256 of a file of about the given size. */
  String hash(Location file, long size) throws IOException {
    limits.request();
    if (size <= SMALL) {
      byte[] bytes = store.readAll(file);
      limits.bytes(bytes.length);
      return Sha256.hex(bytes);
    }
    MessageDigest digest = Sha256.digest();
    byte[] buffer = BUFFERS.get();
    try (InputStream in = store.open(file)) {
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        limits.bytes(read);
        digest.update(buffer, 0, read);
      }
    }
    return Sha256.hex(digest);
  }

  /** SHA-256 of the bytes that a source gives. */
  String hash(CopySource source, Optional<Guard> guard) throws IOException {
    return isHeld(source)
        ? Sha256.hex(read(source, guard))
        : send(source, OutputStream.nullOutputStream(), guard);
  }

  /** Whether a source is read at once and not as a stream. */
  static boolean isHeld(CopySource source) {
    return source.stored().isPresent() && source.size() <= SMALL;
  }

  /** The bytes of a stored file. */
  byte[] read(CopySource source, Optional<Guard> guard) throws IOException {
    StoreEntry stored = source.stored().orElseThrow();
    limits.request();
    byte[] bytes;
    try {
      bytes = store.readAll(stored.location());
    } catch (NoSuchFileException gone) {
      throw gone(source, gone);
    }
    limits.bytes(bytes.length);
    requireSize(source, bytes.length);
    if (guard.isPresent()) {
      HadoopCrc.Check check = guard.get().begin();
      check.update(bytes, 0, bytes.length);
      guard.get().end(check);
    }
    return bytes;
  }

  /** Writes the bytes that a source gives, and says their SHA-256. */
  String send(CopySource source, OutputStream out, Optional<Guard> guard) throws IOException {
    Metered metered = new Metered(out, guard.map(Guard::begin));
    limits.request();
    try {
      source.content(store).writeTo(metered);
      metered.flush();
    } catch (NoSuchFileException gone) {
      throw gone(source, gone);
    }
    requireSize(source, metered.count);
    guard.ifPresent(known -> known.end(metered.check.orElseThrow()));
    return Sha256.hex(metered.digest);
  }

  private static SourceChangedException gone(CopySource source, NoSuchFileException gone) {
    return new SourceChangedException(
        "the file for " + source.path() + " was deleted while it was copied", gone);
  }

  private static void requireSize(CopySource source, long count) throws IOException {
    if (count != source.size()) {
      throw new SourceChangedException(
          "the file for "
              + source.path()
              + " changed its size from "
              + source.size()
              + " to "
              + count
              + " bytes while it was copied");
    }
  }

  /** Counts and hashes what goes through. */
  private final class Metered extends FilterOutputStream {
    private final MessageDigest digest = Sha256.digest();
    private final Optional<HadoopCrc.Check> check;
    private long count;

    private Metered(OutputStream out, Optional<HadoopCrc.Check> check) {
      super(out);
      this.check = check;
    }

    @Override
    public void write(int value) throws IOException {
      write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      limits.bytes(length);
      digest.update(bytes, offset, length);
      if (check.isPresent()) {
        check.get().update(bytes, offset, length);
      }
      out.write(bytes, offset, length);
      count += length;
    }
  }
}
