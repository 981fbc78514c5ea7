package org.streammigrator.copy;

import java.io.IOException;

/** The bytes of an archive cannot be decoded any further. */
final class BrokenArchiveException extends IOException {
  private final Damage.Kind kind;

  BrokenArchiveException(Damage.Kind kind, String message) {
    super(message);
    this.kind = kind;
  }

  Damage.Kind kind() {
    return kind;
  }
}
