package org.streammigrator.plan;

/** Where the rows of the replayed batch go. */
public enum ReplaySink implements Choice {
  /** The query's own sink. */
  REAL,
  /** A place that is thrown away after it was compared. */
  SCRATCH,
  /** The query's own sink, through an idempotent MERGE. */
  MERGE
}
