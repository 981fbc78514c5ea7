package org.streammigrator.copy;

import java.util.Objects;

/** The version of this program, as its jar says. */
final class ToolVersion {

  private ToolVersion() {}

  static String current() {
    return Objects.requireNonNullElse(
        ToolVersion.class.getPackage().getImplementationVersion(), "development");
  }
}
