package org.streammigrator.checkpoint;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.Optional;
import org.streammigrator.storage.StoreEntry;

/**
 * A file or directory inside a checkpoint.
 *
 * @param path relative to the checkpoint, with {@code /}
 * @param kind file, directory or other
 * @param size bytes
 * @param modified time of the last modification
 * @param tag as {@link StoreEntry#tag}
 */
public record CheckpointFile(
    String path, StoreEntry.Kind kind, long size, Instant modified, Optional<String> tag) {

  /** A file without a tag. */
  public CheckpointFile(String path, StoreEntry.Kind kind, long size, Instant modified) {
    this(path, kind, size, modified, Optional.empty());
  }

  public CheckpointFile {
    requireNonNull(path, "path");
    requireNonNull(kind, "kind");
    requireNonNull(modified, "modified");
    requireNonNull(tag, "tag");
  }

  /** The last part of the path. */
  public String name() {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  /** Whether it is a regular file. */
  public boolean isFile() {
    return kind == StoreEntry.Kind.FILE;
  }

  /** Whether it is a directory. */
  public boolean isDirectory() {
    return kind == StoreEntry.Kind.DIRECTORY;
  }
}
