package org.streammigrator.migration;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonValue;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.streammigrator.finding.Finding;

/**
 * How rolling back ended for a stream.
 *
 * @param name the stream's name
 * @param status how it ended
 * @param message what that means, in a sentence
 * @param kept what this plan wrote and stays, such as archives
 * @param findings what was noticed
 * @param failure why it stopped part-way; empty otherwise
 */
@JsonPropertyOrder({"name", "status", "message", "kept", "findings"})
public record RollbackOutcome(
    String name,
    Status status,
    String message,
    List<String> kept,
    List<Finding> findings,
    @JsonIgnore Optional<IOException> failure) {

  /** The ways to end. */
  public enum Status {
    /** What the plan wrote is gone. */
    ROLLED_BACK,
    /** The plan wrote nothing, or that is gone already. */
    NOTHING,
    /** A finding forbids it; nothing was removed. */
    REFUSED,
    /** Stopped part-way; the next rollback goes on. */
    STOPPED;

    /** The name in JSON and text. */
    @JsonValue
    public String label() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  public RollbackOutcome {
    requireNonNull(name, "name");
    requireNonNull(status, "status");
    requireNonNull(message, "message");
    kept = List.copyOf(kept);
    findings = List.copyOf(findings);
    requireNonNull(failure, "failure");
  }
}
