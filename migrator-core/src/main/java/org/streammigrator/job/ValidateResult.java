package org.streammigrator.job;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/**
 * What the validate job found.
 *
 * @param ok whether nothing is missing and nothing extra
 * @param expectedRows rows that the sink should hold
 * @param actualRows rows that it holds
 * @param missing expected rows that it lacks; a row expected three times and held once counts twice
 * @param extra rows that it holds and should not, counted likewise
 * @param duplicateKeys keys that occur more often than expected; null where the spec names none
 * @param source how far the source was read
 * @param durationMs wall clock, in milliseconds
 */
public record ValidateResult(
    boolean ok,
    long expectedRows,
    long actualRows,
    long missing,
    long extra,
    Long duplicateKeys,
    Examples examples,
    JsonNode source,
    long durationMs)
    implements JobResult {

  /** Up to five rows of each kind, as JSON objects. */
  public record Examples(List<String> missing, List<String> extra) {
    public Examples {
      missing = List.copyOf(missing);
      extra = List.copyOf(extra);
    }
  }

  public ValidateResult {
    requireNonNull(examples, "examples");
    requireNonNull(source, "source");
  }

  @Override
  public String job() {
    return ValidateSpec.JOB;
  }
}
