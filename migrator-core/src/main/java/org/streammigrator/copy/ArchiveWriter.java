package org.streammigrator.copy;

import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.NoSuchFileException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;

/**
 * Writes the bytes of an archive in one pass over a tree.
 *
 * <p>Guarantees: every file is read once; the same tree and the same summary give the same bytes,
 * whoever owns the files and whenever it happens; an archive with a manifest holds one state of the
 * tree, because a tree that changed meanwhile ends in a {@link SourceChangedException} before the
 * manifest is written.
 */
final class ArchiveWriter {
  private final Store store;
  private final Location root;
  private final Listing listing;
  private final CheckpointSummary summary;
  private final byte[] buffer = new byte[1 << 16];
  private Manifest manifest;
  private String sha256;

  ArchiveWriter(Store store, Location root, Listing listing, CheckpointSummary summary) {
    this.store = store;
    this.root = root;
    this.listing = listing;
    this.summary = summary;
  }

  /** Writes everything; does not close the stream. */
  void writeTo(OutputStream out) throws IOException {
    HashingOutputStream whole = new HashingOutputStream(out);
    HashingOutputStream sealed = new HashingOutputStream(whole);
    try (ZstdOutputStreamNoFinalizer zstd =
        new ZstdOutputStreamNoFinalizer(sealed, ArchiveFormat.LEVEL)) {
      zstd.setChecksum(true);
      TarWriter tar = new TarWriter(new BufferedOutputStream(zstd, 1 << 16));
      writeTar(tar);
      tar.finish();
    }
    whole.write(ArchiveFormat.seal(sealed.snapshot().digest()));
    whole.flush();
    sha256 = whole.sha256();
  }

  /** What was written. */
  Manifest manifest() {
    return manifest;
  }

  /** SHA-256 of what was written. */
  String sha256() {
    return sha256;
  }

  private void writeTar(TarWriter tar) throws IOException {
    List<ManifestFile> files = new ArrayList<>();
    List<String> directories = listing.emptyDirectories();
    int nextDirectory = 0;
    for (Listing.Item file : listing.files()) {
      while (nextDirectory < directories.size()
          && directories.get(nextDirectory).compareTo(file.path()) < 0) {
        tar.directory(ArchiveFormat.FILES + directories.get(nextDirectory++));
      }
      files.add(writeFile(tar, file));
    }
    while (nextDirectory < directories.size()) {
      tar.directory(ArchiveFormat.FILES + directories.get(nextDirectory++));
    }
    if (!Listing.of(store, root).equals(listing)) {
      throw new SourceChangedException(root + " changed while it was archived");
    }
    manifest = new Manifest(ToolVersion.CURRENT, root.toString(), summary, files, directories);
    ByteArrayOutputStream json = new ByteArrayOutputStream();
    manifest.writeTo(json);
    tar.beginFile(ArchiveFormat.MANIFEST, json.size(), Instant.EPOCH);
    tar.write(json.toByteArray(), 0, json.size());
    tar.end();
  }

  private ManifestFile writeFile(TarWriter tar, Listing.Item file) throws IOException {
    tar.beginFile(ArchiveFormat.FILES + file.path(), file.size(), file.modified());
    try (HashingInputStream in = new HashingInputStream(open(file))) {
      copyExactly(in, tar, file);
      tar.end();
      return new ManifestFile(file.path(), file.size(), in.sha256(), file.modified());
    }
  }

  private InputStream open(Listing.Item file) throws IOException {
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

  private void copyExactly(InputStream in, TarWriter tar, Listing.Item file) throws IOException {
    long left = file.size();
    while (true) {
      int read = in.read(buffer);
      if (read < 0) {
        break;
      }
      left -= read;
      if (left < 0) {
        break;
      }
      tar.write(buffer, 0, read);
    }
    if (left != 0) {
      throw new SourceChangedException(
          root.child(file.path())
              + " has "
              + (left < 0 ? "more" : "fewer")
              + " than the "
              + file.size()
              + " bytes it was listed with: it changed while it was archived");
    }
  }
}
