package org.streammigrator.finding;

import java.util.Collection;

/**
 * How exact a position or a migration is, from best to worst. A label is never better than what was
 * proved.
 */
public enum Exactness {
  /** Nothing is lost and nothing is read twice. */
  EXACT,
  /** Nothing is lost; a stated range is read twice. */
  OVERLAP,
  /** A stated range cannot be read any more. */
  LOSS,
  /** The position is known, but no reader option can say it; only a seeded checkpoint can. */
  NOT_EXPRESSIBLE,
  /** The position cannot be told. */
  UNKNOWN;

  /** The worst of the given labels; {@link #EXACT} when there is none. */
  public static Exactness worst(Collection<Exactness> labels) {
    Exactness worst = EXACT;
    for (Exactness label : labels) {
      if (label.compareTo(worst) > 0) {
        worst = label;
      }
    }
    return worst;
  }
}
