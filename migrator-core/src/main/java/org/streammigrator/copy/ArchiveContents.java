package org.streammigrator.copy;

import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.NoSuchFileException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.streammigrator.copy.Damage.Kind;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;

/**
 * What an archive holds, found from its index, so that only that is read which is asked for. An
 * archive of the first format has no index and is read from its beginning to its end.
 *
 * <p>Guarantees: whatever the bytes, a file that was given had the size and SHA-256 of the manifest
 * in the same archive. The closing checksum is not looked at.
 */
final class ArchiveContents implements Closeable {
  /** What is read of the end first: the index of most archives. */
  private static final int TAIL = 1 << 16;

  private static final int LARGEST_INDEX = 1 << 28;

  private final Store store;
  private final Location archive;
  private final ArchiveIndex index;
  private final long[] offsets;
  private final FrameCodec codec = new FrameCodec();
  private final Map<String, Manifest> manifests = new HashMap<>();

  private ArchiveContents(Store store, Location archive, ArchiveIndex index) {
    this.store = store;
    this.archive = archive;
    this.index = index;
    this.offsets = index == null ? new long[0] : index.offsets();
  }

  /**
   * Opens an archive.
   *
   * @throws NoSuchFileException if there is no such file
   * @throws DamagedException if its index is damaged or missing
   */
  static ArchiveContents open(Store store, Location archive) throws IOException {
    long size =
        store.stat(archive).orElseThrow(() -> new NoSuchFileException(archive.toString())).size();
    byte[] start;
    try (InputStream in = store.open(archive)) {
      start = in.readNBytes(Integer.BYTES);
    }
    if (!ArchiveFormat.isFramed(start)) {
      ArchiveContents whole = new ArchiveContents(store, archive, null);
      whole.readWhole();
      return whole;
    }
    try {
      return new ArchiveContents(store, archive, readIndex(store, archive, size));
    } catch (BrokenArchiveException broken) {
      throw damaged(archive, new Damage(broken.kind(), archive.name(), broken.getMessage()));
    }
  }

  private static ArchiveIndex readIndex(Store store, Location archive, long size)
      throws IOException {
    byte[] tail = bytes(store, archive, Math.max(0, size - TAIL), TAIL);
    int end = tail.length - ArchiveFormat.SEAL_LENGTH;
    int length = end < 0 ? -1 : ArchiveIndex.lengthBefore(tail, end);
    if (length < ArchiveFormat.SKIPPABLE_HEADER
        || length > LARGEST_INDEX
        || length > size - ArchiveFormat.SEAL_LENGTH) {
      throw new BrokenArchiveException(
          Kind.TRUNCATED, "the archive does not end with an index and a closing checksum");
    }
    byte[] frame = bytes(store, archive, size - ArchiveFormat.SEAL_LENGTH - length, length);
    byte[] content = new byte[Math.max(0, frame.length - ArchiveFormat.SKIPPABLE_HEADER)];
    System.arraycopy(frame, ArchiveFormat.SKIPPABLE_HEADER, content, 0, content.length);
    ArchiveIndex index = ArchiveIndex.of(content);
    long[] offsets = index.offsets();
    if (offsets[offsets.length - 1] != size - ArchiveFormat.SEAL_LENGTH - length) {
      throw new BrokenArchiveException(
          Kind.CHANGED, "the index tells another length of the archive than it has");
    }
    return index;
  }

  private static byte[] bytes(Store store, Location archive, long offset, int length)
      throws IOException {
    try (InputStream in = store.open(archive, offset)) {
      return in.readNBytes(length);
    }
  }

  /** Reads an archive without an index, and verifies all of it. */
  private void readWhole() throws IOException {
    ArchiveReader.Contents contents = ArchiveReader.read(store, archive, ArchiveReader.Sink.none());
    if (!contents.verification().ok()) {
      throw new DamagedException(archive, contents.verification());
    }
    manifests.putAll(contents.manifests());
  }

  /** Whether it has an index. Without one, all of it was verified already. */
  boolean isIndexed() {
    return index != null;
  }

  /** The names of the checkpoints, in their order; one empty name in an archive of one. */
  List<String> names() {
    return index == null
        ? List.copyOf(manifests.keySet())
        : index.checkpoints().stream().map(ArchiveIndex.Part::name).toList();
  }

  /**
   * The manifest of a checkpoint.
   *
   * @throws UnknownEntryException if there is no such checkpoint
   * @throws DamagedException if it cannot be read
   */
  Manifest manifest(String name) throws IOException {
    if (!names().contains(name)) {
      throw UnknownEntryException.ofCheckpoint(archive, name, names());
    }
    Manifest known = manifests.get(name);
    if (known != null) {
      return known;
    }
    ArchiveIndex.Part part = part(name);
    try {
      FramedTar tar = tar(part.manifestFrame());
      FramedTar.Entry entry = tar.next();
      String expected = ArchiveSource.manifestName(name);
      if (entry == null || !entry.name().equals(expected) || entry.size() > LARGEST_INDEX * 2L) {
        throw new BrokenArchiveException(
            Kind.CHANGED, "the index tells another place of the manifest than it has");
      }
      byte[] json = tar.content(entry.size()).readNBytes((int) entry.size());
      Manifest manifest = Manifest.readFrom(new ByteArrayInputStream(json));
      long entries = manifest.files().size() + (long) manifest.emptyDirectories().size();
      if (entries != part.entries()) {
        throw new BrokenArchiveException(
            Kind.CHANGED, "the index tells another number of files than the manifest");
      }
      manifests.put(name, manifest);
      return manifest;
    } catch (InvalidManifestException | BrokenArchiveException broken) {
      String where = ArchiveSource.manifestName(name);
      throw damaged(archive, new Damage(Kind.UNREADABLE, where, broken.getMessage()));
    }
  }

