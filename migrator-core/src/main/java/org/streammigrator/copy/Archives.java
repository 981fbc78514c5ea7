package org.streammigrator.copy;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.NotDirectoryException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.streammigrator.checkpoint.CheckpointReader;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.RealPaths;
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
    return archive(store, checkpoint, directory, summary, CopyProgress.NONE);
  }

  /** {@link #archive(Store, Location, Location, CheckpointSummary)}, telling how far it is. */
  public static ArchiveResult archive(
      Store store,
      Location checkpoint,
      Location directory,
      CheckpointSummary summary,
      CopyProgress progress)
      throws IOException {
    ListedTree tree = new ListedTree(checkpoint, Listing.complete(store, checkpoint));
    return pack(
        store,
        List.of(new ArchiveSource("", tree, summary)),
        directory,
        archive -> () -> {},
        progress);
  }

  /** {@link #archive(Store, Location, Location, CheckpointSummary)} with what the logs tell. */
  public static ArchiveResult archive(Store store, Location checkpoint, Location directory)
      throws IOException {
    return archive(store, List.of(checkpoint), directory, archive -> () -> {}, CopyProgress.NONE);
  }

  /**
   * Packs one or several directories into one archive. One of several is called {@code
   * checkpoints-<state>.tar.zst}, and in it each has the last part of its path as its name.
   *
   * @param checkpoints different places, in the order in which they are packed
   * @param exclusion keeps others from writing the same archive meanwhile
   * @param progress told how far the packing is, and then the reading back
   */
  public static ArchiveResult archive(
      Store store,
      List<Location> checkpoints,
      Location directory,
      ArchiveExclusion exclusion,
      CopyProgress progress)
      throws IOException {
    List<ArchiveSource> sources = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (Location checkpoint : checkpoints) {
      List<StoreEntry> entries = store.walk(checkpoint);
      Listing listing = Listing.complete(checkpoint, entries);
      Store listed = new ListedStore(store, checkpoint, entries);
      sources.add(
          new ArchiveSource(
              checkpoints.size() == 1 ? "" : unique(checkpoint, names),
              new ListedTree(checkpoint, listing),
              CheckpointSummary.of(new CheckpointReader(listed).read(checkpoint))));
    }
    return pack(store, sources, directory, exclusion, progress);
  }

  /**
   * The name that the archive of a tree as it stands has, and what is in the tree; nothing is
   * written.
   */
  public static ArchiveName nameOf(Store store, Location checkpoint) throws IOException {
    Listing listing = Listing.complete(store, checkpoint);
    return new ArchiveName(
        ArchiveNames.of(
            List.of(
                new ArchiveSource(
                    "", new ListedTree(checkpoint, listing), CheckpointSummary.unknown()))),
        listing.files().size(),
        listing.files().stream().mapToLong(Listing.Item::size).sum());
  }

  /**
   * What an archive of a tree would be.
   *
   * @param name the file's name
   * @param files the number of files
   * @param bytes the number of bytes in them
   */
  public record ArchiveName(String name, long files, long bytes) {}

  private static String unique(Location checkpoint, Set<String> taken) {
    String name = checkpoint.name().isEmpty() ? "root" : checkpoint.name();
    String free = name;
    for (int number = 2; !taken.add(free); number++) {
      free = name + "-" + number;
    }
    return free;
  }

  private static ArchiveResult pack(
      Store store,
      List<ArchiveSource> sources,
      Location directory,
      ArchiveExclusion exclusion,
      CopyProgress progress)
      throws IOException {
    for (ArchiveSource source : sources) {
      refuseInside(source.tree().root(), directory);
    }
    Optional<StoreEntry> existing = store.stat(directory);
    if (existing.isPresent() && !existing.get().isDirectory()) {
      throw new NotDirectoryException(directory.toString());
    }
    String name = ArchiveNames.of(sources);
    Location archive = directory.child(name);
    boolean moves = store.traits(directory).publishes();
    if (!moves && !store.traits(directory).wholeOrNothing()) {
      throw unavailable(
          directory,
          "archiving to a store that can neither move a file nor write one as a whole",
          "archive to another store: here a crash would leave half an archive under its name");
    }
    try (Closeable held = exclusion.begin(archive)) {
      return pack(store, sources, archive, moves, progress);
    } finally {
      progress.ended();
    }
  }

  private static ArchiveResult pack(
      Store store,
      List<ArchiveSource> sources,
      Location archive,
      boolean moves,
      CopyProgress progress)
      throws IOException {
    // Where a write is whole or nothing, nobody sees an archive that is half written.
    Location part = moves ? Manifests.beside(archive, "part") : archive;
    if (moves) {
      Trees.delete(store, part);
    }
    Optional<StoreEntry> there = store.stat(archive);
    if (there.isPresent()) {
      return verifyExisting(told(store, there.get(), progress), sources, archive);
    }
    boolean written = false;
    try {
      ArchiveWriter writer = new ArchiveWriter(store, sources, progress);
      written = RetriedWrite.write(store, part, writer::writeTo, Optional.empty());
      verifyWritten(told(store, writer.entry(part), progress), part, writer);
      if (moves) {
        store.publish(part, archive);
      }
      return result(archive, writer.manifests().values(), writer.sha256(), false);
    } catch (IOException | RuntimeException failure) {
      if (written || moves) {
        Trees.deleteAfter(failure, store, part);
      }
      throw failure;
    }
  }

  /**
   * Removes what a crash left of an archive of a directory as it stands; nobody may be writing it.
   */
  public static void discardUnfinished(Store store, Location checkpoint, Location directory)
      throws IOException {
    if (store.traits(directory).publishes()) {
      String name = nameOf(store, checkpoint).name();
      Trees.delete(store, directory.child("." + name + ".part"));
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

  /**
   * An archive that was read from its first byte to its last.
   *
   * @param verification what is wrong with it
   * @param manifests the manifests that could be read, by the name of their checkpoint
   * @param sha256 SHA-256 of the archive file
   */
  public record Contents(
      Verification verification, Map<String, Manifest> manifests, String sha256) {}

  /** {@link #verify Verifies} an archive and gives what it holds. */
  public static Contents read(Store store, Location archive) throws IOException {
    ArchiveReader.Contents contents = ArchiveReader.read(store, archive, ArchiveReader.Sink.none());
    return new Contents(contents.verification(), contents.manifests(), contents.sha256());
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

  /** {@link Restoring#restore} of everything. */
  public static RestoreResult restore(Store store, Location archive, Location target)
      throws IOException {
    return Restoring.ALL.restore(store, archive, target);
  }

  private static void verifyWritten(Store store, Location part, ArchiveWriter writer)
      throws IOException {
    try (HashingInputStream in = new HashingInputStream(store.open(part))) {
      in.drain();
      if (in.sha256().equals(writer.sha256())) {
        return;
      }
    }
    // It tells what is damaged.
    Verification verification =
        ArchiveReader.read(store, part, ArchiveReader.Sink.none()).verification();
    if (!verification.ok()) {
      throw new DamagedException(part, verification);
    }
    throw new IOException(part + " was read back with other bytes than were written");
  }

  /** Tells how far an archive is read. */
  private static Store told(Store store, StoreEntry archive, CopyProgress progress) {
    progress.began(CopyProgress.Phase.VERIFY, 1, archive.size());
    return new MeteredStore(store, progress, archive.location()::equals);
  }

  private static ArchiveResult verifyExisting(
      Store store, List<ArchiveSource> sources, Location archive) throws IOException {
    ArchiveReader.Contents contents = ArchiveReader.read(store, archive, ArchiveReader.Sink.none());
    if (!contents.verification().ok()) {
      throw new DamagedException(archive, contents.verification());
    }
    for (ArchiveSource source : sources) {
      Location checkpoint = source.tree().root();
      Manifest archived = contents.manifests().get(source.name());
      Manifest current = Copies.hash(store, checkpoint);
      if (archived == null
          || !archived.files().equals(current.files())
          || !archived.emptyDirectories().equals(current.emptyDirectories())) {
        throw new RefusedException(
            Finding.error(
                FindingCode.FILE_CHANGED_IN_PLACE,
                archive.toString(),
                archive
                    + " holds other bytes than "
                    + checkpoint
                    + " under the same sizes and times",
                "archive to another directory, and find out what changed the checkpoint's files"));
      }
    }
    return result(archive, contents.manifests().values(), contents.sha256(), true);
  }

  private static ArchiveResult result(
      Location archive, Collection<Manifest> manifests, String sha256, boolean existed) {
    return new ArchiveResult(
        archive,
        manifests.stream().mapToLong(manifest -> manifest.files().size()).sum(),
        manifests.stream().mapToLong(Manifest::bytes).sum(),
        sha256,
        existed);
  }

  static RefusedException unavailable(Location place, String what, String remedy) {
    return new RefusedException(
        Finding.error(
            FindingCode.NOT_AVAILABLE,
            place.toString(),
            what + " (" + place + ") is not available in this version",
            remedy));
  }

  private static void refuseInside(Location checkpoint, Location directory) throws IOException {
    Location real = RealPaths.resolve(directory);
    Location realCheckpoint = RealPaths.resolve(checkpoint);
    if (real.equals(realCheckpoint)
        || real.isInside(realCheckpoint)
        || directory.isInside(checkpoint)) {
      throw new RefusedException(
          Finding.error(
              FindingCode.TARGET_INSIDE_SOURCE,
              directory.toString(),
              "the archive would be written to " + directory + ", inside of " + checkpoint,
              "choose a directory outside of the checkpoint"));
    }
  }
}
