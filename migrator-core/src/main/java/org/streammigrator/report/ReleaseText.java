package org.streammigrator.report;

import org.streammigrator.archival.ReleaseResult;
import org.streammigrator.archival.SuccessorEvidence;

/** What became of a release, for people. */
public final class ReleaseText {
  private ReleaseText() {}

  /**
   * The result.
   *
   * @param name the name to confirm
   */
  public static String render(ReleaseResult result, String name) {
    StringBuilder text = new StringBuilder();
    text.append(
        switch (result.status()) {
          case RELEASED -> "Released: " + result.checkpoint() + " is deleted";
          case ALREADY_RELEASED -> "Released by an earlier run: " + result.checkpoint();
          case WOULD_RELEASE -> "Would be released (dry run): " + result.checkpoint();
          case TO_CONFIRM -> "To be released: " + result.checkpoint() + "; nothing was deleted yet";
          case REFUSED -> "Refused, nothing was deleted: " + result.checkpoint();
        });
    text.append("\n  archive    ").append(result.archive());
    if (result.files() > 0) {
      text.append("\n  holds      ").append(result.files()).append(" files of ");
      text.append(result.bytes()).append(" bytes");
    }
    text.append("\n  kept       ")
        .append(
            result.keepUntil() == null
                ? "nothing says until when the archive is kept"
                : "the archive, until " + result.keepUntil());
    if (result.evidence() != null) {
      evidence(text, result.evidence());
    }
    text.append('\n').append(FindingText.render(result.findings(), "  "));
    if (result.status() == ReleaseResult.Status.TO_CONFIRM) {
      text.append("  To delete it, run this again with --confirm ").append(name).append('\n');
    }
    return text.toString();
  }

  private static void evidence(StringBuilder text, SuccessorEvidence evidence) {
    text.append("\n  successor  ").append(evidence.successor());
    text.append("\n    finished   ").append(evidence.finished());
    if (evidence.firstBatch() != null) {
      text.append("\n    commits    batch ").append(evidence.firstBatch());
      text.append(" at ").append(evidence.firstCommit());
      text.append(evidence.fromTheStart() ? "" : " (older ones are no longer retained)");
      text.append(", to batch ").append(evidence.lastBatch());
      text.append(" at ").append(evidence.lastCommit());
      text.append("\n    pause      ").append(evidence.longestPauseMs() / 1000);
      text.append(" s at the longest between two of them");
    }
    text.append("\n    not known:");
    evidence.cannotKnow().forEach(each -> text.append("\n      ").append(each));
  }
}
