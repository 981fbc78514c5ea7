package org.streammigrator.migration;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;
import org.streammigrator.plan.StreamPlan;

/** Where a stream's jobs stand, by the journal, in words. */
final class JobStatus {
  private JobStatus() {}

  /**
   * What comes next for the jobs of a stream; empty if nothing does.
   *
   * @param state see {@link StatusReport.StreamStatus}
   * @param steps the labels of the steps that are done
   */
  static Optional<String> next(
      Journal journal, StreamPlan stream, String state, List<String> steps) {
    if (!state.equals("part-way")) {
      return Optional.empty();
    }
    if (steps.contains(Step.Kind.PUBLISH.label()) && stream.cutover().isPresent()) {
      return Optional.of(
          Cutover.done(journal, stream).isPresent()
              ? "the new query's job has the new checkpoint; see that it runs, and apply the plan"
                  + " again, which watches its batches; or rollback"
              : Cutover.last(journal, stream, Cutover.EVENT).isPresent()
                  ? "the cutover has begun; apply the plan again, or rollback"
                  : "the new checkpoint is there and the old query is stopped; apply the plan again for"
                      + " the cutover, or rollback");
    }
    Optional<JsonNode> stopped = journal.last(stream.name(), Quiesce.EVENT);
    return stopped.map(
        entry ->
            (steps.contains(Step.Kind.QUIESCE.label())
                    ? "the old query's job " + entry.path("job").asText() + " is stopped"
                    : "the old query's job " + entry.path("job").asText() + " is being stopped")
                + (JobSettings.of(entry).isEmpty() ? "" : ", and what starts it is paused")
                + "; apply the plan again, it goes on where it stopped, or rollback, which puts the"
                + " job back");
  }
}
