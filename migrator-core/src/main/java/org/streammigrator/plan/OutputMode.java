package org.streammigrator.plan;

/** The output mode of the new query. */
public enum OutputMode implements Choice {
  APPEND,
  UPDATE,
  COMPLETE
}
