package org.streammigrator.copy;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import org.streammigrator.storage.Location;

/** An archive is damaged, and so nothing was made of it. */
public final class DamagedException extends IOException {
  private final transient Location archive;
  private final transient Verification verification;

  DamagedException(Location archive, Verification verification) {
    super(message(archive, verification));
    this.archive = archive;
    this.verification = requireNonNull(verification, "verification");
  }

  private static String message(Location archive, Verification verification) {
    Damage first = verification.damage().get(0);
    int others = verification.damage().size() - 1;
    return archive
        + " is damaged: "
        + first.path()
        + ": "
        + first.message()
        + (others > 0 ? ", and " + others + " more" : "");
  }

  /** The archive. */
  public Location archive() {
    return archive;
  }

  /** What is damaged. */
  public Verification verification() {
    return verification;
  }
}
