package org.streammigrator.copy;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import org.streammigrator.finding.Finding;

/** Something was not done because it would have been unsafe. */
public final class RefusedException extends IOException {
  private final transient Finding finding;

  public RefusedException(Finding finding) {
    super(finding.message());
    this.finding = requireNonNull(finding, "finding");
  }

  /** Why, with a stable code and a remedy. */
  public Finding finding() {
    return finding;
  }
}
