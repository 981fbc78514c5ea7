package org.streammigrator.replay;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.time.Instant;
import org.streammigrator.plan.ReplaySink;

/**
 * The times of a replay.
 *
 * @param evictionMs the watermark by which the replay batch closes state: that of the last batch
 *     whose output is in the sink; milliseconds since the epoch, 0 where there is none
 * @param lateMs the watermark by which it drops its input, no more than {@code evictionMs}; 0 where
 *     it drops nothing
 * @param earliest the oldest event time that open state may depend on; null for every one there is
 * @param sink where the output of the replay batch goes
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonPropertyOrder({"evictionMs", "lateMs", "earliest", "sink"})
public record ReplayTimes(long evictionMs, long lateMs, Instant earliest, ReplaySink sink) {
  public ReplayTimes {
    requireNonNull(sink, "sink");
    if (lateMs < 0 || lateMs > evictionMs) {
      throw new IllegalArgumentException(
          "the watermark for late rows is " + lateMs + ", that for state " + evictionMs);
    }
  }
}
