package org.streammigrator.copy;

import java.util.List;

/**
 * What verifying an archive or a copy found.
 *
 * @param files the number of files that were read
 * @param bytes the number of bytes in them
 * @param damage every difference found; none means that all is as the manifest says
 */
public record Verification(long files, long bytes, List<Damage> damage) {

  public Verification {
    damage = List.copyOf(damage);
  }

  /** Whether everything is as the manifest says. */
  public boolean ok() {
    return damage.isEmpty();
  }
}
