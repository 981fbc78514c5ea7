package org.streammigrator.copy;

import java.io.IOException;

/** A manifest cannot be used; the message says why. */
public final class InvalidManifestException extends IOException {

  InvalidManifestException(String message) {
    super(message);
  }
}
