package org.streammigrator.job;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/**
 * What the validate job found.
 *
 * @param ok whether nothing is missing, nothing extra, and no key null that must not be
 * @param expectedRows rows that the sink should hold
 * @param actualRows rows that it holds
 * @param missing expected rows that it lacks; a row expected three times and held once counts twice
 * @param extra rows that it holds and should not, counted likewise
 * @param duplicateKeys keys that occur more often than expected; null where the spec names none
 * @param nullKeys rows of the sink whose key has a null; null where the spec names no keys
 * @param lateRows records that came too late; null where the spec does not say what that is
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
    Long nullKeys,
    Long lateRows,
    Examples examples,
    JsonNode source,
    long durationMs)
    implements JobResult {

  /**
   * Up to five rows of each kind, the first as they sort as texts, as JSON objects. What is a
   * secret by its column's name is shown as {@code ***}.
   */
  public record Examples(
      List<String> missing, List<String> extra, List<String> nullKeys, List<String> late) {
    public Examples {
      missing = List.copyOf(missing);
      extra = List.copyOf(extra);
      nullKeys = List.copyOf(nullKeys);
      late = List.copyOf(late);
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
