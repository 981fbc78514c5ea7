package org.streammigrator.copy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.NoSuchFileException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;

/** Reads files, hashes them, and packs them into the frames of an archive. For several threads. */
final class ArchivePacker {

  /**
   * A frame, ready to be written.
   *
   * @param content the number of bytes of the tar in it
   * @param entries how many tar entries begin in it
   * @param files what the manifest says of the files that end in it
   * @param moved the number of bytes of files in it
   */
  record Packed(
      FrameCodec.Frame frame, int content, int entries, List<ManifestFile> files, long moved) {}

  /** A tar entry to be: a file, or an empty directory if the item is null. */
  record Entry(String path, Listing.Item file) {

    /** The bytes of the tar that it takes, roughly: frames end by this. */
    long room() {
      return 3L * 512 + (file == null ? 0 : file.size());
    }
  }

  private final Store store;
  private final FrameCodec codec;

  ArchivePacker(Store store, FrameCodec codec) {
    this.store = store;
    this.codec = codec;
  }

  /** Packs whole entries of one checkpoint into one frame. */
  Packed pack(ArchiveSource source, List<Entry> entries) throws IOException {
    String prefix = ArchiveSource.prefix(source.name());
    Bytes bytes = new Bytes(ArchiveFormat.FRAME_CONTENT + (ArchiveFormat.FRAME_CONTENT >> 2));
    TarWriter tar = new TarWriter(bytes);
    List<ManifestFile> files = new ArrayList<>(entries.size());
    MessageDigest digest = Sha256.digest();
    byte[] buffer = new byte[1 << 14];
    for (Entry entry : entries) {
      if (entry.file() == null) {
        tar.directory(prefix + entry.path());
        continue;
      }
      Listing.Item item = entry.file();
      int size = Math.toIntExact(item.size());
      if (buffer.length <= size) {
        buffer = new byte[size + 1];
      }
      tar.beginFile(prefix + item.path(), size, item.modified());
      try (InputStream in = open(source, item)) {
        checkSize(source, item, in.readNBytes(buffer, 0, size + 1));
      }
      digest.update(buffer, 0, size);
      tar.write(buffer, 0, size);
      tar.end();
      files.add(
          new ManifestFile(
              item.path(), size, HexFormat.of().formatHex(digest.digest()), item.modified()));
    }
    long moved = files.stream().mapToLong(ManifestFile::size).sum();
    FrameCodec.Frame frame = codec.compress(bytes.array(), bytes.size());
    checkEntries(codec.readBack(frame, bytes.array(), bytes.size()), prefix, entries);
    return new Packed(frame, bytes.size(), entries.size(), files, moved);
  }

  /** Packs bytes of the tar. */
  Packed pack(byte[] content, int length, int entries, List<ManifestFile> files, long moved)
      throws IOException {
    FrameCodec.Frame frame = codec.compress(content, length);
    codec.readBack(frame, content, length);
    return new Packed(frame, length, entries, files, moved);
  }

  /** Reads the entries of a frame as they are read of an archive, and compares. */
  private static void checkEntries(byte[] content, String prefix, List<Entry> entries)
      throws IOException {
    FramedTar tar = FramedTar.of(content);
    for (Entry expected : entries) {
      checkEntry(tar.next(), prefix + expected.path(), expected.file());
      long size = expected.file() == null ? 0 : expected.file().size();
      tar.skip(size + TarWriter.padding(size));
    }
    if (tar.hasMore()) {
      throw new IOException("a frame holds more than its files");
    }
  }

  /**
   * Compares an entry that was read with what it was made of.
   *
   * @param file null for an empty directory
   */
  static void checkEntry(FramedTar.Entry read, String name, Listing.Item file) throws IOException {
    boolean right =
        file == null
            ? read.directory() && read.name().equals(name + "/") && read.size() == 0
            : read.type() == '0'
                && read.name().equals(name)
                && read.size() == file.size()
                && read.modified().equals(file.modified());
    if (!right) {
      throw new IOException("the header of " + name + " reads as something else");
    }
  }

  /** Opens a file that was listed. */
  InputStream open(ArchiveSource source, Listing.Item file) throws IOException {
    Location root = source.tree().root();
    try {
      return store.open(root.child(file.path()));
    } catch (NoSuchFileException gone) {
      if (file.path().indexOf('\uFFFD') >= 0) {
        // What Java puts for bytes of a name that it cannot decode, and then cannot find.
        throw new UnreadableSourceException(root.toString(), List.of(file.path()));
      }
      throw new SourceChangedException(
          root.child(file.path()) + " was deleted while the tree was archived", gone);
    }
  }

  /**
   * Fails if a file has another size than it was listed with.
   *
   * @param read the number of bytes that could be read, at most one more than listed
   */
  static void checkSize(ArchiveSource source, Listing.Item file, long read)
      throws SourceChangedException {
    if (read != file.size()) {
      throw new SourceChangedException(
          source.tree().root().child(file.path())
              + " has "
              + (read > file.size() ? "more" : "fewer")
              + " than the "
              + file.size()
              + " bytes it was listed with: it changed while it was archived");
    }
  }

  /** Bytes in memory, given without a copy. */
  static final class Bytes extends ByteArrayOutputStream {
    Bytes(int size) {
      super(size);
    }

    byte[] array() {
      return buf;
    }
  }
}
