package org.streammigrator.copy;

import static java.util.Objects.requireNonNull;

import java.time.Instant;

/**
 * A file as a manifest lists it.
 *
 * @param path relative to the root of the tree, names separated by slashes
 * @param size bytes, 0 or more
 * @param sha256 SHA-256 of the content, 64 lower-case hexadecimal digits
 * @param modified the time of its last modification, exact to the nanosecond
 */
public record ManifestFile(String path, long size, String sha256, Instant modified) {

  public ManifestFile {
    requireNonNull(path, "path");
    requireNonNull(sha256, "sha256");
    requireNonNull(modified, "modified");
  }
}
