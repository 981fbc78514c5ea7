package org.streammigrator.storage;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.Optional;

/**
 * A file or directory that a {@link Store} listed.
 *
 * @param location where it is
 * @param kind file, directory, or something a checkpoint has no use for
 * @param size bytes; 0 for anything but a file
 * @param modified the time of its last modification, as exact as the store keeps it
 * @param tag an opaque text that the store changes whenever the bytes of the file change, such as
 *     an ETag; empty where there is none
 */
public record StoreEntry(
    Location location, Kind kind, long size, Instant modified, Optional<String> tag) {

  /** An entry without a tag. */
  public StoreEntry(Location location, Kind kind, long size, Instant modified) {
    this(location, kind, size, modified, Optional.empty());
  }

  /** What an entry is. */
  public enum Kind {
    /** A regular file, also one behind a symbolic link. */
    FILE,
    /** A directory, also one behind a symbolic link. */
    DIRECTORY,
    /** A broken or looping symbolic link, a socket, a device, or a directory nobody may read. */
    OTHER
  }

  public StoreEntry {
    requireNonNull(location, "location");
    requireNonNull(kind, "kind");
    requireNonNull(modified, "modified");
    requireNonNull(tag, "tag");
  }

  /** Whether it is a regular file. */
  public boolean isFile() {
    return kind == Kind.FILE;
  }

  /** Whether it is a directory. */
  public boolean isDirectory() {
    return kind == Kind.DIRECTORY;
  }
}
