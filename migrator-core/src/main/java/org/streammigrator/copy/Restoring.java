package org.streammigrator.copy;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.streammigrator.storage.Content;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;

/**
 * Unpacks archives: the same files with the same bytes and times, empty directories too, and the
 * manifest beside the target.
 *
 * <p>Guarantees: a restored tree under its final name is whole and verified; the whole archive was
 * verified before; a crash leaves at most hidden neighbours of the target, which the next run
 * removes.
 *
 * @param checkpoint the name of the one checkpoint to unpack, of an archive of several; all of
 *     them, each below the target under its name, if empty
 * @param wanted which paths are unpacked
 * @param check looks at what is unpacked before it gets its name
 */
public record Restoring(Optional<String> checkpoint, Predicate<String> wanted, Check check) {

  /** Everything. */
  public static final Restoring ALL =
      new Restoring(Optional.empty(), path -> true, (staged, manifest) -> {});

  /** Looks at what is unpacked before it gets its name. */
  @FunctionalInterface
  public interface Check {
    /**
     * Fails if it is not what was wanted.
     *
     * @param staged where it is for now
     * @param manifest what is there
     */
    void check(Location staged, Manifest manifest) throws IOException;
  }

  public Restoring {
    requireNonNull(checkpoint, "checkpoint");
    requireNonNull(wanted, "wanted");
    requireNonNull(check, "check");
  }

  /**
   * Unpacks an archive.
   *
   * @param target a place where nothing is, or an empty directory
   * @throws java.nio.file.NoSuchFileException if there is no such archive
   * @throws UnknownEntryException if it holds no such checkpoint
   * @throws FileAlreadyExistsException if the target is a file or a directory that is not empty
   * @throws RefusedException if the target is in a store that moves no directories
   * @throws DamagedException if the archive is damaged; nothing is at the target then
   */
  public RestoreResult restore(Store store, Location archive, Location target) throws IOException {
    if (isOccupied(store, target)) {
      throw new FileAlreadyExistsException(
          target.toString(), null, "the target is not an empty directory");
    }
    if (!store.traits(target).publishes()) {
      throw Archives.unavailable(
          target,
          "restoring to a store that moves no directories",
          "restore to a disk or HDFS and relocate the checkpoint from there: here one that is half"
              + " restored would be taken for whole");
    }
    Location staging = Manifests.beside(target, "migrator-staging");
    Trees.delete(store, staging);
    try {
      ArchiveReader.Contents contents =
          ArchiveReader.read(store, archive, new StagingSink(store, staging, this));
      if (!contents.verification().ok()) {
        throw new DamagedException(archive, contents.verification());
      }
      Map<String, Manifest> manifests = chosen(archive, contents.manifests());
      store.createDirectory(staging);
      boolean whole = manifests.size() == 1 && manifests.containsKey("");
      for (Map.Entry<String, Manifest> each : manifests.entrySet()) {
        boolean below = !whole && checkpoint.isEmpty();
        if (below) {
          store.createDirectory(staging.child(each.getKey()));
        }
        check.check(below ? staging.child(each.getKey()) : staging, each.getValue());
        Manifests.write(store, below ? staging.child(each.getKey()) : target, each.getValue());
      }
      store.publish(staging, target);
      return new RestoreResult(
          archive,
          target,
          manifests.values().stream().mapToLong(manifest -> manifest.files().size()).sum(),
          manifests.values().stream().mapToLong(Manifest::bytes).sum());
    } catch (IOException | RuntimeException failure) {
      Trees.deleteAfter(failure, store, staging);
      if (!isOccupied(store, target, failure)) {
        Trees.deleteAfter(failure, store, Manifests.locationFor(target));
      }
      throw failure;
    }
  }

  private boolean takes(String name, String path) {
    return (checkpoint.isEmpty() || checkpoint.get().equals(name)) && wanted.test(path);
  }

