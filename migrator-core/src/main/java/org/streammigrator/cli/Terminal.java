package org.streammigrator.cli;

import java.util.Optional;
import java.util.function.Function;

/**
 * What the launcher found out about the terminal: Java 17 tells only of stdin and stdout together.
 *
 * @param lively whether stderr is a terminal on which a line can be drawn again
 * @param width its columns, 20 or more
 */
public record Terminal(boolean lively, int width) {
  /** System property that the launcher sets if stderr is a terminal: its columns, or 0. */
  static final String COLUMNS = "migrator.stderr.columns";

  /** No terminal. */
  static final Terminal NONE = new Terminal(false, 80);

  private static final int USUAL = 80;
  private static final int NARROWEST = 20;

  /** The process's own. */
  static Terminal ofProcess(Function<String, Optional<String>> environment) {
    return of(Optional.ofNullable(System.getProperty(COLUMNS)), environment);
  }

  /** The one that the launcher told of. */
  static Terminal of(Optional<String> columns, Function<String, Optional<String>> environment) {
    if (columns.isEmpty() || environment.apply("TERM").orElse("dumb").equals("dumb")) {
      return NONE;
    }
    int width = columns.get().matches("[0-9]{1,5}") ? Integer.parseInt(columns.get()) : 0;
    return new Terminal(true, width == 0 ? USUAL : Math.max(NARROWEST, width));
  }
}
