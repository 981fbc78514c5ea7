package org.streammigrator.copy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.streammigrator.copy.ArchivePacker.Entry;
import org.streammigrator.copy.ArchivePacker.Packed;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;

/**
 * Writes the bytes of an archive in one pass over its checkpoints, and reads them back before they
 * are written: every frame is decompressed and compared, its entries are read as a reader reads
 * them. What is left to do is to see whether the store gives the same bytes back.
 *
 * <p>Guarantees: every file is read once; the same trees and the same summaries give the same
 * bytes, whoever owns the files, whenever it happens and however many threads do it; an archive
 * with a manifest holds one state of each tree, because a tree that changed meanwhile ends in a
 * {@link SourceChangedException} before the manifest is written; memory is bounded by the number of
 * entries and a few frames.
 */
final class ArchiveWriter {
  private final Store store;
  private final List<ArchiveSource> sources;
  private final CopyProgress progress;
  private final Map<String, Manifest> manifests = new LinkedHashMap<>();
  private final List<ArchiveIndex.Frame> frames = new ArrayList<>();
  private final List<ArchiveIndex.Part> parts = new ArrayList<>();
  private final List<ManifestFile> files = new ArrayList<>();
  private HashingOutputStream out;
  private ArchivePacker packer;
  private OrderedWork<Packed> work;
  private String sha256;

  /**
   * Prepares a writer.
   *
   * @param progress told how far the packing is
   */
  ArchiveWriter(Store store, List<ArchiveSource> sources, CopyProgress progress) {
    this.store = store;
    this.sources = List.copyOf(sources);
    this.progress = progress;
  }

  /** Writes everything; does not close the stream. */
  void writeTo(OutputStream target) throws IOException {
    out = new HashingOutputStream(target);
    begin();
    try (FrameCodec codec = new FrameCodec();
        Workers workers = new Workers()) {
      packer = new ArchivePacker(store, codec);
      work = new OrderedWork<>(workers);
      List<List<ManifestFile>> filesOf = new ArrayList<>();
      for (ArchiveSource source : sources) {
        addEntries(source);
        writeAll();
        filesOf.add(List.copyOf(files));
        files.clear();
      }
      checkUnchanged();
      int entry = 0;
      for (int i = 0; i < sources.size(); i++) {
        addManifest(sources.get(i), filesOf.get(i), entry, i == sources.size() - 1);
        entry += filesOf.get(i).size() + sources.get(i).tree().listing().emptyDirectories().size();
        writeAll();
      }
    }
    out.write(new ArchiveIndex(ArchiveIndex.SCHEMA, frames, parts).toBytes());
    MessageDigest whole = out.snapshot();
    byte[] seal = ArchiveFormat.seal(out.snapshot().digest());
    whole.update(seal);
    out.write(seal);
    out.flush();
    sha256 = HexFormat.of().formatHex(whole.digest());
  }

  private void begin() {
    long count = 0;
    long bytes = 0;
    for (ArchiveSource source : sources) {
      for (Listing.Item file : source.tree().listing().files()) {
        count++;
        bytes += file.size();
      }
    }
    progress.began(CopyProgress.Phase.ARCHIVE, count, bytes);
  }

  /** The archive as it is at the place where it was written. */
  StoreEntry entry(Location archive) {
    return new StoreEntry(archive, StoreEntry.Kind.FILE, out.count(), Instant.EPOCH);
  }

  /** What was written, by the checkpoint's name in the archive. */
  Map<String, Manifest> manifests() {
    return manifests;
  }

  /** SHA-256 of what was written. */
  String sha256() {
    return sha256;
  }

  private void addEntries(ArchiveSource source) throws IOException {
    List<Entry> group = new ArrayList<>();
    long room = 0;
    for (Entry entry : entries(source.tree().listing())) {
      if (!group.isEmpty() && room + entry.room() > ArchiveFormat.FRAME_CONTENT) {
        addGroup(source, List.copyOf(group));
        group.clear();
        room = 0;
      }
      if (entry.room() > ArchiveFormat.FRAME_CONTENT) {
        addLarge(source, entry.file());
      } else {
        group.add(entry);
        room += entry.room();
      }
    }
    if (!group.isEmpty()) {
      addGroup(source, List.copyOf(group));
    }
  }

  private static List<Entry> entries(Listing listing) {
    List<Entry> entries = new ArrayList<>(listing.files().size());
    List<String> directories = listing.emptyDirectories();
    int next = 0;
    for (Listing.Item file : listing.files()) {
      while (next < directories.size() && directories.get(next).compareTo(file.path()) < 0) {
        entries.add(new Entry(directories.get(next++), null));
      }
      entries.add(new Entry(file.path(), file));
    }
    while (next < directories.size()) {
      entries.add(new Entry(directories.get(next++), null));
    }
    return entries;
  }

