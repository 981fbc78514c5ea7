package org.streammigrator.plan;

import java.util.Locale;

/** A closed choice in a plan file: an enum whose constants are written by their labels. */
public interface Choice {
  /** The constant's Java name. */
  String name();

  /** What stands in the plan file: the name in lower case, with hyphens. */
  default String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
