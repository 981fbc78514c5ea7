package org.streammigrator.plan;

/** How much of a checkpoint a relocation copies. */
public enum CopyScope implements Choice {
  /** What a restart needs. */
  LIVE,
  /** Every file. */
  ALL
}
