package org.streammigrator.discovery;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** How a discovered checkpoint is, from best to worst. */
public enum Health {
  /** Spark 4.2 would restart from it, as far as the logs and the sources' files tell. */
  OK,
  /** It would, and somebody should look at a finding first. */
  WARNING,
  /** It would not, or a finding is an error. */
  ERROR;

  /** The name in JSON, text and {@code --health}. */
  @JsonValue
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
