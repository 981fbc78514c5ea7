package org.streammigrator.checkpoint;

import static java.util.Objects.requireNonNull;

import org.streammigrator.finding.FindingCode;

/** A file of a checkpoint that Spark could not read either; the code says in which way. */
public final class LogFormatException extends Exception {
  private static final long serialVersionUID = 1;

  private final FindingCode code;

  public LogFormatException(FindingCode code, String message) {
    super(message);
    this.code = requireNonNull(code, "code");
  }

  /** What kind of damage it is. */
  public FindingCode code() {
    return code;
  }
}
