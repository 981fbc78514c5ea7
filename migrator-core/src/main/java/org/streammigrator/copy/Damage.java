package org.streammigrator.copy;

import static java.util.Objects.requireNonNull;

/**
 * One difference between an archive or a copy and its manifest.
 *
 * @param kind what sort of difference
 * @param path the file or directory inside the tree; the archive's or the manifest's own name where
 *     it concerns the whole
 * @param message what is wrong, in a sentence
 */
public record Damage(Kind kind, String path, String message) {

  /** The sorts of difference. */
  public enum Kind {
    /** Other bytes, another size or another time than the manifest has. */
    CHANGED,
    /** The archive ends too early. */
    TRUNCATED,
    /** The manifest lists it and it is not there. */
    MISSING,
    /** It is there and the manifest does not list it, or lists it once and it is there twice. */
    ADDED,
    /** It cannot be read or decoded. */
    UNREADABLE
  }

  public Damage {
    requireNonNull(kind, "kind");
    requireNonNull(path, "path");
    requireNonNull(message, "message");
  }
}
