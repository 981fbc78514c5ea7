package org.streammigrator.backfill;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.ArrayList;
import java.util.List;
import org.streammigrator.job.BackfillResult;

/**
 * What a stream's backfill will do, as it is told before it is done.
 *
 * @param boundary which windows are whose
 * @param guard what the new query needs
 * @param sources what the job reads: up to where, files, bytes and records, where they are known
 * @param targetFiles how many files of the table a MERGE could touch; null once it was done
 * @param targetBytes their bytes; null likewise
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonPropertyOrder({"boundary", "guard", "sources", "targetFiles", "targetBytes", "explanation"})
public record BackfillOutlook(
    Boundary boundary,
    Guard guard,
    List<BackfillResult.Source> sources,
    Long targetFiles,
    Long targetBytes) {

  public BackfillOutlook {
    requireNonNull(boundary, "boundary");
    requireNonNull(guard, "guard");
    sources = List.copyOf(sources);
  }

  /** What a measurement says. */
  public static BackfillOutlook of(Boundary boundary, BackfillResult measured) {
    return new BackfillOutlook(
        boundary,
        Guard.of(boundary),
        measured.sources(),
        measured.targetFiles(),
        measured.targetBytes());
  }

  /** Once the measurement has been used. */
  public static BackfillOutlook of(Boundary boundary) {
    return new BackfillOutlook(boundary, Guard.of(boundary), List.of(), null, null);
  }

  /** Why no window is lost or computed twice, in sentences. */
  @JsonProperty
  public List<String> explanation() {
    List<String> sentences = new ArrayList<>();
    sentences.add(
        boundary.newestEvent() == null
            ? "No event was read before the position."
            : "No event that was read before the position is later than "
                + boundary.newestEvent()
                + ".");
    sentences.add(
        "The stream owns the windows that start at "
            + boundary.cut()
            + " or later: it sees every event of theirs, and drops all others by the guard.");
    sentences.add(
        "The job owns the windows that start before that"
            + (boundary.firstWindow() == null
                ? ", all of them, since the old query had no watermark"
                : ", from " + boundary.firstWindow() + " on, which were open at the old watermark")
            + (boundary.given().isEmpty() ? "" : ", and those it was given")
            + "; older ones stay as they are.");
    sentences.add(
        "Late events can come for the job's windows until the new query's watermark has reached "
            + boundary.finalAfter()
            + "; until then what the job computes is provisional.");
    return List.copyOf(sentences);
  }
}
