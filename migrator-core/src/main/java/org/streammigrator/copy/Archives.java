package org.streammigrator.copy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.streammigrator.checkpoint.CheckpointReader;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;

/**
 * Archives: a tree packed into one file that can be verified by itself, and unpacked to the same
 * bytes and times.
 *
 * <p>Guarantees:
 *
 * <ul>
 *   <li>An archive under its final name was read back and verified. A restored tree under its final
 *       name is whole and verified.
 *   <li>A crash at any moment leaves at most hidden neighbours of the target, which the next run
 *       removes; a failure removes them itself.
 *   <li>What is archived is only read. Nothing that exists under a final name is changed.
 * </ul>
 */
public final class Archives {
  private static final int MAX_NAME_BYTES = 200;

  private Archives() {}

  /**
   * Packs a directory into {@code <directory>/<name>-<state>.tar.zst}, where the state is a
   * fingerprint of the place and of the paths, sizes and times in it. An archive of this state that
   * is there already is verified, compared with the tree, and not written again.
   *
   * @param checkpoint the directory to pack, in whatever state it is
   * @param directory where to put the archive; made if it is missing
   * @param summary what the manifest says about the checkpoint
   * @throws java.nio.file.NoSuchFileException if there is no such checkpoint
   * @throws NotDirectoryException if the checkpoint or the directory is a file
   * @throws RefusedException if the directory lies inside the checkpoint, or holds an archive of
   *     this state with other bytes
   * @throws UnreadableSourceException if the checkpoint holds a broken link or the like
   * @throws SourceChangedException if the checkpoint changed meanwhile
   * @throws DamagedException if the archive does not verify, the new one or the one already there
   */
  public static ArchiveResult archive(
      Store store, Location checkpoint, Location directory, CheckpointSummary summary)
      throws IOException {
    return archive(
        store, new ListedTree(checkpoint, Listing.complete(store, checkpoint)), directory, summary);
  }

  /** {@link #archive(Store, Location, Location, CheckpointSummary)} with what the logs tell. */
  public static ArchiveResult archive(Store store, Location checkpoint, Location directory)
      throws IOException {
    List<StoreEntry> entries = store.walk(checkpoint);
    Listing listing = Listing.complete(checkpoint, entries);
    Store listed = new ListedStore(store, checkpoint, entries);
    CheckpointSummary summary = CheckpointSummary.of(new CheckpointReader(listed).read(checkpoint));
    return archive(store, new ListedTree(checkpoint, listing), directory, summary);
  }

  private static ArchiveResult archive(
      Store store, ListedTree tree, Location directory, CheckpointSummary summary)
      throws IOException {
    refuseInside(tree.root(), directory);
    Optional<StoreEntry> existing = store.stat(directory);
    if (existing.isPresent() && !existing.get().isDirectory()) {
      throw new NotDirectoryException(directory.toString());
    }
    String name = archiveName(tree.root(), tree.listing());
    Location archive = directory.child(name);
    boolean moves = store.traits(directory).publishes();
    if (!moves && !store.traits(directory).wholeOrNothing()) {
      throw unavailable(
          directory,
          "archiving to a store that can neither move a file nor write one as a whole",
          "archive to another store: here a crash would leave half an archive under its name");
    }
    // Where a write is whole or nothing, nobody sees an archive that is half written.
    Location part = moves ? directory.child("." + name + ".part") : archive;
    if (moves) {
      Trees.delete(store, part);
    }
    if (store.stat(archive).isPresent()) {
      return verifyExisting(store, tree.root(), archive);
    }
    boolean written = false;
    try {
      ArchiveWriter writer =
          new ArchiveWriter(store, List.of(new ArchiveSource("", tree, summary)));
      store.write(part, writer::writeTo, Optional.empty());
      written = true;
      verifyWritten(store, part, writer);
      if (moves) {
        store.publish(part, archive);
      }
      Manifest manifest = writer.manifests().get("");
      return new ArchiveResult(
          archive, manifest.files().size(), manifest.bytes(), writer.sha256(), false);
    } catch (IOException | RuntimeException failure) {
      if (written || moves) {
        Trees.deleteAfter(failure, store, part);
      }
      throw failure;
    }
  }

  /**
   * Reads an archive and finds everything in it that is not as it was written. Its content never
   * makes it fail.
   *
   * @throws java.nio.file.NoSuchFileException if there is no such file
   * @throws IOException if the store fails
   */
  public static Verification verify(Store store, Location archive) throws IOException {
    return ArchiveReader.read(store, archive, ArchiveReader.Sink.none()).verification();
  }

  /** Whether a file is an archive, by its name or by its first bytes, damaged or not. */
  public static boolean isArchive(Store store, Location file) throws IOException {
    if (file.name().endsWith(ArchiveFormat.SUFFIX)) {
      return true;
    }
    try (InputStream in = store.open(file)) {
      return ArchiveFormat.isArchive(in.readNBytes(Integer.BYTES));
    }
  }

