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
    for (String part : path.split("/", -1)) {
      if (part.equals("..") || part.equals(".") || part.isEmpty()) {
        return Optional.of("the name has a part '" + part + "'");
      }
    }
    return Optional.empty();
  }
}
