package org.streammigrator.copy;

import java.io.Closeable;
import java.io.IOException;
import org.streammigrator.storage.Location;

/** Keeps others from writing an archive. */
@FunctionalInterface
public interface ArchiveExclusion {
  /**
   * Begins to hold a place; fails if another holds it.
   *
   * @return gives it back when it is closed
   */
  Closeable begin(Location archive) throws IOException;
}
