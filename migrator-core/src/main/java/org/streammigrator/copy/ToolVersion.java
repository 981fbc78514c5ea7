package org.streammigrator.copy;

/** The version of this program, which every manifest names. */
public final class ToolVersion {
  /** The version, the same as the build's. */
  public static final String CURRENT = "0.1.0";

  private ToolVersion() {}
}
