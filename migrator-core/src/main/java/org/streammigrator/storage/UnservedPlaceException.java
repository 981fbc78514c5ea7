package org.streammigrator.storage;

import java.nio.file.FileSystemException;

/** No store serves a place's scheme; running again does not change that. */
public final class UnservedPlaceException extends FileSystemException {
  UnservedPlaceException(Location location, String reason) {
    super(location.toString(), null, reason);
  }
}
