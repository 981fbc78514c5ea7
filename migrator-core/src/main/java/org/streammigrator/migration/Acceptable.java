package org.streammigrator.migration;

import org.streammigrator.finding.FindingCode;

/** Which findings a user may take knowingly. */
public final class Acceptable {
  private Acceptable() {}

  /** Whether a plan goes on when its user accepts findings of that code. */
  public static boolean isAcceptable(FindingCode code) {
    return AcceptedFindings.isAcceptable(code);
  }
}
