package org.streammigrator.job;

import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_EMPTY;
import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_NULL;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.List;

/**
 * A range of a timestamp column, such as the starts of windows.
 *
 * @param from the first instant in it; null: unbounded
 * @param to the first instant after it; null: unbounded
 * @param also single instants outside of the bounds that are in it as well
 */
@JsonInclude(NON_NULL)
public record WindowRange(
    @JsonProperty(required = true) String column,
    Instant from,
    Instant to,
    @JsonInclude(NON_EMPTY) List<Instant> also) {
  public WindowRange {
    also = also == null ? List.of() : List.copyOf(also);
    SpecProblems wrong = new SpecProblems();
    wrong.requireText(column, "windows.column");
    wrong.unless(
        from == null || to == null || !to.isBefore(from),
        "windows.to " + to + " is before windows.from " + from);
    wrong.raise();
  }

  /** A range without single instants. */
  public WindowRange(String column, Instant from, Instant to) {
    this(column, from, to, List.of());
  }

  /** The same column and single instants, within other bounds. */
  public WindowRange within(Instant first, Instant afterLast) {
    return new WindowRange(column, first, afterLast, also);
  }
}
