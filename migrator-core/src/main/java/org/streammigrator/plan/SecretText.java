package org.streammigrator.plan;

import static java.util.Objects.requireNonNull;

/**
 * A setting whose value may be a secret. What came from {@code ${env:NAME}} is shown as that
 * reference only; what is secret by the name of its key is shown as {@code ***}. Equality is by
 * value.
 */
public final class SecretText {
  private final String value;
  private final String shown;

  SecretText(String value, String shown) {
    this.value = requireNonNull(value, "value");
    this.shown = requireNonNull(shown, "shown");
  }

  /** A setting that is no secret. */
  public static SecretText plain(String value) {
    return new SecretText(value, value);
  }

  /** The value itself, never to be printed, logged or written. */
  public String value() {
    return value;
  }

  /** What may be printed and written. */
  @Override
  public String toString() {
    return shown;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SecretText that && value.equals(that.value);
  }

  @Override
  public int hashCode() {
    return value.hashCode();
  }
}
