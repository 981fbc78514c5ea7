package org.streammigrator.copy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.streammigrator.copy.ArchiveStreams.EntryContent;
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
  /** Also as block size: the reader passes over the rest of a block at the end. */
  private static final int RECORD = 512;

  private static final int MAX_ENTRIES = 2_000_000;
  private static final long MANIFEST_SLACK = 16L << 20;
  private static final long MANIFEST_BYTES_PER_ENTRY = 512;
  private static final long MAX_PADDING = 1 << 20;

  /** Takes the files of an archive, in the archive's order. */
  interface Sink {

    /**
     * Takes a file.
     *
     * @param content the bytes; what is not read is passed over
     */
    void file(String path, Instant modified, InputStream content) throws IOException;

    /** Takes an empty directory. */
    void directory(String path) throws IOException;

    /** Reads and forgets. */
    static Sink none() {
      return new Sink() {
        @Override
        public void file(String path, Instant modified, InputStream content) {}

        @Override
        public void directory(String path) {}
      };
    }
  }

  /**
   * An archive that was read.
   *
   * @param manifest empty if it could not be read
   * @param sha256 SHA-256 of the archive file
   */
  record Contents(Optional<Manifest> manifest, String sha256, Verification verification) {}

  private final String archiveName;
  private final Sink sink;
  private final List<Damage> damage = new ArrayList<>();
  private final Map<String, ManifestFile> files = new HashMap<>();
  private final Set<String> directories = new HashSet<>();
  private final Set<String> parents = new HashSet<>();
  private final byte[] passedOver = new byte[1 << 14];
  private long pathBytes;
  private long bytes;
  private Manifest manifest;
  private boolean manifestSeen;
  private boolean tarEnded;
  private String current;

  private ArchiveReader(String archiveName, Sink sink) {
    this.archiveName = archiveName;
    this.sink = sink;
  }

  /**
   * Reads an archive.
   *
   * @throws IOException if the archive cannot be opened, or the sink fails
   */
  static Contents read(Store store, Location archive, Sink sink) throws IOException {
    try (InputStream in = store.open(archive)) {
      return new ArchiveReader(archive.name(), sink).read(in);
    }
  }

  private Contents read(InputStream in) throws IOException {
    SealedInputStream sealed = new SealedInputStream(new ArchiveStreams.Stored(in));
    try {
      readSealed(sealed);
      sealed.transferTo(OutputStream.nullOutputStream());
    } catch (StoreFailure unreadable) {
      throw unreadable.failure();
    }
    if (manifest != null) {
      damage.addAll(Comparison.differences(manifest, files, directories, true));
    } else if (!manifestSeen && tarEnded) {
      add(Kind.MISSING, ArchiveFormat.MANIFEST, "the archive has no manifest");
    }
    if (damage.isEmpty() && !sealed.isIntact()) {
      add(Kind.CHANGED, archiveName, "the archive's bytes differ from its closing checksum");
    }
    return new Contents(
        Optional.ofNullable(manifest),
        sealed.sha256(),
        new Verification(files.size(), bytes, damage));
  }

  private void readSealed(SealedInputStream sealed) throws IOException {
    try (FrameInputStream frame = new FrameInputStream(sealed)) {
      readTar(frame);
      checkPadding(frame);
      checkEnd(sealed, frame.bytesAfterFrame());
    } catch (BrokenArchiveException broken) {
      damage.add(broken(broken));
    }
  }

  private void readTar(InputStream frame) throws IOException {
    HeaderBudgetInputStream budget = new HeaderBudgetInputStream(frame);
    TarArchiveInputStream tar =
        new TarArchiveInputStream(budget, RECORD, RECORD, StandardCharsets.UTF_8.name());
    EntryContent content = new EntryContent(tar);
    for (TarArchiveEntry entry = next(tar, budget); entry != null; entry = next(tar, budget)) {
      current = entry.getName();
      if (manifestSeen) {
        add(Kind.ADDED, current, "this entry stands after the manifest, the last of an archive");
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
    long limit =
        MANIFEST_SLACK
            + 8 * pathBytes
            + MANIFEST_BYTES_PER_ENTRY * (files.size() + directories.size());
    try {
      manifest = Manifest.readFrom(new LimitedInputStream(content, limit));
    } catch (InvalidManifestException invalid) {
      add(Kind.UNREADABLE, ArchiveFormat.MANIFEST, invalid.getMessage());
    }
  }

  private void readEntry(TarArchiveEntry entry, EntryContent content) throws IOException {
    boolean directory = entry.isDirectory();
    Optional<String> problem = problem(entry);
    if (problem.isPresent()) {
      add(Kind.ADDED, current, problem.get());
      return;
    }
    String path = path(current);
    if (files.containsKey(path) || directories.contains(path)) {
      add(Kind.ADDED, path, "the archive holds this name twice");
      return;
    }
    if ((!directory && parents.contains(path)) || isBelowFile(path)) {
      add(Kind.ADDED, path, "the archive holds this name both as a file and as a directory");
      return;
    }
    if (files.size() + directories.size() >= MAX_ENTRIES) {
      throw new BrokenArchiveException(
          Kind.UNREADABLE, "the archive holds more than " + MAX_ENTRIES + " entries");
    }
    remember(path);
    if (directory) {
      directories.add(path);
      if (damage.isEmpty()) {
        sink.directory(path);
      }
      return;
    }
    Instant modified = entry.getLastModifiedTime().toInstant();
    HashingInputStream hashing = new HashingInputStream(content);
    if (damage.isEmpty()) {
      give(path, modified, hashing, content);
    }
    passOver(hashing);
    bytes += hashing.count();
    files.put(path, new ManifestFile(path, hashing.count(), hashing.sha256(), modified));
  }

  private void passOver(InputStream in) throws IOException {
    while (in.read(passedOver) >= 0) {}
  }

  private void give(String path, Instant modified, InputStream hashing, EntryContent content)
      throws IOException {
    try {
      sink.file(path, modified, hashing);
    } catch (IOException failure) {
      content.rethrow();
      throw failure;
    }
  }

  private static Optional<String> problem(TarArchiveEntry entry) {
    String name = entry.getName();
    byte type = entry.getLinkFlag();
    boolean plain =
        type == TarConstants.LF_NORMAL
            || type == TarConstants.LF_OLDNORM
            || type == TarConstants.LF_DIR;
    if (!plain || entry.isSparse()) {
      return Optional.of("this entry is no plain file or directory, such as a link");
    }
    Optional<String> wrongName = RelativePaths.problem(path(name));
    if (wrongName.isPresent()) {
      return wrongName;
    }
    if (!name.startsWith(ArchiveFormat.FILES)) {
      return Optional.of(
          "this entry stands outside of '"
              + ArchiveFormat.FILES
              + "', where an archive has its files");
    }
    return Optional.empty();
  }

  private static String path(String name) {
    String path =
        name.startsWith(ArchiveFormat.FILES) ? name.substring(ArchiveFormat.FILES.length()) : name;
    return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
  }

  private void remember(String path) {
    pathBytes += path.length();
    for (int slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
      parents.add(path.substring(0, slash));
    }
  }

  private boolean isBelowFile(String path) {
    for (int slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
      if (files.containsKey(path.substring(0, slash))) {
        return true;
      }
    }
    return false;
  }

  private void checkPadding(InputStream frame) throws IOException {
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

  private void checkEnd(SealedInputStream sealed, long bytesAfterFrame) {
    if (sealed.hasSeal() && bytesAfterFrame == 0) {
      return;
    }
    if (sealed.hasSeal() || bytesAfterFrame > ArchiveFormat.SEAL_LENGTH) {
      add(Kind.ADDED, archiveName, "something stands after the end of the compressed data");
    } else if (bytesAfterFrame < ArchiveFormat.SEAL_LENGTH) {
      add(Kind.TRUNCATED, archiveName, "the archive ends before its closing checksum does");
    } else {
      add(Kind.CHANGED, archiveName, "the closing checksum of the archive is damaged");
    }
  }

  private Damage broken(BrokenArchiveException broken) {
    String place =
        current == null
            ? ""
            : " in or after '" + current + "'; " + files.size() + " files before it were read";
    return new Damage(
        broken.kind(), current == null ? archiveName : path(current), broken.getMessage() + place);
  }

  private void add(Kind kind, String path, String message) {
    damage.add(new Damage(kind, path, message));
  }
}
