package org.streammigrator.copy;

import java.util.Optional;
import org.streammigrator.checkpoint.HadoopCrc;

/** A checksum file, and whether it fits the file it is about, once that has been read. */
final class Guard {
  private final byte[] sums;
  private Optional<Boolean> fits = Optional.empty();

  Guard(byte[] sums) {
    this.sums = sums;
  }

  byte[] sums() {
    return sums;
  }

  /** Begins a reading of the whole file. */
  HadoopCrc.Check begin() {
    return new HadoopCrc.Check(sums);
  }

  /** Ends the reading that was begun with the check. */
  void end(HadoopCrc.Check check) {
    fits = Optional.of(check.matches());
  }

  /** Empty as long as the file has not been read to its end. */
  Optional<Boolean> fits() {
    return fits;
  }
}
