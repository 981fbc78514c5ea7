package org.streammigrator.migration;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.ArrayList;
import java.util.List;
import org.streammigrator.authoring.Draft;
import org.streammigrator.authoring.TargetFile;
import org.streammigrator.checkpoint.embedded.RewriteCounts;

/**
 * A file whose embedded paths are rewritten.
 *
 * @param file its path in the new checkpoint, or its place if it is of a sink's log
 * @param entries how many paths it embeds
 * @param rewritten how many of them change
 * @param uncovered how many of them no rule covers
 * @param from the first path that changes
 * @param to what it becomes
 */
@JsonPropertyOrder({"file", "entries", "rewritten", "uncovered", "from", "to"})
public record PathRewrite(
    String file, long entries, long rewritten, long uncovered, String from, String to) {

  public PathRewrite {
    requireNonNull(file, "file");
    requireNonNull(from, "from");
    requireNonNull(to, "to");
  }

  /**
   * The rewritten files of a draft.
   *
   * @param directory what stands before their paths
   */
  static List<PathRewrite> of(Draft draft, String directory) {
    List<PathRewrite> rewrites = new ArrayList<>();
    for (TargetFile drafted : draft.files()) {
      TargetFile file = drafted instanceof TargetFile.Seen seen ? seen.file() : drafted;
      if (file instanceof TargetFile.Rewritten rewritten) {
        RewriteCounts counts = rewritten.from().counts();
        RewriteCounts.Sample sample = counts.sample().orElseThrow();
        rewrites.add(
            new PathRewrite(
                directory + file.path(),
                counts.entries(),
                counts.rewritten(),
                counts.uncovered(),
                sample.from(),
                sample.to()));
      }
    }
    return rewrites;
  }
}
