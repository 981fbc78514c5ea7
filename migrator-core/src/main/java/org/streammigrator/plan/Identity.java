package org.streammigrator.plan;

/** Whether the new checkpoint goes on under the query id of the old one. */
public enum Identity implements Choice {
  /** The same query id: batch numbers go on, and so does the sink's deduplication. */
  KEEP,
  /** A new query id, for another sink. */
  NEW
}
