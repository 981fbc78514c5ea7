package org.streammigrator.storage;

import java.nio.file.FileSystemException;

/** No store serves a place's scheme; running again does not change that. */
public final class UnservedPlaceException extends FileSystemException {
  /**
   * A place that nobody serves.
   *
   * @param reason why not, and what to do
   */
  public UnservedPlaceException(Location location, String reason) {
    super(location.toString(), null, reason);
  }
}
