package org.streammigrator.compatibility;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** What happens when the changed query is started on the old checkpoint. */
public enum Effect {
  /** It starts, and the change takes effect. */
  ALLOWED(true),
  /** It starts, and goes on as before: the checkpoint's own value wins. */
  IGNORED(true),
  /** It starts, and the result is wrong, without an error. */
  SILENT(false),
  /** It does not start, or fails in its first batch. */
  FAILS(false);

  private final boolean compatible;

  Effect(boolean compatible) {
    this.compatible = compatible;
  }

  /** Whether the checkpoint can be kept. */
  public boolean compatible() {
    return compatible;
  }

  /** The verdict in JSON and text. */
  public String verdict() {
    return compatible ? "compatible" : "incompatible";
  }

  /** The name in JSON and text. */
  @JsonValue
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
