package org.streammigrator.finding;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.Collection;

/**
 * Something the tool noticed and its user should know.
 *
 * @param code the stable code that scripts match on
 * @param severity whether it forbids going on
 * @param subject what it is about: a file inside the checkpoint, a source, a table, a plan key
 * @param message what is wrong, with numbers
 * @param remedy what to do about it
 */
@JsonPropertyOrder({"code", "severity", "subject", "message", "remedy"})
public record Finding(
    FindingCode code, Severity severity, String subject, String message, String remedy) {

  public Finding {
    requireNonNull(code, "code");
    requireNonNull(severity, "severity");
    requireNonNull(subject, "subject");
    requireNonNull(message, "message");
    requireNonNull(remedy, "remedy");
  }

  /** A finding that forbids going on. */
  public static Finding error(FindingCode code, String subject, String message, String remedy) {
    return new Finding(code, Severity.ERROR, subject, message, remedy);
  }

  /** A finding that its user should look at, and that forbids nothing. */
  public static Finding warning(FindingCode code, String subject, String message, String remedy) {
    return new Finding(code, Severity.WARNING, subject, message, remedy);
  }

  /** A finding that is good to know. */
  public static Finding info(FindingCode code, String subject, String message, String remedy) {
    return new Finding(code, Severity.INFO, subject, message, remedy);
  }

  /** The same finding with another severity: an accepted error becomes a warning. */
  public Finding withSeverity(Severity other) {
    return new Finding(code, other, subject, message, remedy);
  }

  /** Whether any of the findings is an error. */
  public static boolean anyError(Collection<Finding> findings) {
    return findings.stream().anyMatch(finding -> finding.severity() == Severity.ERROR);
  }
}
