package org.streammigrator.job;

import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Collects what is wrong with the values of a record, so that all of it is told at once. */
final class SpecProblems {
  private final List<String> found = new ArrayList<>();

  /** Notes a problem, unless something holds. */
  void unless(boolean holds, String problem) {
    if (!holds) {
      found.add(problem);
    }
  }

  /** Notes that a text is missing: null or blank. */
  void requireText(String value, String field) {
    unless(value != null && !value.isBlank(), field + " is missing");
  }

  /**
   * One of two words; notes if it is neither.
   *
   * @param usual what null means
   */
  String oneOf(String value, String field, String usual, String other) {
    String chosen = Objects.requireNonNullElse(value, usual);
    boolean known = chosen.equals(usual) || chosen.equals(other);
    unless(known, field + ": '" + chosen + "' is neither " + usual + " nor " + other);
    return known ? chosen : usual;
  }

  /** The name of a time zone, UTC for null; notes if Java does not know it. */
  String timeZone(String value) {
    String zone = Objects.requireNonNullElse(value, "UTC");
    try {
      ZoneId.of(zone);
    } catch (DateTimeException unknown) {
      found.add("timeZone: " + unknown.getMessage());
    }
    return zone;
  }

  /** Notes what making a part of the record fails with. */
  void of(Runnable part) {
    try {
      part.run();
    } catch (IllegalArgumentException wrong) {
      found.add(wrong.getMessage());
    }
  }

  /**
   * Ends the collecting.
   *
   * @throws IllegalArgumentException if anything is wrong; a line for each problem
   */
  void raise() {
    if (!found.isEmpty()) {
      throw new IllegalArgumentException(String.join("\n", found));
    }
  }
}