  /**
   * Unpacks an archive: the same files with the same bytes and times, empty directories too, and
   * its manifest beside the target.
   *
   * @param target a place where nothing is, or an empty directory
   * @throws java.nio.file.NoSuchFileException if there is no such archive
   * @throws FileAlreadyExistsException if the target is a file or a directory that is not empty
   * @throws RefusedException if the target is in a store that moves no directories
   * @throws DamagedException if the archive is damaged; nothing is at the target then
   */
  public static RestoreResult restore(Store store, Location archive, Location target)
      throws IOException {
    refuseOccupied(store, target);
    if (!store.traits(target).publishes()) {
      throw unavailable(
          target,
          "restoring to a store that moves no directories",
          "restore to a disk or HDFS and relocate the checkpoint from there: here one that is half"
              + " restored would be taken for whole");
    }
    Location staging = Manifests.beside(target, "migrator-staging");
    Trees.delete(store, staging);
    try {
      ArchiveReader.Contents contents =
          ArchiveReader.read(store, archive, new StagingSink(store, staging));
      if (!contents.verification().ok()) {
        throw new DamagedException(archive, contents.verification());
      }
      store.createDirectory(staging);
      Manifests.write(store, target, contents.manifests().get(""));
      store.publish(staging, target);
      return new RestoreResult(
          archive, target, contents.verification().files(), contents.verification().bytes());
    } catch (IOException | RuntimeException failure) {
      Trees.deleteAfter(failure, store, staging);
      if (!isOccupied(store, target, failure)) {
        Trees.deleteAfter(failure, store, Manifests.locationFor(target));
      }
      throw failure;
    }
  }

  /** After a failure: whether something is at the target, perhaps, so that its manifest stays. */
  private static boolean isOccupied(Store store, Location target, Exception failure) {
    try {
      return isOccupied(store, target);
    } catch (IOException | RuntimeException second) {
      failure.addSuppressed(second);
      return true;
    }
  }

  private static boolean isOccupied(Store store, Location target) throws IOException {
    Optional<StoreEntry> existing = store.stat(target);
    return existing.isPresent() && !(existing.get().isDirectory() && store.list(target).isEmpty());
  }

  /** Writes what an archive holds to a staging place. */
  private record StagingSink(Store store, Location staging) implements ArchiveReader.Sink {

    @Override
    public void file(String checkpoint, String path, Instant modified, InputStream content)
        throws IOException {
      store.write(staging.child(path), content::transferTo, Optional.of(modified));
    }

    @Override
    public void directory(String checkpoint, String path) throws IOException {
      store.createDirectory(staging.child(path));
    }
  }

  private static void verifyWritten(Store store, Location part, ArchiveWriter writer)
      throws IOException {
    ArchiveReader.Contents contents =
        ArchiveReader.read(
            store, part, ArchiveReader.Sink.none(), writer.manifestBytes(), writer.manifests());
    if (!contents.verification().ok()) {
      throw new DamagedException(part, contents.verification());
    }
    if (!contents.sha256().equals(writer.sha256())
        || !contents.manifests().equals(writer.manifests())) {
      throw new IOException(part + " was read back with other bytes than were written");
    }
  }

  private static ArchiveResult verifyExisting(Store store, Location checkpoint, Location archive)
      throws IOException {
    ArchiveReader.Contents contents = ArchiveReader.read(store, archive, ArchiveReader.Sink.none());
    if (!contents.verification().ok()) {
      throw new DamagedException(archive, contents.verification());
    }
    Manifest archived = contents.manifests().get("");
    Manifest current = Copies.hash(store, checkpoint);
    if (!archived.files().equals(current.files())
        || !archived.emptyDirectories().equals(current.emptyDirectories())) {
      throw new RefusedException(
          Finding.error(
              FindingCode.FILE_CHANGED_IN_PLACE,
              archive.toString(),
              archive + " holds other bytes than " + checkpoint + " under the same sizes and times",
              "archive to another directory, and find out what changed the checkpoint's files"));
    }
    return new ArchiveResult(
        archive, archived.files().size(), archived.bytes(), contents.sha256(), true);
  }

  private static RefusedException unavailable(Location place, String what, String remedy) {
    return new RefusedException(
        Finding.error(
            FindingCode.NOT_AVAILABLE,
            place.toString(),
            what + " (" + place + ") is not available in this version",
            remedy));
  }

  private static void refuseOccupied(Store store, Location target) throws IOException {
    if (isOccupied(store, target)) {
      throw new FileAlreadyExistsException(
          target.toString(), null, "the target is not an empty directory");
    }
  }

  private static void refuseInside(Location checkpoint, Location directory) throws IOException {
    boolean inside = directory.equals(checkpoint) || directory.isInside(checkpoint);
    if (!inside && checkpoint.isLocal() && directory.isLocal()) {
      inside = resolved(directory.localPath()).startsWith(resolved(checkpoint.localPath()));
    }
    if (inside) {
      throw new RefusedException(
          Finding.error(
              FindingCode.TARGET_INSIDE_SOURCE,
              directory.toString(),
              "the archive would be written to " + directory + ", inside of " + checkpoint,
              "choose a directory outside of the checkpoint"));
    }
  }

  /** The path without symbolic links, as far as it exists. */
  private static Path resolved(Path path) throws IOException {
    Path existing = path;
    while (existing.getParent() != null && !Files.exists(existing)) {
      existing = existing.getParent();
    }
    return existing.toRealPath().resolve(existing.relativize(path)).normalize();
  }

  private static String archiveName(Location checkpoint, Listing listing) {
    String name = checkpoint.name().isEmpty() ? "root" : checkpoint.name();
    String portable = name.replaceAll("[\\p{Cntrl}:\\\\*?\"<>|]", "_");
    while (portable.getBytes(StandardCharsets.UTF_8).length > MAX_NAME_BYTES) {
      portable = portable.substring(0, portable.offsetByCodePoints(portable.length(), -1));
    }
    return portable + '-' + listing.fingerprint(checkpoint).substring(0, 12) + ArchiveFormat.SUFFIX;
  }
}
