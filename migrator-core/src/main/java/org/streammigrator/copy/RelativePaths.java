package org.streammigrator.copy;

import java.util.Optional;

/** The rule for paths inside a tree, wherever they were read from. */
final class RelativePaths {

  private RelativePaths() {}

  /** What is wrong with a path that must stay below its root; empty if nothing is. */
  static Optional<String> problem(String path) {
    if (path.isEmpty()) {
      return Optional.of("the name is empty");
    }
    if (path.startsWith("/")) {
      return Optional.of("the name is absolute");
    }
    if (path.indexOf('\0') >= 0) {
      return Optional.of("the name holds a NUL character");
    }
    for (int start = 0; start <= path.length(); ) {
      int slash = path.indexOf('/', start);
      int end = slash < 0 ? path.length() : slash;
      boolean bad =
          end == start
              || path.charAt(start) == '.'
                  && (end == start + 1 || end == start + 2 && path.charAt(start + 1) == '.');
      if (bad) {
        return Optional.of("the name has a part '" + path.substring(start, end) + "'");
      }
      start = end + 1;
    }
    return Optional.empty();
  }
}
