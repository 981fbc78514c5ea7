package org.streammigrator.migration;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.streammigrator.finding.Finding;

/**
 * How applying a plan ended for a stream.
 *
 * @param name the stream's name
 * @param status how it ended
 * @param message what that means, in a sentence
 * @param findings what was noticed
 * @param failure why it stopped part-way; empty otherwise
 */
@JsonPropertyOrder({"name", "status", "message", "findings"})
public record StreamOutcome(
    String name,
    Status status,
    String message,
    List<Finding> findings,
    @JsonIgnore Optional<Exception> failure) {

  /** The ways to end. */
  public enum Status {
    /** Finished now. */
    DONE,
    /** Finished by an earlier apply; nothing was done. */
    UNCHANGED,
    /** Its state is copied ahead; the query may still run, and an apply is to follow. */
    AHEAD,
    /** A finding forbids it; nothing was written. */
    REFUSED,
    /** Another operator holds the target, or took it over; nothing more was written. */
    LOCKED,
    /** Stopped part-way; the next apply goes on. */
    STOPPED,
    /** The new checkpoint is there; the final run of its backfill waits for the new query. */
    PROVISIONAL,
    /** What the new query has done so far is not what it should have; the journal is as it was. */
    NOT_VERIFIED,
    /** The old query's run has not ended yet; nothing was written. */
    QUIESCING,
    /** The new checkpoint is there, and the cutover waits for an apply without hold. */
    HELD,
    /** The new query's job has the new checkpoint, and its batches are waited for. */
    WATCHED,
    /** Not begun, since a stream that it waits for is not done. */
    WAITING;

    /** The name in JSON and text. */
    @JsonValue
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public StreamOutcome {
    requireNonNull(name, "name");
    requireNonNull(status, "status");
    requireNonNull(message, "message");
    findings = List.copyOf(findings);
  }

  /** The same in other words. */
  StreamOutcome withMessage(String words) {
    return new StreamOutcome(name, status, words, findings, failure);
  }

  /** Whether something outside is waited for. */
  @JsonIgnore
  public boolean isWaiting() {
    return switch (status) {
      case QUIESCING, HELD, WATCHED, WAITING, PROVISIONAL -> true;
      case DONE, UNCHANGED, AHEAD, REFUSED, LOCKED, STOPPED, NOT_VERIFIED -> false;
    };
  }

  /** Whether the stream is where the plan wants it. */
  @JsonIgnore
  public boolean finished() {
    return status == Status.DONE || status == Status.UNCHANGED;
  }
}
