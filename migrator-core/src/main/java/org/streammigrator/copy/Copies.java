package org.streammigrator.copy;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.streammigrator.copy.Damage.Kind;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;

/** Trees of files and the manifests they are verified by. */
public final class Copies {

  private Copies() {}

  /**
   * Lists a tree and hashes every file of it.
   *
   * @throws UnreadableSourceException if it holds a broken link or the like
   * @throws SourceChangedException if a file went or changed its size meanwhile
   * @throws NoSuchFileException if there is no such directory
   */
  public static Manifest hash(Store store, Location root) throws IOException {
    return hash(store, root, CheckpointSummary.unknown());
  }

  /** {@link #hash(Store, Location)} with what is known of the checkpoint. */
  public static Manifest hash(Store store, Location root, CheckpointSummary summary)
      throws IOException {
    Listing listing = Listing.complete(store, root);
    List<ManifestFile> files = new ArrayList<>();
    for (Listing.Item item : listing.files()) {
      ManifestFile file;
      try {
        file = hash(store, root, item);
      } catch (NoSuchFileException gone) {
        throw new SourceChangedException(
            root.child(item.path()) + " was deleted while the tree was read", gone);
      }
      if (file.size() != item.size()) {
        throw new SourceChangedException(
            root.child(item.path()) + " changed its size while the tree was read");
      }
      files.add(file);
    }
    return new Manifest(
        ToolVersion.CURRENT, root.toString(), summary, files, listing.emptyDirectories());
  }

  /**
   * Compares a copy with the manifest beside it: names, sizes and bytes, not times, which not every
   * store can set.
   *
   * @throws NoSuchFileException if there is no such directory, or no manifest beside it
   */
  public static Verification verify(Store store, Location copy) throws IOException {
    return verify(store, copy, CopyProgress.NONE);
  }

  /** {@link #verify(Store, Location)}, telling how far it is. */
  public static Verification verify(Store store, Location copy, CopyProgress progress)
      throws IOException {
    Listing listing = Listing.of(store, copy);
    Manifest manifest;
    try {
      manifest = Manifests.read(store, copy);
    } catch (InvalidManifestException invalid) {
      Damage damage =
          new Damage(Kind.UNREADABLE, Manifests.locationFor(copy).toString(), invalid.getMessage());
      return new Verification(0, 0, List.of(damage));
    }
    return verify(store, copy, listing, manifest, progress);
  }

  /** Compares a tree with a manifest, as {@link #verify(Store, Location)} does. */
  public static Verification verify(Store store, Location copy, Manifest manifest)
      throws IOException {
    return verify(store, copy, Listing.of(store, copy), manifest, CopyProgress.NONE);
  }

  private static Verification verify(
      Store store, Location copy, Listing listing, Manifest manifest, CopyProgress progress)
      throws IOException {
    int threads = CopyOptions.DEFAULT.threadsFor(copy, listing.files().size());
    return verify(listing, manifest, threads, item -> hash(store, copy, item), progress);
  }

  /**
   * Compares a tree with a manifest.
   *
   * @param hashing what a listed file holds
   */
  static Verification verify(
      Listing listing,
      Manifest manifest,
      int threads,
      Parallel.Task<Listing.Item, ManifestFile> hashing,
      CopyProgress progress)
      throws IOException {
    progress.began(CopyProgress.Phase.VERIFY, manifest.files().size(), manifest.bytes());
    Map<String, ManifestFile> found = new ConcurrentHashMap<>();
    Map<String, String> unreadable = new ConcurrentHashMap<>();
    for (String path : listing.unreadable()) {
      unreadable.put(path, "this is neither a readable file nor a readable directory");
    }
    try {
      Parallel.map(
          threads,
          listing.files(),
          item -> {
            try {
              found.put(item.path(), hashing.run(item));
            } catch (NoSuchFileException gone) {
              // The comparison tells that it is missing.
            } catch (IOException failure) {
              unreadable.put(item.path(), "this file cannot be read: " + failure.getMessage());
            }
            progress.moved(item.size());
            progress.done(1);
            return null;
          });
    } finally {
      progress.ended();
    }
    long bytes = found.values().stream().mapToLong(ManifestFile::size).sum();
    List<Damage> damage = new ArrayList<>();
    for (Damage difference :
        Comparison.differences(manifest, found, listing.emptyDirectories(), false)) {
      if (!isExplained(difference, unreadable)) {
        damage.add(difference);
      }
    }
    unreadable.forEach((path, message) -> damage.add(new Damage(Kind.UNREADABLE, path, message)));
    damage.sort(Comparator.comparing(Damage::path).thenComparing(Damage::kind));
    return new Verification(found.size(), bytes, damage);
  }

  private static boolean isExplained(Damage difference, Map<String, String> unreadable) {
    String path = difference.path();
    boolean explained = unreadable.containsKey(path);
    for (int slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
      explained |= unreadable.containsKey(path.substring(0, slash));
    }
    return explained && difference.kind() == Kind.MISSING;
  }

  static ManifestFile hash(Store store, Location root, Listing.Item item) throws IOException {
    Location file = root.child(item.path());
    if (item.size() <= Transfer.SMALL) {
      byte[] bytes = store.readAll(file);
      return new ManifestFile(item.path(), bytes.length, Sha256.hex(bytes), item.modified());
    }
    try (HashingInputStream in = new HashingInputStream(store.open(file))) {
      in.drain();
      return new ManifestFile(item.path(), in.count(), in.sha256(), item.modified());
    }
  }
}
