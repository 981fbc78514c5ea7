package org.streammigrator.migration;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.List;
import org.streammigrator.authoring.Draft;

/**
 * The result of a dry run.
 *
 * @param plan the plan's name
 * @param streams what applying would do to each stream
 */
@JsonPropertyOrder({"schema", "plan", "streams", "summary"})
public record PlanReport(String plan, List<StreamItinerary> streams) {

  public PlanReport {
    requireNonNull(plan, "plan");
    streams = List.copyOf(streams);
  }

  /** The version of this record's JSON. */
  @JsonProperty
  public String schema() {
    return "migrator/plan/1";
  }

  /**
   * Sums over the streams.
   *
   * @param streams how many there are
   * @param steps how many steps are to be done
   * @param files how many files new checkpoints will have
   * @param bytes how many bytes all steps write
   * @param refused how many streams are refused
   */
  @JsonPropertyOrder({"streams", "steps", "files", "bytes", "refused"})
  public record Summary(int streams, int steps, int files, long bytes, int refused) {}

  /** The sums. */
  @JsonProperty
  public Summary summary() {
    return new Summary(
        streams.size(),
        streams.stream().mapToInt(stream -> stream.steps().size()).sum(),
        streams.stream()
            .mapToInt(stream -> stream.draft().map(Draft::files).map(List::size).orElse(0))
            .sum(),
        streams.stream().flatMap(stream -> stream.steps().stream()).mapToLong(Step::bytes).sum(),
        (int) streams.stream().filter(StreamItinerary::refused).count());
  }
}
