package org.streammigrator.copy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;

/**
 * A tree as a store lists it, without its bytes. Equal listings of one place at two times mean that
 * nothing was written there in between.
 *
 * @param files sorted by path
 * @param emptyDirectories sorted
 * @param unreadable what is neither file nor directory, sorted
 */
record Listing(List<Item> files, List<String> emptyDirectories, List<String> unreadable) {

  /** A file: its path relative to the root, its size in bytes, when it was written, its tag. */
  record Item(String path, long size, Instant modified, Optional<String> tag) {}

  static Listing of(Store store, Location root) throws IOException {
    return of(root, store.walk(root));
  }

  private static Listing of(Location root, List<StoreEntry> entries) {
    List<Item> files = new ArrayList<>();
    List<String> directories = new ArrayList<>();
    List<String> unreadable = new ArrayList<>();
    Set<String> parents = new HashSet<>();
    for (StoreEntry entry : entries) {
      String path = entry.location().relativeTo(root);
      int slash = path.lastIndexOf('/');
      if (slash > 0) {
        parents.add(path.substring(0, slash));
      }
      switch (entry.kind()) {
        case FILE -> files.add(new Item(path, entry.size(), entry.modified(), entry.tag()));
        case DIRECTORY -> directories.add(path);
        case OTHER -> unreadable.add(path);
      }
    }
    directories.removeIf(parents::contains);
    files.sort(Comparator.comparing(Item::path));
    directories.sort(Comparator.naturalOrder());
    unreadable.sort(Comparator.naturalOrder());
    return new Listing(List.copyOf(files), List.copyOf(directories), List.copyOf(unreadable));
  }

  /**
   * The listing of a tree of which everything is needed.
   *
   * @throws UnreadableSourceException if it holds something that cannot be copied
   */
  static Listing complete(Store store, Location root) throws IOException {
    return complete(root, store.walk(root));
  }

  /** {@link #complete(Store, Location)} of what was listed already. */
  static Listing complete(Location root, List<StoreEntry> entries)
      throws UnreadableSourceException {
    Listing listing = of(root, entries);
    if (!listing.unreadable().isEmpty()) {
      throw new UnreadableSourceException(root.toString(), listing.unreadable());
    }
    return listing;
  }

  /**
   * SHA-256 over the place and what is listed, as 64 hexadecimal digits: another one for every
   * other place and every other state of it.
   */
  String fingerprint(Location root) {
    MessageDigest digest = Sha256.digest();
    update(digest, root.toString());
    InstantText times = new InstantText();
    for (Item file : files) {
      update(digest, file.path() + '\0' + file.size() + '\0' + times.of(file.modified()));
    }
    for (String directory : emptyDirectories) {
      update(digest, directory);
    }
    return Sha256.hex(digest);
  }

  private static void update(MessageDigest digest, String line) {
    digest.update((line + "\0\n").getBytes(StandardCharsets.UTF_8));
  }
}
