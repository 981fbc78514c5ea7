package org.streammigrator.plan;

/** How serious a failed check is. */
public enum CheckLevel implements Choice {
  ERROR,
  WARNING,
  OFF
}
