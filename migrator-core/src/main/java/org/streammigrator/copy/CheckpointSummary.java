package org.streammigrator.copy;

import java.util.OptionalLong;
import org.streammigrator.checkpoint.Checkpoint;

/**
 * What a manifest says about the checkpoint it lists. Everything is null that the checkpoint does
 * not tell, because it is damaged or no checkpoint at all.
 *
 * @param queryId the identity of the streaming query
 * @param lastPlanned the highest batch number in the offset log
 * @param lastCommitted the highest batch number in both logs
 */
public record CheckpointSummary(String queryId, Long lastPlanned, Long lastCommitted) {

  /** What a checkpoint that was read tells. */
  public static CheckpointSummary of(Checkpoint checkpoint) {
    return new CheckpointSummary(
        checkpoint.queryId().orElse(null),
        boxed(checkpoint.lastPlanned()),
        boxed(checkpoint.lastCommitted()));
  }

  private static Long boxed(OptionalLong value) {
    return value.isPresent() ? value.getAsLong() : null;
  }

  /** Nothing is known. */
  public static CheckpointSummary unknown() {
    return new CheckpointSummary(null, null, null);
  }
}
