package org.streammigrator.job;

import static java.util.Objects.requireNonNull;

import org.streammigrator.finding.Finding;

/** A job that a finding forbids. Nothing was written. */
public final class JobRefusedException extends RuntimeException {
  private final transient Finding finding;
  private final boolean changed;

  private JobRefusedException(Finding finding, boolean changed) {
    super(finding.code() + ": " + finding.subject() + ": " + finding.message());
    this.finding = requireNonNull(finding, "finding");
    this.changed = changed;
  }

  /** Something is unsafe. */
  public static JobRefusedException unsafe(Finding finding) {
    return new JobRefusedException(finding, false);
  }

  /** What the spec was made for is not there any more: it was made anew, or changed. */
  public static JobRefusedException changed(Finding finding) {
    return new JobRefusedException(finding, true);
  }

  /** What forbids it. */
  public Finding finding() {
    return finding;
  }

  /** Whether the world is another one than the spec was made for. */
  public boolean isChanged() {
    return changed;
  }
}
