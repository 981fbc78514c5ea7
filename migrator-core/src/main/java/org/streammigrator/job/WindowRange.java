package org.streammigrator.job;

import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_NULL;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;

/**
 * A range of a timestamp column, such as the starts of windows.
 *
 * @param from the first instant in it; null: unbounded
 * @param to the first instant after it; null: unbounded
 */
@JsonInclude(NON_NULL)
public record WindowRange(@JsonProperty(required = true) String column, Instant from, Instant to) {
  public WindowRange {
    SpecProblems wrong = new SpecProblems();
    wrong.requireText(column, "windows.column");
    wrong.unless(
        from == null || to == null || !to.isBefore(from),
        "windows.to " + to + " is before windows.from " + from);
    wrong.raise();
  }

  /** The same column within other bounds. */
  public WindowRange within(Instant first, Instant afterLast) {
    return new WindowRange(column, first, afterLast);
  }
}
