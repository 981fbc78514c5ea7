package org.streammigrator.migration;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.List;
import org.streammigrator.authoring.Draft;
import org.streammigrator.plan.ReplaySink;
import org.streammigrator.replay.ReplayRange;

/**
 * What a stream's replay will do, as it is told before it is done.
 *
 * @param batch the batch that rebuilds the state
 * @param sink where its output goes
 * @param range what it reads again, and by which watermarks; null once the new checkpoint is there
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonPropertyOrder({"batch", "sink", "range", "run"})
public record ReplayOutlook(long batch, ReplaySink sink, ReplayRange range) {
  public ReplayOutlook {
    requireNonNull(sink, "sink");
  }

  static ReplayOutlook of(ReplayRange range, Draft draft) {
    return new ReplayOutlook(draft.lastPlanned().orElseThrow(), range.times().sink(), range);
  }

  /** Whether the batch must not write into the query's own sink. */
  @JsonIgnore
  public boolean isScratch() {
    return sink == ReplaySink.SCRATCH;
  }

  /** How to run that batch with its output elsewhere, in two ways; null where it need not be. */
  @JsonProperty
  public List<String> run() {
    return isScratch()
        ? List.of(
            "Run the new query once from the new checkpoint with another sink, its output mode as it"
                + " is: .writeStream.format(\"noop\").trigger(once=True) in Python,"
                + " .format(\"noop\").trigger(Trigger.Once()) in Scala. No other trigger: it runs batch "
                + batch
                + " and ends. Apply the plan again; then start the query as it is.",
            "Or, where it writes by foreachBatch, switch on the number: if it is "
                + batch
                + ", batch.write.format(\"noop\").mode(\"overwrite\").save() (Python and Scala alike), else"
                + " as it is, with an action in both branches. The query may then go on by itself, and"
                + " the plan is applied again with --accept REPLAY_NOT_VERIFIED.")
        : null;
  }
}
