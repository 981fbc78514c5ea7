package org.streammigrator.plan;

/** How a stream gets to its new checkpoint. */
public enum Strategy implements Choice {
  /** Same query, new place: copies the checkpoint. */
  RELOCATE,
  /** Same position, changed query, no state: writes a checkpoint at exactly the old position. */
  SEED,
  /** Same position, changed query, state rebuilt by the query itself. */
  REPLAY,
  /** Same query, back at an earlier batch. */
  REWIND,
  /** A batch job recomputes the open windows, the new query starts at the exact position. */
  BACKFILL,
  /** A new, empty checkpoint, and reader options to start at; a stated overlap. */
  START_OPTIONS;

  /**
   * Whether it writes a checkpoint of its own making at the old position, without the old state.
   */
  public boolean seeds() {
    return this == SEED || this == BACKFILL || this == REPLAY;
  }
}
