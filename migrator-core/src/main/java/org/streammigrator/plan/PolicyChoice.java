package org.streammigrator.plan;

/** Which checkpoints a policy archives. */
public enum PolicyChoice implements Choice {
  /** Those that a finished migration went on from. */
  SUPERSEDED,
  /** Every one whose last commit is old enough. */
  IDLE
}