  /** The manifests of what is unpacked. */
  private Map<String, Manifest> chosen(Location archive, Map<String, Manifest> manifests)
      throws UnknownEntryException {
    if (checkpoint.isPresent() && !manifests.containsKey(checkpoint.get())) {
      throw UnknownEntryException.ofCheckpoint(archive, checkpoint.get(), manifests.keySet());
    }
    Map<String, Manifest> chosen = new LinkedHashMap<>();
    manifests.forEach(
        (name, manifest) -> {
          if (checkpoint.isEmpty() || checkpoint.get().equals(name)) {
            chosen.put(
                name,
                new Manifest(
                    manifest.toolVersion(),
                    manifest.checkpoint(),
                    manifest.summary(),
                    manifest.files().stream().filter(file -> wanted.test(file.path())).toList(),
                    manifest.emptyDirectories().stream().filter(wanted).toList()));
          }
        });
    return chosen;
  }

  /**
   * Unpacks one file, of which every byte is compared with the manifest; of the archive only what
   * is needed is read.
   *
   * @param name the checkpoint's name; empty in an archive of one
   * @param path the file's path in its checkpoint
   * @param target the file to write
   * @throws UnknownEntryException if there is no such file in the archive
   * @throws FileAlreadyExistsException if something is at the target
   * @throws DamagedException if the file, or what leads to it, is damaged
   */
  public static RestoreResult file(
      Store store, Location archive, String name, String path, Location target) throws IOException {
    if (store.stat(target).isPresent()) {
      throw new FileAlreadyExistsException(target.toString(), null, "there is something already");
    }
    try (ArchiveContents contents = ArchiveContents.open(store, archive)) {
      Manifest manifest = contents.manifest(name);
      ManifestFile file =
          manifest.files().stream()
              .filter(each -> each.path().equals(path))
              .findFirst()
              .orElseThrow(() -> UnknownEntryException.ofFile(archive, name, path));
      boolean[] begun = new boolean[1];
      Content content =
          out -> {
            begun[0] = true;
            contents.copy(name, file, out);
          };
      boolean moves = store.traits(target).publishes();
      boolean leavesParts = !store.traits(target).wholeOrNothing();
      Location staging = moves ? Manifests.beside(target, "migrator-staging") : target;
      if (moves) {
        Trees.delete(store, staging);
      }
      try {
        store.write(staging, content, Optional.of(file.modified()));
        if (moves) {
          store.publish(staging, target);
        }
      } catch (IOException | RuntimeException failure) {
        // Where it is written under its own name it is ours once its bytes were asked for.
        if (moves || leavesParts && begun[0]) {
          Trees.deleteAfter(failure, store, staging);
        }
        throw failure;
      }
      return new RestoreResult(archive, target, 1, file.size());
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
  private record StagingSink(Store store, Location staging, Restoring restoring)
      implements ArchiveReader.Sink {

    @Override
    public void file(String checkpoint, String path, Instant modified, InputStream content)
        throws IOException {
      if (restoring.takes(checkpoint, path)) {
        Location file = place(checkpoint, path);
        HashingInputStream sent = new HashingInputStream(content);
        if (!RetriedWrite.write(store, file, sent::transferTo, Optional.of(modified))) {
          try (HashingInputStream there = new HashingInputStream(store.open(file))) {
            there.drain();
            if (!there.sha256().equals(sent.sha256())) {
              throw new FileAlreadyExistsException(file.toString());
            }
          }
        }
      }
    }

    @Override
    public void directory(String checkpoint, String path) throws IOException {
      if (restoring.takes(checkpoint, path)) {
        store.createDirectory(place(checkpoint, path));
      }
    }

    private Location place(String checkpoint, String path) {
      boolean below = !checkpoint.isEmpty() && restoring.checkpoint().isEmpty();
      return (below ? staging.child(checkpoint) : staging).child(path);
    }
  }
}
