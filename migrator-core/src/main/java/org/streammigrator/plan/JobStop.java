package org.streammigrator.plan;

/** How the old query's run is stopped before the cutover. */
public enum JobStop implements Choice {
  /** The run is cancelled. */
  CANCEL,
  /** Nothing is done: the run is waited for until it ends by itself. */
  WAIT,
  /** The declared command is run. */
  COMMAND
}
