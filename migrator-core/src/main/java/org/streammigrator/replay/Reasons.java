package org.streammigrator.replay;

import static java.util.Objects.requireNonNull;

import java.util.List;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;

/** Collects what speaks against a replay. */
record Reasons(List<Finding> findings) {
  Reasons {
    requireNonNull(findings, "findings");
  }

  void add(Finding finding) {
    findings.add(finding);
  }

  /** The plan does not say enough. */
  void incomplete(String subject, String message, String remedy) {
    add(Finding.error(FindingCode.PLAN_INCOMPLETE, subject, message, remedy));
  }

  /** It would not be exact. */
  void inexact(String subject, String message, String remedy) {
    add(Finding.error(FindingCode.REPLAY_INEXACT, subject, message, remedy));
  }

  /** What is to be read again is not there any more. */
  void gone(String subject, String message) {
    add(
        Finding.error(
            FindingCode.REPLAY_RANGE_GONE,
            subject,
            message,
            "restore it from a copy; strategy relocate takes the state along instead of rebuilding it,"
                + " and strategy backfill computes open windows from what is left in the table"));
  }

  /** This program cannot do it. */
  void unavailable(String subject, String message, String remedy) {
    add(Finding.error(FindingCode.NOT_AVAILABLE, subject, message, remedy));
  }
}
