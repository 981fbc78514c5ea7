package org.streammigrator.plan;

import java.util.Locale;

/** The format of an archive. */
public enum ArchiveFormat implements Choice {
  TAR_ZST,
  TAR_GZ,
  TAR;

  /** The file name extension without its leading dot: {@code tar.zst}. */
  @Override
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '.');
  }
}