  private ArchiveIndex.Part part(String name) {
    return index.checkpoints().stream()
        .filter(part -> part.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  /**
   * Writes one file.
   *
   * @throws DamagedException if it is not as the manifest has it; what was written is worth nothing
   *     then
   */
  void copy(String name, ManifestFile file, OutputStream out) throws IOException {
    if (index == null) {
      copyFromWhole(name, file.path(), out);
      return;
    }
    List<Damage> damage = new ArrayList<>();
    read(name, file.path()::equals, (ignored, content) -> content.transferTo(out), damage);
    if (!damage.isEmpty()) {
      throw damaged(archive, damage.get(0));
    }
  }

  private void copyFromWhole(String name, String path, OutputStream out) throws IOException {
    ArchiveReader.read(
        store,
        archive,
        new ArchiveReader.Sink() {
          @Override
          public void file(String checkpoint, String at, Instant modified, InputStream content)
              throws IOException {
            if (checkpoint.equals(name) && at.equals(path)) {
              content.transferTo(out);
            }
          }

          @Override
          public void directory(String checkpoint, String at) {}
        });
  }

  /** Takes a file that is read. */
  @FunctionalInterface
  interface Visitor {
    void file(ManifestFile file, InputStream content) throws IOException;
  }

  /**
   * Reads files of a checkpoint and compares them with its manifest.
   *
   * @param wanted which, by path
   * @param damage what is wrong is added
   */
  void read(String name, Predicate<String> wanted, Visitor visitor, List<Damage> damage)
      throws IOException {
    for (Map.Entry<Integer, SortedMap<Integer, ManifestFile>> frame :
        byFrame(name, wanted).entrySet()) {
      List<ManifestFile> missing = new ArrayList<>(frame.getValue().values());
      try {
        readFrame(name, frame.getKey(), frame.getValue(), missing, visitor, damage);
      } catch (BrokenArchiveException broken) {
        for (ManifestFile file : missing) {
          String shown = ArchiveFindings.shown(name, file.path());
          damage.add(new Damage(broken.kind(), shown, broken.getMessage()));
        }
      }
    }
  }

  private void readFrame(
      String name,
      int frame,
      SortedMap<Integer, ManifestFile> files,
      List<ManifestFile> missing,
      Visitor visitor,
      List<Damage> damage)
      throws IOException {
    FramedTar tar = tar(frame);
    for (int at = 0; at <= files.lastKey(); at++) {
      FramedTar.Entry entry = tar.next();
      if (entry == null) {
        throw new BrokenArchiveException(Kind.TRUNCATED, "the tar ends too early");
      }
      ManifestFile file = files.get(at);
      if (file == null) {
        tar.skip(entry.size() + TarWriter.padding(entry.size()));
        continue;
      }
      HashingInputStream content = new HashingInputStream(tar.content(entry.size()));
      visitor.file(file, content);
      content.drain();
      tar.skip(TarWriter.padding(entry.size()));
      missing.remove(file);
      boolean right =
          entry.name().equals(ArchiveSource.prefix(name) + file.path())
              && content.count() == file.size()
              && content.sha256().equals(file.sha256())
              && entry.modified().equals(file.modified());
      if (!right) {
        String shown = ArchiveFindings.shown(name, file.path());
        damage.add(
            new Damage(
                Kind.CHANGED, shown, "the archive holds other bytes than its manifest says"));
      }
    }
  }

  /** The wanted files by the frame that they begin in and their place among its entries. */
  private Map<Integer, SortedMap<Integer, ManifestFile>> byFrame(
      String name, Predicate<String> wanted) throws IOException {
    Manifest manifest = manifest(name);
    SortedMap<String, ManifestFile> entries = new TreeMap<>();
    manifest.emptyDirectories().forEach(directory -> entries.put(directory, null));
    manifest.files().forEach(file -> entries.put(file.path(), file));
    Map<Integer, SortedMap<Integer, ManifestFile>> byFrame = new LinkedHashMap<>();
    long number = part(name).firstEntry();
    int frame = 0;
    long before = 0;
    for (Map.Entry<String, ManifestFile> entry : entries.entrySet()) {
      while (frame < index.frames().size()
          && number >= before + index.frames().get(frame).entries()) {
        before += index.frames().get(frame++).entries();
      }
      if (entry.getValue() != null && wanted.test(entry.getKey())) {
        byFrame
            .computeIfAbsent(frame, first -> new TreeMap<>())
            .put((int) (number - before), entry.getValue());
      }
      number++;
    }
    return byFrame;
  }

  /** The tar from the beginning of a frame on. */
  private FramedTar tar(int first) {
    int[] next = {first};
    return new FramedTar(() -> next[0] < index.frames().size() ? frame(next[0]++) : null);
  }

  private byte[] frame(int number) throws IOException {
    int length = index.frames().get(number).length();
    byte[] frame = bytes(store, archive, offsets[number] + ArchiveFormat.LENGTH_HEADER, length);
    if (frame.length < length) {
      throw new BrokenArchiveException(Kind.TRUNCATED, "the archive ends too early");
    }
    return codec.decompress(frame, ArchiveFormat.LARGEST_CONTENT);
  }

  static DamagedException damaged(Location archive, Damage damage) {
    return new DamagedException(archive, new Verification(0, 0, List.of(damage)));
  }

  @Override
  public void close() {
    codec.close();
  }
}
