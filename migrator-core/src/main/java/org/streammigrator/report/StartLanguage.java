package org.streammigrator.report;

import java.util.Locale;

/** What {@code resume --as} can print. */
public enum StartLanguage {
  /** PySpark. */
  PYTHON,
  /** Spark's Scala interface, for a notebook, the shell or a file. */
  SCALA,
  /** Streaming SQL. */
  SQL,
  /** Formats and options alone. */
  JSON;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
