package org.streammigrator.migration;

import static java.util.Objects.requireNonNull;

/**
 * A stream in one line of a report.
 *
 * @param name the stream's name
 * @param strategy the strategy's name
 * @param verdict what the end means for whoever waits for the plan
 * @param status how it ended, in a word or two
 * @param message that in a sentence
 * @param files how many files the new checkpoint was written with; null if none was
 * @param bytes how many bytes they have; null if none was
 * @param tookMs how long the steps took that are done, in milliseconds; null if that is not known
 * @param errors how many findings are errors
 * @param warnings how many are warnings
 */
public record StreamLine(
    String name,
    String strategy,
    Verdict verdict,
    String status,
    String message,
    Long files,
    Long bytes,
    Long tookMs,
    int errors,
    int warnings) {

  /** What an end means. */
  public enum Verdict {
    /** It is as the plan wants it. */
    GOOD,
    /** Something outside has to happen first. */
    WAITING,
    /** It was refused, or a check failed. */
    BAD,
    /** It stopped part-way, for a reason that is not in the stream. */
    STOPPED
  }

  public StreamLine {
    requireNonNull(name, "name");
    requireNonNull(strategy, "strategy");
    requireNonNull(verdict, "verdict");
    requireNonNull(status, "status");
    requireNonNull(message, "message");
  }
}
