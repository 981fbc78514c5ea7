package org.streammigrator.copy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.streammigrator.copy.ArchiveFindings.Place;
import org.streammigrator.copy.ArchiveReader.Sink;
import org.streammigrator.copy.ArchiveStreams.EntryContent;
import org.streammigrator.copy.ArchiveStreams.StoreFailure;
import org.streammigrator.copy.Damage.Kind;

/** Reads an archive of the first format: one zstd frame. */
final class PlainArchive {
  /** Also as block size: the reader passes over the rest of a block at the end. */
  private static final int RECORD = 512;

  private static final long MANIFEST_SLACK = 16L << 20;
  private static final long MANIFEST_BYTES_PER_ENTRY = 512;
  private static final long MAX_PADDING = 1 << 20;

  private final ArchiveFindings findings;
  private final Sink sink;
  private final byte[] passedOver = new byte[1 << 14];
  private boolean manifestSeen;
  private boolean tarEnded;
  private boolean complete;
  private long bytesAfter;
  private String current;

  PlainArchive(ArchiveFindings findings, Sink sink) {
    this.findings = findings;
    this.sink = sink;
  }

  /**
   * Reads everything.
   *
   * @return whether the tar ended as it should
   */
  boolean read(InputStream in) throws IOException {
    try (FrameInputStream frame = new FrameInputStream(in)) {
      readTar(frame);
      checkPadding(frame);
      bytesAfter = frame.bytesAfterFrame();
      complete = true;
    } catch (BrokenArchiveException broken) {
      findings.add(broken, current);
    }
    return tarEnded;
  }

  /** Whether the frame is there to its end and can be read. */
  boolean isComplete() {
    return complete;
  }

  /** The number of bytes after the frame, without a seal. */
  long bytesAfter() {
    return bytesAfter;
  }

  private void readTar(InputStream frame) throws IOException {
    HeaderBudgetInputStream budget = new HeaderBudgetInputStream(frame);
    TarArchiveInputStream tar =
        new TarArchiveInputStream(budget, RECORD, RECORD, StandardCharsets.UTF_8.name());
    EntryContent content = new EntryContent(tar);
    for (TarArchiveEntry entry = next(tar, budget); entry != null; entry = next(tar, budget)) {
      current = entry.getName();
      if (manifestSeen) {
        findings.add(
            Kind.ADDED, current, "this entry stands after the manifest, the last of an archive");
      }
      if (current.equals(ArchiveFormat.MANIFEST)) {
        readManifest(content);
      } else {
        readEntry(entry, content);
      }
      passOver(content);
    }
    current = null;
    tarEnded = true;
  }

  private static TarArchiveEntry next(TarArchiveInputStream tar, HeaderBudgetInputStream budget)
      throws IOException {
    budget.beginHeader();
    try {
      return tar.getNextEntry();
    } catch (StoreFailure | BrokenArchiveException known) {
      throw known;
    } catch (IOException | RuntimeException invalid) {
      throw new BrokenArchiveException(
          Kind.UNREADABLE, "a header of the tar is damaged (" + invalid.getMessage() + ")");
    } finally {
      budget.endHeader();
    }
  }

  private void readManifest(InputStream content) throws IOException {
    if (manifestSeen) {
      return;
    }
    manifestSeen = true;
    findings.beginManifest("");
    long limit =
        MANIFEST_SLACK + 8 * findings.pathBytes() + MANIFEST_BYTES_PER_ENTRY * findings.entries();
    try {
      findings.manifest("", Manifest.readFrom(new LimitedInputStream(content, limit)));
    } catch (InvalidManifestException invalid) {
      findings.add(Kind.UNREADABLE, ArchiveFormat.MANIFEST, invalid.getMessage());
    }
  }

  private void readEntry(TarArchiveEntry entry, EntryContent content) throws IOException {
    byte type = entry.getLinkFlag();
    boolean plain =
        type == TarConstants.LF_NORMAL
            || type == TarConstants.LF_OLDNORM
            || type == TarConstants.LF_DIR;
    if (!plain || entry.isSparse()) {
      findings.add(Kind.ADDED, current, "this entry is no plain file or directory, such as a link");
      return;
    }
    Optional<Place> place = findings.place(current, entry.isDirectory());
    if (place.isEmpty()) {
      return;
    }
    String path = place.get().path();
    if (entry.isDirectory()) {
      if (findings.isIntact()) {
        sink.directory(place.get().checkpoint(), path);
      }
      return;
    }
    Instant modified = entry.getLastModifiedTime().toInstant();
    HashingInputStream hashing = new HashingInputStream(content);
    if (findings.isIntact()) {
      give(place.get(), modified, hashing, content);
    }
    passOver(hashing);
    findings.file(
        place.get().checkpoint(),
        new ManifestFile(path, hashing.count(), hashing.sha256(), modified));
  }

  private void passOver(InputStream in) throws IOException {
    while (in.read(passedOver) >= 0) {}
  }

  private void give(Place place, Instant modified, InputStream hashing, EntryContent content)
      throws IOException {
    try {
      sink.file(place.checkpoint(), place.path(), modified, hashing);
    } catch (IOException failure) {
      content.rethrow();
      throw failure;
    }
  }

  private static void checkPadding(InputStream frame) throws IOException {
    byte[] buffer = new byte[8192];
    long count = 0;
    for (int read = frame.read(buffer); read >= 0; read = frame.read(buffer)) {
      count += read;
      for (int i = 0; i < read; i++) {
        if (buffer[i] != 0) {
          throw new BrokenArchiveException(Kind.ADDED, "something stands after the end of the tar");
        }
      }
      if (count > MAX_PADDING) {
        throw new BrokenArchiveException(Kind.ADDED, "the tar has too much padding at its end");
      }
    }
  }
}
