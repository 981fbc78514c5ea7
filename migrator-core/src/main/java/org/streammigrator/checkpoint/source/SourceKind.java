package org.streammigrator.checkpoint.source;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The kinds of source that a checkpoint can be told to hold, by the names of the JSON outputs. */
public enum SourceKind {
  DELTA,
  KAFKA,
  EVENTHUBS,
  FILES,
  RATE,
  RATE_MICRO_BATCH,
  NONE,
  UNKNOWN;

  /** The name in JSON, text and {@code --source ID=KIND}. */
  @JsonValue
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The kind of a name; empty if there is none such. */
  public static Optional<SourceKind> ofLabel(String label) {
    return Arrays.stream(values()).filter(kind -> kind.label().equals(label)).findFirst();
  }
}
