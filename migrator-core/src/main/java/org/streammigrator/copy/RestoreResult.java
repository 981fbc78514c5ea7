package org.streammigrator.copy;

import static java.util.Objects.requireNonNull;

import org.streammigrator.storage.Location;

/**
 * A restored archive.
 *
 * @param archive what was restored
 * @param target where its files are now
 * @param files their number
 * @param bytes the number of bytes in them
 */
public record RestoreResult(Location archive, Location target, long files, long bytes) {

  public RestoreResult {
    requireNonNull(archive, "archive");
    requireNonNull(target, "target");
  }
}
