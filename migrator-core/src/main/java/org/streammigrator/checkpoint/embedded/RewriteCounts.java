package org.streammigrator.checkpoint.embedded;

import static java.util.Objects.requireNonNull;

import java.util.Optional;

/**
 * What rewriting a file comes to.
 *
 * @param entries the number of embedded paths
 * @param rewritten how many of them change
 * @param uncovered how many of them no rule covers; they stay as they are
 * @param unreadable how many lines are no entries; they stay as they are
 * @param bytes the size of the rewritten file
 * @param sample the first path that changes
 * @param firstUncovered the first path that no rule covers
 */
public record RewriteCounts(
    long entries,
    long rewritten,
    long uncovered,
    long unreadable,
    long bytes,
    Optional<Sample> sample,
    Optional<String> firstUncovered) {

  /**
   * A path before and after.
   *
   * @param from as it stands in the old file
   * @param to as it stands in the new file
   */
  public record Sample(String from, String to) {
    public Sample {
      requireNonNull(from, "from");
      requireNonNull(to, "to");
    }
  }

  public RewriteCounts {
    requireNonNull(sample, "sample");
    requireNonNull(firstUncovered, "firstUncovered");
  }
}
