package org.streammigrator.facts;

import static java.util.Objects.requireNonNull;

/**
 * A file in the input of a file source.
 *
 * @param path as the store spells it
 * @param modifiedMs time of the last modification, milliseconds since the epoch
 */
public record InputFile(String path, long modifiedMs) {
  public InputFile {
    requireNonNull(path, "path");
  }
}
