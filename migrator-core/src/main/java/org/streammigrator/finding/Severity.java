package org.streammigrator.finding;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** How serious a {@link Finding} is. An error forbids going on; the other two do not. */
public enum Severity {
  INFO,
  WARNING,
  ERROR;

  /** The name used in JSON and text: {@code info}, {@code warning} or {@code error}. */
  @JsonValue
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
