package org.streammigrator.copy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PushbackInputStream;
import java.time.Instant;
import java.util.Map;
import org.streammigrator.copy.ArchiveStreams.StoreFailure;
import org.streammigrator.copy.Damage.Kind;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;

/**
 * Reads an archive once, from its first byte to its last, gives its files to a {@link Sink}, and
 * finds everything that is wrong with it.
 *
 * <p>Guarantees: no content makes it fail, the damage is in the result; names that would lead out
 * of the tree never reach the sink; memory grows with the number of entries, up to a limit, and not
 * with what their sizes claim.
 */
final class ArchiveReader {

  /** Takes the files of an archive; for several threads. */
  interface Sink {

    /**
     * Takes a file.
     *
     * @param checkpoint the name of its checkpoint; empty in an archive of one
     * @param content the bytes; what is not read is passed over
     */
    void file(String checkpoint, String path, Instant modified, InputStream content)
        throws IOException;

    /** Takes an empty directory. */
    void directory(String checkpoint, String path) throws IOException;

    /** Reads and forgets. */
    static Sink none() {
      return new Sink() {
        @Override
        public void file(String checkpoint, String path, Instant modified, InputStream content) {}

        @Override
        public void directory(String checkpoint, String path) {}
      };
    }
  }

  /**
   * An archive that was read.
   *
   * @param manifests those that could be read, by the name of their checkpoint
   * @param sha256 SHA-256 of the archive file
   */
  record Contents(Map<String, Manifest> manifests, String sha256, Verification verification) {}

  private ArchiveReader() {}

  /**
   * Reads an archive.
   *
   * @throws IOException if the archive cannot be opened, or the sink fails
   */
  static Contents read(Store store, Location archive, Sink sink) throws IOException {
    ArchiveFindings findings = new ArchiveFindings(archive.name());
    try (InputStream in = store.open(archive)) {
      SealedInputStream sealed = new SealedInputStream(new ArchiveStreams.Stored(in));
      try {
        PushbackInputStream peeked = new PushbackInputStream(sealed, Integer.BYTES);
        byte[] start = peeked.readNBytes(Integer.BYTES);
        peeked.unread(start);
        boolean tarEnded;
        boolean complete;
        long after = 0;
        if (ArchiveFormat.isFramed(start)) {
          FramedArchive framed = new FramedArchive(findings, sink);
          tarEnded = framed.read(peeked);
          complete = framed.isComplete();
          after = peeked.transferTo(OutputStream.nullOutputStream());
        } else {
          PlainArchive plain = new PlainArchive(findings, sink);
          tarEnded = plain.read(peeked);
          complete = plain.isComplete();
          after = plain.bytesAfter();
        }
        sealed.transferTo(OutputStream.nullOutputStream());
        if (complete) {
          checkEnd(findings, archive.name(), sealed, after);
        }
        findings.compare(tarEnded);
      } catch (StoreFailure unreadable) {
        throw unreadable.failure();
      }
      if (findings.isIntact() && !sealed.isIntact()) {
        findings.add(
            Kind.CHANGED, archive.name(), "the archive's bytes differ from its closing checksum");
      }
      return new Contents(findings.manifests(), sealed.sha256(), findings.verification());
    }
  }

  private static void checkEnd(
      ArchiveFindings findings, String archiveName, SealedInputStream sealed, long bytesAfter) {
    if (sealed.hasSeal() && bytesAfter == 0) {
      return;
    }
    if (sealed.hasSeal() || bytesAfter > ArchiveFormat.SEAL_LENGTH) {
      findings.add(
          Kind.ADDED, archiveName, "something stands after the end of the compressed data");
    } else if (bytesAfter < ArchiveFormat.SEAL_LENGTH) {
      findings.add(
          Kind.TRUNCATED, archiveName, "the archive ends before its closing checksum does");
    } else {
      findings.add(Kind.CHANGED, archiveName, "the closing checksum of the archive is damaged");
    }
  }
}
