package org.streammigrator.plan;

/** What is done when a new query fails while it is watched. */
public enum WatchFailure implements Choice {
  /** Nothing: it is told. */
  STOP,
  /** The stream is rolled back. */
  ROLLBACK
}
