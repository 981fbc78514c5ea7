package org.streammigrator.checkpoint;

import static java.util.Objects.requireNonNull;

import java.util.Optional;
import org.streammigrator.finding.FindingCode;

/** A file of a checkpoint after an attempt to read it. */
public sealed interface LogFile<T> {

  /** It could be read. */
  record Readable<T>(T value) implements LogFile<T> {
    public Readable {
      requireNonNull(value, "value");
    }
  }

  /** It is there and Spark could not read it; {@code message} says what is wrong. */
  record Damaged<T>(FindingCode code, String message) implements LogFile<T> {
    public Damaged {
      requireNonNull(code, "code");
      requireNonNull(message, "message");
    }
  }

  /** It is not there. */
  record Missing<T>() implements LogFile<T> {}

  /** What was read; empty if it is damaged or missing. */
  default Optional<T> readable() {
    return this instanceof Readable<T> file ? Optional.of(file.value()) : Optional.empty();
  }
}
