package org.streammigrator.archival;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.NotDirectoryException;
import java.time.Clock;
import org.streammigrator.copy.ArchiveExclusion;
import org.streammigrator.copy.Manifests;
import org.streammigrator.migration.Operator;
import org.streammigrator.migration.OperatorLock;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;

/** Lets one operator at a time write an archive, or what is restored of one. */
public final class ArchiveLocks {
  private ArchiveLocks() {}

  /**
   * Holds {@code <directory>/.<archive>.lock} while an archive is written; another operator gets a
   * {@link org.streammigrator.migration.LockedException} meanwhile.
   *
   * @param what for what, shown to others
   */
  public static ArchiveExclusion of(Store store, Clock clock, String what, boolean takeOver) {
    return archive ->
        OperatorLock.take(store, Manifests.beside(archive, "lock"), clock, what, takeOver);
  }

  /**
   * Holds a place where something is restored, as an apply holds its targets; another operator gets
   * a {@link org.streammigrator.migration.LockedException} meanwhile.
   */
  public static Closeable ofTarget(Store store, Clock clock, Location target, boolean takeOver)
      throws IOException {
    try {
      return OperatorLock.take(store, Operator.lockOf(target), clock, "restore", takeOver);
    } catch (NotDirectoryException fileAbove) {
      throw new FileSystemException(target.toString(), null, "Not a directory");
    }
  }

  /** Removes a lock that a run left that has ended; does nothing if another holds it. */
  static void tidy(Store store, Clock clock, Location lock) throws IOException {
    boolean dead = OperatorLock.holder(store, lock).map(OperatorLock.Holder::dead).orElse(true);
    if (dead && store.stat(lock).isPresent()) {
      OperatorLock.take(store, lock, clock, "tidy", false).close();
    }
  }
}
