package org.streammigrator.copy;

import static java.util.Objects.requireNonNull;

import org.streammigrator.storage.Location;

/**
 * A verified archive.
 *
 * @param archive where it is
 * @param files the number of files in it
 * @param bytes the number of bytes in those files, before compression
 * @param sha256 SHA-256 of the archive file, 64 hexadecimal digits
 * @param existed whether it was there already and nothing was written
 */
public record ArchiveResult(
    Location archive, long files, long bytes, String sha256, boolean existed) {

  public ArchiveResult {
    requireNonNull(archive, "archive");
    requireNonNull(sha256, "sha256");
  }
}
