package org.streammigrator.migration;

import java.io.IOException;

/** Another operator holds what is to be written, or took it over; nothing more may be written. */
public final class LockedException extends IOException {
  private static final long serialVersionUID = 1L;

  LockedException(String message) {
    super(message);
  }
}
