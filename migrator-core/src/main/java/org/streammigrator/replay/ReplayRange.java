package org.streammigrator.replay;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.ArrayList;
import java.util.List;
import org.streammigrator.plan.ReplaySink;

/**
 * What a replay reads again, and by which watermarks.
 *
 * @param times the watermarks, and the oldest event time that is needed
 * @param sources where each source begins
 */
@JsonPropertyOrder({"times", "sources", "explanation"})
public record ReplayRange(ReplayTimes times, List<ReplayStart> sources) {
  public ReplayRange {
    requireNonNull(times, "times");
    sources = List.copyOf(sources);
  }

  /** Whether state may come to hold rows that the old query dropped as late. */
  @JsonIgnore
  public boolean mayCountLateRows() {
    return times.lateMs() < times.evictionMs();
  }

  /** Why nothing is lost or comes twice, in sentences. */
  @JsonProperty
  public List<String> explanation() {
    List<String> sentences = new ArrayList<>();
    sentences.add(
        times.earliest() == null
            ? "Open state may depend on every event that was read."
            : "Open state may depend on events from " + times.earliest() + " on.");
    sentences.add(
        "The first batch of the new query reads them again and ends at the old position, by the"
            + " watermark that the old query had reached ("
            + java.time.Instant.ofEpochMilli(times.evictionMs())
            + "), so that it closes again what was closed"
            + (mayCountLateRows()
                ? "; it drops as late only what is late by "
                    + java.time.Instant.ofEpochMilli(times.lateMs())
                    + "."
                : "."));
    if (mayCountLateRows()) {
      sentences.add(
          "Rows that the old query dropped as late are in that range, too, and count in the open state"
              + " now: nothing in the checkpoint tells how many there were. That the two differ needs"
              + " Spark 3.4 or later, with spark.sql.streaming.statefulOperator.allowMultiple on.");
    }
    sentences.add(
        times.sink() == ReplaySink.REAL
            ? "That batch gives out nothing that the sink has."
            : times.sink() == ReplaySink.MERGE
                ? "What that batch gives out again replaces the same rows by the MERGE on keys."
                : "That batch gives out rows again which the sink has: it has to run with its output"
                    + " elsewhere.");
    return List.copyOf(sentences);
  }
}
