package org.streammigrator.copy;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.List;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.RealPaths;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;

/** Staging places: made, and removed with everything in them. */
public final class Trees {

  private Trees() {}

  /**
   * Deletes a staging place, a file or a directory; does nothing if there is none.
   *
   * @throws IOException as {@link #walk} does
   */
  public static void delete(Store store, Location staging) throws IOException {
    List<StoreEntry> entries;
    try {
      entries = walk(store, staging);
    } catch (NoSuchFileException | NotDirectoryException noDirectory) {
      entries = List.of();
    }
    // Sorted by path, so that backwards a directory comes after what it holds.
    for (int i = entries.size() - 1; i >= 0; i--) {
      store.delete(entries.get(i).location());
    }
    store.delete(staging);
  }

  /**
   * Everything below a staging place, sorted by path.
   *
   * @throws IOException if a symbolic link leads out of it, since what lies there is not ours to
   *     delete
   */
  public static List<StoreEntry> walk(Store store, Location staging) throws IOException {
    List<StoreEntry> entries = store.walk(staging);
    Location real = RealPaths.resolve(staging);
    for (StoreEntry entry : entries) {
      if (!RealPaths.resolve(entry.location()).isInside(real)) {
        throw new IOException(
            entry.location()
                + " leads out of the staging place "
                + staging
                + "; remove that link, and run it again");
      }
    }
    return entries;
  }

  /** Deletes a staging place after a failure, which stays the failure that is told. */
  static void deleteAfter(Exception failure, Store store, Location staging) {
    try {
      delete(store, staging);
    } catch (IOException | RuntimeException second) {
      failure.addSuppressed(second);
    }
  }
}
