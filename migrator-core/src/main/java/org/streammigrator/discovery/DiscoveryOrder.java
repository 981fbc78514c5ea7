package org.streammigrator.discovery;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Comparator;
import java.util.Locale;

/** The orders that checkpoints are listed in; equal ones by path. */
public enum DiscoveryOrder {
  /** By path. */
  PATH(Comparator.comparing(DiscoveredCheckpoint::path)),
  /** Those that stand still for longest first. */
  AGE(Comparator.comparingLong(DiscoveredCheckpoint::ageMs).reversed()),
  /** The largest first, by all files if they were counted. */
  SIZE(Comparator.comparingLong(DiscoveryOrder::bytes).reversed()),
  /** The worst first. */
  HEALTH(Comparator.comparing(DiscoveredCheckpoint::health).reversed()),
  /** By the last name of the path. */
  NAME(Comparator.comparing(DiscoveredCheckpoint::name));

  private final Comparator<DiscoveredCheckpoint> comparator;

  DiscoveryOrder(Comparator<DiscoveredCheckpoint> comparator) {
    this.comparator = comparator.thenComparing(DiscoveredCheckpoint::path);
  }

  Comparator<DiscoveredCheckpoint> comparator() {
    return comparator;
  }

  private static long bytes(DiscoveredCheckpoint checkpoint) {
    return checkpoint.allBytes() == null ? checkpoint.logBytes() : checkpoint.allBytes();
  }

  /** The name in {@code --sort}. */
  @JsonValue
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
