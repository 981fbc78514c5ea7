package org.streammigrator.compatibility;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** The ways to bring a change about, the cheapest first. */
public enum Way {
  /** Nothing is to be done, and nothing changes. */
  NONE,
  /** Start the changed query on the old checkpoint. */
  RESTART,
  /** The same query from another place. */
  RELOCATE,
  /** A new, empty checkpoint with reader options. */
  START_OPTIONS,
  /** A new checkpoint at the old position, without the old state. */
  SEED,
  /** A new checkpoint whose first batch builds the new state from the source. */
  REPLAY,
  /** A batch job for the windows that are open, and a new checkpoint. */
  BACKFILL;

  /** The name of the strategy in JSON, text and plans. */
  @JsonValue
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