  private void addGroup(ArchiveSource source, List<Entry> group) throws IOException {
    makeRoom();
    work.add(() -> packer.pack(source, group));
  }

  /** A file that fills more than one frame: read here, one frame's bytes after the other. */
  private void addLarge(ArchiveSource source, Listing.Item file) throws IOException {
    ByteArrayOutputStream header = new ByteArrayOutputStream();
    new TarWriter(header)
        .beginFile(ArchiveSource.prefix(source.name()) + file.path(), file.size(), file.modified());
    MessageDigest digest = Sha256.digest();
    byte[] before = header.toByteArray();
    ArchivePacker.checkEntry(
        FramedTar.of(before).next(), ArchiveSource.prefix(source.name()) + file.path(), file);
    long left = file.size();
    try (InputStream in = packer.open(source, file)) {
      for (boolean first = true; left > 0; first = false) {
        int length = (int) Math.min(left, ArchiveFormat.FRAME_CONTENT);
        left -= length;
        int padding = left == 0 ? TarWriter.padding(file.size()) : 0;
        byte[] content = new byte[before.length + length + padding];
        System.arraycopy(before, 0, content, 0, before.length);
        int read = in.readNBytes(content, before.length, length);
        if (read < length) {
          ArchivePacker.checkSize(source, file, file.size() - left - length + read);
        }
        digest.update(content, before.length, length);
        before = new byte[0];
        List<ManifestFile> ended = List.of();
        if (left == 0) {
          ArchivePacker.checkSize(source, file, file.size() + (in.read() < 0 ? 0 : 1));
          ended = List.of(listed(file, digest));
        }
        add(content, first ? 1 : 0, ended, length);
      }
    }
  }

  private static ManifestFile listed(Listing.Item file, MessageDigest digest) {
    return new ManifestFile(file.path(), file.size(), Sha256.hex(digest), file.modified());
  }

  private void add(byte[] content, int entries, List<ManifestFile> ended, long moved)
      throws IOException {
    makeRoom();
    work.add(() -> packer.pack(content, content.length, entries, ended, moved));
  }

  private void makeRoom() throws IOException {
    while (work.isFull()) {
      write(work.next());
    }
  }

  private void writeAll() throws IOException {
    while (!work.isEmpty()) {
      write(work.next());
    }
  }

  private void write(Packed packed) throws IOException {
    FrameCodec.Frame frame = packed.frame();
    out.write(frame.bytes(), 0, frame.length());
    frames.add(
        new ArchiveIndex.Frame(
            frame.length() - ArchiveFormat.LENGTH_HEADER, packed.content(), packed.entries()));
    files.addAll(packed.files());
    progress.moved(packed.moved());
    progress.done(packed.files().size());
  }

  private void checkUnchanged() throws IOException {
    for (ArchiveSource source : sources) {
      if (!Listing.of(store, source.tree().root()).equals(source.tree().listing())) {
        throw new SourceChangedException(source.tree().root() + " changed while it was archived");
      }
    }
  }

  private void addManifest(
      ArchiveSource source, List<ManifestFile> listed, int firstEntry, boolean last)
      throws IOException {
    Listing listing = source.tree().listing();
    Manifest manifest =
        new Manifest(
            ToolVersion.CURRENT,
            source.tree().root().toString(),
            source.summary(),
            listed,
            listing.emptyDirectories());
    ByteArrayOutputStream json = new ByteArrayOutputStream();
    manifest.writeTo(json);
    parts.add(
        new ArchiveIndex.Part(
            source.name(),
            manifest.checkpoint(),
            source.summary().queryId(),
            source.summary().lastCommitted(),
            listed.size(),
            manifest.bytes(),
            firstEntry,
            listed.size() + listing.emptyDirectories().size(),
            frames.size()));
    manifests.put(source.name(), manifest);
    ArchivePacker.Bytes bytes = new ArchivePacker.Bytes(json.size() + 4096);
    TarWriter tar = new TarWriter(bytes);
    tar.beginFile(ArchiveSource.manifestName(source.name()), json.size(), Instant.EPOCH);
    tar.write(json.toByteArray(), 0, json.size());
    tar.end();
    if (last) {
      tar.finish();
    }
    byte[] all = bytes.toByteArray();
    for (int start = 0; start < all.length; start += ArchiveFormat.FRAME_CONTENT) {
      int end = Math.min(all.length, start + ArchiveFormat.FRAME_CONTENT);
      byte[] piece = Arrays.copyOfRange(all, start, end);
      add(piece, start == 0 ? 1 : 0, List.of(), 0);
    }
  }
}
