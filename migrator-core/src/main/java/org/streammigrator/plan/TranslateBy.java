package org.streammigrator.plan;

/** What a position is carried to another table or cluster by. */
public enum TranslateBy implements Choice {
  /** The record timestamp of the first unread record. */
  TIMESTAMP,
  /** A declared or recorded mapping, such as MirrorMaker's checkpoints. */
  MAPPING,
  /** The record itself, found again by its content. */
  IDENTITY,
  /** The source version that a Delta clone records in its own log. */
  CLONE
}
