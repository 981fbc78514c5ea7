package org.streammigrator.plan;

/** A kind of source or sink, which is the key that its address stands under. */
public interface PlaceKind extends Choice {
  /** Whether the address is a path (or a table name) and not, say, a broker. */
  boolean isPath();
}
