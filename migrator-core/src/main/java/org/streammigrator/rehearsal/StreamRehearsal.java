package org.streammigrator.rehearsal;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.List;
import java.util.Locale;
import org.streammigrator.finding.Finding;

/**
 * How the rehearsal of a stream ended.
 *
 * @param name the stream's name
 * @param status how it ended
 * @param message what that means, in a sentence
 * @param scratch where everything that was written is, or was
 * @param checkpoint the scratch copy of the new checkpoint
 * @param kept whether the scratch place is still there
 * @param exactness what going on from the new checkpoint gives; null if there is none
 * @param batch the first batch that the new query runs; null if no checkpoint was written
 * @param batches how many batches it committed
 * @param sources from where to where its first batch read each source
 * @param sinks what is in the scratch sinks
 * @param query how the query's process ended; null if none was started
 * @param findings what was noticed
 */
@JsonPropertyOrder({
  "name",
  "status",
  "message",
  "scratch",
  "checkpoint",
  "kept",
  "exactness",
  "batch",
  "batches",
  "sources",
  "sinks",
  "query",
  "findings"
})
public record StreamRehearsal(
    String name,
    Status status,
    String message,
    String scratch,
    String checkpoint,
    boolean kept,
    String exactness,
    Long batch,
    long batches,
    List<SourceRun> sources,
    List<SinkRun> sinks,
    QueryRun query,
    List<Finding> findings) {

  /** The ways to end. */
  public enum Status {
    /** The query ran from the scratch copy and began where it had to. */
    REHEARSED,
    /** The scratch copy is written and verified; the plan has no command that starts the query. */
    WRITTEN,
    /** An earlier apply finished the stream. */
    UNCHANGED,
    /** A finding forbids it. */
    REFUSED,
    /** The query did not do what it had to. */
    FAILED,
    /** Storage or the machine failed. */
    STOPPED;

    /** The name in JSON and text. */
    @JsonValue
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * The first batch of one source, by the scratch checkpoint's own plans.
   *
   * @param id the source in the new checkpoint
   * @param planned the line that stands for the position of the old query; null for a new source
   * @param at which end of the batch that has to be: {@code start} or {@code end}
   * @param start the line at which the batch began; null for the starting options of the query
   * @param end the line at which it ended; null if there was no batch
   * @param from the start in words
   * @param to the end in words
   * @param asPlanned whether they are what they had to be
   */
  @JsonPropertyOrder({"id", "planned", "at", "start", "end", "from", "to", "asPlanned"})
  public record SourceRun(
      String id,
      String planned,
      String at,
      String start,
      String end,
      String from,
      String to,
      boolean asPlanned) {}

  /**
   * A scratch sink.
   *
   * @param place where it is
   * @param files its data files
   * @param bytes of those
   * @param rows its rows; null where that is not known
   */
  @JsonPropertyOrder({"place", "files", "bytes", "rows"})
  public record SinkRun(String place, long files, long bytes, Long rows) {}

  /**
   * How the query's process ended.
   *
   * @param ended {@code after-batches}: it was ended once it had committed them; {@code by-itself};
   *     {@code out-of-time}: it was ended because it had not
   * @param exit the exit code; null if it does not tell
   * @param killed whether it had to be killed, since it did not end when it was asked to
   * @param lines what it said last; only where it failed
   */
  @JsonPropertyOrder({"ended", "exit", "killed", "lines"})
  public record QueryRun(String ended, Integer exit, boolean killed, List<String> lines) {
    public QueryRun {
      requireNonNull(ended, "ended");
      lines = List.copyOf(lines);
    }
  }

  public StreamRehearsal {
    requireNonNull(name, "name");
    requireNonNull(status, "status");
    requireNonNull(message, "message");
    sources = List.copyOf(sources);
    sinks = List.copyOf(sinks);
    findings = List.copyOf(findings);
  }

  /** Whether nothing speaks against the migration. */
  @JsonIgnore
  public boolean isGood() {
    return status == Status.REHEARSED || status == Status.WRITTEN || status == Status.UNCHANGED;
  }

  /** The same, with whether its scratch place is still there. */
  public StreamRehearsal withKept(boolean isKept) {
    return new StreamRehearsal(
        name,
        status,
        message,
        scratch,
        checkpoint,
        isKept,
        exactness,
        batch,
        batches,
        sources,
        sinks,
        query,
        findings);
  }
}
