package org.streammigrator.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * The help of the whole program, written down once: putting it together from all commands takes
 * several times as long as the start of the JVM. A test holds it against what the commands say.
 */
final class ProgramHelp {
  private ProgramHelp() {}

  static String text() {
    try (InputStream in = ProgramHelp.class.getResourceAsStream("help.txt")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
