package org.streammigrator.copy;

import java.util.Objects;

/** The version of this program, as its jar says. */
public final class ToolVersion {

  private ToolVersion() {}

  /** The version; {@code development} where the program does not run from its jar. */
  public static String current() {
    return Objects.requireNonNullElse(
        ToolVersion.class.getPackage().getImplementationVersion(), "development");
  }
}
