package org.streammigrator.job;

import java.util.Objects;

/** What the values of all specs have in common. */
final class SpecValues {
  private SpecValues() {}

  /**
   * One of two words.
   *
   * @param usual what null means
   * @throws IllegalArgumentException if it is neither
   */
  static String oneOf(String value, String field, String usual, String other) {
    String chosen = Objects.requireNonNullElse(value, usual);
    if (!chosen.equals(usual) && !chosen.equals(other)) {
      throw new IllegalArgumentException(
          field + ": '" + chosen + "' is neither " + usual + " nor " + other);
    }
    return chosen;
  }

  /**
   * Looks whether a text is there.
   *
   * @throws IllegalArgumentException if it is null or blank
   */
  static void requireText(String value, String field) {
    if (value == null || value.isBlank()) {
      throw new IllegalArgumentException(field + " is missing");
    }
  }
}
