package org.streammigrator.report;

import java.util.Locale;
import org.streammigrator.archival.PolicyResult;

/** What a run of a policy did, for people. */
public final class PolicyText {
  private PolicyText() {}

  /** The result: a line a checkpoint, and the counts. */
  public static String render(PolicyResult result) {
    StringBuilder text = new StringBuilder("Policy ").append(result.policy());
    text.append(result.dryRun() ? " (dry run: nothing was written)\n" : "\n");
    for (PolicyResult.Item item : result.checkpoints()) {
      boolean would = result.dryRun() && item.status() == PolicyResult.Status.ARCHIVED;
      String status = would ? "to do" : item.status().name().toLowerCase(Locale.ROOT);
      text.append("  ").append(String.format(Locale.ROOT, "%-9s", status)).append("  ");
      text.append(item.checkpoint());
      if (item.reason() != null) {
        text.append(": ").append(item.reason());
      } else {
        text.append(" -> ").append(item.archive());
        text.append(", ").append(item.files()).append(" files of ").append(item.bytes());
        text.append(" bytes");
        if (item.keepUntil() != null) {
          text.append(", to be kept until ").append(item.keepUntil());
        }
      }
      text.append('\n');
    }
    PolicyResult.Summary sum = result.summary();
    text.append(sum.found()).append(sum.found() == 1 ? " checkpoint: " : " checkpoints: ");
    text.append(sum.archived()).append(result.dryRun() ? " to archive, " : " archived, ");
    text.append(sum.unchanged()).append(" unchanged, ");
    text.append(sum.skipped()).append(" skipped, ").append(sum.failed()).append(" failed; ");
    text.append(sum.files()).append(" files of ").append(sum.bytes()).append(" bytes");
    text.append(result.dryRun() ? "\n" : " in " + sum.archiveBytes() + " bytes of new archives\n");
    return text + FindingText.render(result.findings(), "  ");
  }
}
