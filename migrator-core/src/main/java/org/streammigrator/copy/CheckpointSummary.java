package org.streammigrator.copy;

/**
 * What a manifest says about the checkpoint it lists. Everything is null that the checkpoint does
 * not tell, because it is damaged or no checkpoint at all.
 *
 * @param queryId the identity of the streaming query
 * @param lastPlanned the highest batch number in the offset log
 * @param lastCommitted the highest batch number in both logs
 */
public record CheckpointSummary(String queryId, Long lastPlanned, Long lastCommitted) {

  /** Nothing is known. */
  public static CheckpointSummary unknown() {
    return new CheckpointSummary(null, null, null);
  }
}
