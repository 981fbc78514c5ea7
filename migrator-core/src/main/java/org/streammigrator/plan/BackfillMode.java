package org.streammigrator.plan;

/** How a backfill writes its rows. */
public enum BackfillMode implements Choice {
  /** Rows of known keys are replaced. */
  UPSERT,
  /** Rows of known keys are left alone. */
  INSERT_ONLY
}
