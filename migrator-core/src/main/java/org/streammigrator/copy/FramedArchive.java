package org.streammigrator.copy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Future;
import org.streammigrator.copy.ArchiveFindings.Place;
import org.streammigrator.copy.ArchiveReader.Sink;
import org.streammigrator.copy.Damage.Kind;

/**
 * Reads the frames of an archive from the first to the last: several threads decompress, hash and
 * give to the sink, while one goes through the tar.
 */
final class FramedArchive {
  private static final long MANIFEST_SLACK = 16L << 20;
  private static final long MANIFEST_BYTES_PER_ENTRY = 512;

  private final ArchiveFindings findings;
  private final Sink sink;
  private final List<Integer> entriesOf = new ArrayList<>();
  private final Deque<Future<List<Read>>> hashing = new ArrayDeque<>();
  private List<Small> batch = new ArrayList<>();
  private FrameSource source;
  private FramedTar tar;
  private Workers workers;
  private String current;
  private boolean manifestSeen;
  private boolean tarEnded;
  private boolean complete;

  /** A file that lies in one frame. */
  private record Small(Place place, Instant modified, byte[] frame, int offset, int size) {}

  /** A file that was read. */
  private record Read(String checkpoint, ManifestFile file) {}

  FramedArchive(ArchiveFindings findings, Sink sink) {
    this.findings = findings;
    this.sink = sink;
  }

  /**
   * Reads frames and index, and leaves the stream behind them.
   *
   * @return whether the tar ended as it should
   */
  boolean read(InputStream in) throws IOException {
    try (FrameCodec codec = new FrameCodec();
        Workers all = new Workers()) {
      workers = all;
      source = new FrameSource(in, codec, workers);
      tar = new FramedTar(this::nextFrame);
      try {
        readEntries();
        current = null;
        tarEnded = true;
        if (tar.hasMore()) {
          throw new BrokenArchiveException(Kind.ADDED, "something stands after the end of the tar");
        }
        finishBatches();
        checkIndex();
        complete = true;
      } catch (BrokenArchiveException broken) {
        finishBatches();
        findings.add(broken, current);
      }
    }
    return tarEnded;
  }

  /** Whether everything up to the end of the index is there and can be read. */
  boolean isComplete() {
    return complete;
  }

  private byte[] nextFrame() throws IOException {
    flushBatch();
    byte[] frame = source.next();
    if (frame != null) {
      entriesOf.add(0);
    }
    return frame;
  }

  private void readEntries() throws IOException {
    while (true) {
      tar.hasMore();
      int begins = source.given();
      FramedTar.Entry entry = tar.next();
      if (entry == null) {
        return;
      }
      entriesOf.set(begins, entriesOf.get(begins) + 1);
      current = entry.name();
      Optional<String> manifestOf =
          entry.type() != '0' ? Optional.empty() : ArchiveFindings.manifestOf(current);
      if (manifestSeen && manifestOf.isEmpty()) {
        findings.add(
            Kind.ADDED, current, "this entry stands after the manifest, the last of an archive");
      }
      if (manifestOf.isPresent()) {
        readManifest(manifestOf.get(), entry.size());
      } else {
        readEntry(entry);
      }
    }
  }

  private void readEntry(FramedTar.Entry entry) throws IOException {
    long padded = entry.size() + TarWriter.padding(entry.size());
    if (entry.isOdd()) {
      findings.add(Kind.ADDED, current, "this entry is no plain file or directory, such as a link");
    }
    Optional<Place> place =
        entry.isOdd() ? Optional.empty() : findings.place(entry.name(), entry.directory());
    if (place.isEmpty()) {
      tar.skip(padded);
      return;
    }
    if (entry.directory()) {
      tar.skip(padded);
      if (findings.isIntact()) {
        sink.directory(place.get().checkpoint(), place.get().path());
      }
    } else if (tar.isInFrame(entry.size())) {
      batch.add(
          new Small(
              place.get(), entry.modified(), tar.frame(), tar.position(), (int) entry.size()));
      tar.skip(padded);
    } else {
      readLarge(place.get(), entry);
    }
  }

  private void readLarge(Place place, FramedTar.Entry entry) throws IOException {
    HashingInputStream content = new HashingInputStream(tar.content(entry.size()));
    if (findings.isIntact()) {
      sink.file(place.checkpoint(), place.path(), entry.modified(), content);
    }
    content.drain();
    tar.skip(TarWriter.padding(entry.size()));
    findings.file(
        place.checkpoint(),
        new ManifestFile(place.path(), entry.size(), content.sha256(), entry.modified()));
  }

  private void readManifest(String checkpoint, long size) throws IOException {
    manifestSeen = true;
    if (!findings.beginManifest(checkpoint)) {
      findings.add(Kind.ADDED, current, "the archive holds this name twice");
      tar.skip(size + TarWriter.padding(size));
      return;
    }
    long limit =
        MANIFEST_SLACK + 8 * findings.pathBytes() + MANIFEST_BYTES_PER_ENTRY * findings.entries();
    if (size > Math.min(limit, Integer.MAX_VALUE - 8)) {
      findings.add(Kind.UNREADABLE, current, "the manifest is larger than its archive can need");
      tar.skip(size + TarWriter.padding(size));
      return;
    }
    byte[] json = tar.content(size).readNBytes((int) size);
    tar.skip(TarWriter.padding(size));
    try {
      findings.manifest(checkpoint, Manifest.readFrom(new ByteArrayInputStream(json)));
    } catch (InvalidManifestException invalid) {
      findings.add(Kind.UNREADABLE, current, invalid.getMessage());
    }
  }

  private void flushBatch() throws IOException {
    if (batch.isEmpty()) {
      return;
    }
    List<Small> files = batch;
    batch = new ArrayList<>();
    boolean wanted = findings.isIntact();
    while (hashing.size() >= workers.ahead()) {
      collect(Workers.result(hashing.remove()));
    }
    hashing.add(workers.start(() -> hash(files, wanted)));
  }

  private List<Read> hash(List<Small> files, boolean wanted) throws IOException {
    MessageDigest digest = Sha256.digest();
    List<Read> read = new ArrayList<>(files.size());
    for (Small file : files) {
      digest.update(file.frame(), file.offset(), file.size());
      String sha256 = HexFormat.of().formatHex(digest.digest());
      if (wanted) {
        sink.file(
            file.place().checkpoint(),
            file.place().path(),
            file.modified(),
            new ByteArrayInputStream(file.frame(), file.offset(), file.size()));
      }
      read.add(
          new Read(
              file.place().checkpoint(),
              new ManifestFile(file.place().path(), file.size(), sha256, file.modified())));
    }
    return read;
  }

  private void finishBatches() throws IOException {
    flushBatch();
    while (!hashing.isEmpty()) {
      collect(Workers.result(hashing.remove()));
    }
  }

  private void collect(List<Read> read) {
    for (Read each : read) {
      findings.file(each.checkpoint(), each.file());
    }
  }

  private void checkIndex() throws BrokenArchiveException {
    ArchiveIndex index = ArchiveIndex.of(source.index());
    List<ArchiveIndex.Frame> found = new ArrayList<>();
    for (int i = 0; i < source.frames().size(); i++) {
      ArchiveIndex.Frame frame = source.frames().get(i);
      found.add(new ArchiveIndex.Frame(frame.length(), frame.content(), entriesOf.get(i)));
    }
    if (!index.frames().equals(found)) {
      throw new BrokenArchiveException(
          Kind.CHANGED, "the index tells other places of the files than they have");
    }
  }
}
