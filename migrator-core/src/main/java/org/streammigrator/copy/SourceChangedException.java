package org.streammigrator.copy;

import java.io.IOException;

/** A tree changed while it was read, so that no consistent copy of it could be made. */
public final class SourceChangedException extends IOException {

  public SourceChangedException(String message) {
    super(message + ". Stop the query that writes there, then try again");
  }

  public SourceChangedException(String message, Throwable cause) {
    this(message);
    initCause(cause);
  }
}
