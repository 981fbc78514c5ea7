package org.streammigrator.jobs;

import java.util.Optional;

/** Keeps the last line that is written. */
final class LastLine extends LineStream {
  private String last;

  @Override
  void line(String text) {
    last = text;
  }

  /** The line; empty if there was none. */
  Optional<String> line() {
    return Optional.ofNullable(last);
  }
}
