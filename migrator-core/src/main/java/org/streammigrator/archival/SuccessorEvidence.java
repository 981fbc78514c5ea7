package org.streammigrator.archival;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.List;

/**
 * What the successor's checkpoint shows of how it ran.
 *
 * @param successor where it is
 * @param finished when the migration finished, an ISO instant
 * @param firstBatch the oldest retained batch that it committed itself; null if there is none
 * @param firstCommit when that was, an ISO instant
 * @param lastBatch the newest batch that it committed; null if there is none
 * @param lastCommit when that was, an ISO instant
 * @param batches how many batches it committed itself, those no longer retained included
 * @param longestPauseMs the longest time between two retained commits, milliseconds
 * @param fromTheStart whether its first own batch is still retained, so that its whole run is seen
 * @param cannotKnow what a checkpoint does not show
 */
@JsonPropertyOrder({
  "successor",
  "finished",
  "firstBatch",
  "firstCommit",
  "lastBatch",
  "lastCommit",
  "batches",
  "longestPauseMs",
  "fromTheStart",
  "cannotKnow"
})
public record SuccessorEvidence(
    String successor,
    String finished,
    Long firstBatch,
    String firstCommit,
    Long lastBatch,
    String lastCommit,
    long batches,
    long longestPauseMs,
    boolean fromTheStart,
    List<String> cannotKnow) {

  /** What no checkpoint shows. */
  static final List<String> UNKNOWABLE =
      List.of(
          "whether what it wrote is right: prove compares that",
          "how often it failed and was started again between two commits",
          "why it paused: a query without input commits nothing",
          "whether another query still reads the old checkpoint without writing there");

  public SuccessorEvidence {
    cannotKnow = List.copyOf(cannotKnow);
  }
}
