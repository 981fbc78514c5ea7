package org.streammigrator.storage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where local locations really are, with symbolic links resolved. */
public final class RealPaths {
  private RealPaths() {}

  /**
   * The location with every symbolic link in it resolved; parts that do not exist stay as they are.
   * Locations that are not local are returned unchanged.
   */
  public static Location resolve(Location location) throws IOException {
    if (!location.isLocal()) {
      return location;
    }
    Path path = location.localPath();
    Path existing = path;
    while (existing != null && !Files.exists(existing)) {
      existing = existing.getParent();
    }
    return existing == null
        ? location
        : Location.of(existing.toRealPath().resolve(existing.relativize(path)));
  }
}
