package org.streammigrator.backfill;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * Where the windows of the job end and those of the stream begin.
 *
 * <p>The job owns the windows that were open at the position and start before the cut, and those
 * that it was given; the stream owns all others that start at the cut or later. The cut is later
 * than every event that was processed before the position, so that the stream sees every event of
 * its windows. No window is computed by both.
 *
 * @param cut the start of the first window that the stream owns
 * @param firstWindow the start of the first window that was open at the position; null: all are
 *     computed again
 * @param given starts of windows beyond the cut that the job owns nevertheless, in order
 * @param watermarkMs the old query's watermark at the position, milliseconds of the epoch; 0 if it
 *     had none
 * @param newestEvent no event before the position is later; null if there is none
 * @param begins of Kafka sources, by name: the offsets at which the job begins to read, so that a
 *     later run that finds them gone refuses instead of computing from what is left
 * @param finalAfter the end of the last window that the job owns: once the new query's watermark
 *     has reached it, no event can come for them any more that the stream would have taken
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonPropertyOrder({
  "cut",
  "firstWindow",
  "given",
  "watermarkMs",
  "newestEvent",
  "begins",
  "finalAfter"
})
public record Boundary(
    Instant cut,
    Instant firstWindow,
    List<Instant> given,
    long watermarkMs,
    Instant newestEvent,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, JsonNode> begins,
    Instant finalAfter) {

  public Boundary {
    requireNonNull(cut, "cut");
    given = given == null ? List.of() : List.copyOf(given);
    begins = begins == null ? Map.of() : Map.copyOf(begins);
    requireNonNull(finalAfter, "finalAfter");
  }
}
