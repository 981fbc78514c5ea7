package org.streammigrator.position;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.streammigrator.finding.Exactness;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;

/**
 * Where to start when there is no checkpoint to read, only the newest time in the sink. Records do
 * not arrive in the order of their times: one that is older than the newest may become visible
 * later. So the start lies earlier by a slack, what is read twice has to be merged away, and what
 * came later than the slack is lost. Such a start is never exact.
 *
 * @param last the newest time that the sink has
 * @param slack how much earlier to start
 * @param start where to start: {@code last} minus {@code slack}
 * @param exactness {@link Exactness#OVERLAP} if the slack covers the lag that was seen, {@link
 *     Exactness#LOSS} if it does not, {@link Exactness#UNKNOWN} if nobody measured it
 * @param options the reader options, by kind of source
 * @param findings what the user should know
 */
@JsonPropertyOrder({"schema", "last", "slack", "start", "exactness", "options", "findings"})
public record TimestampStart(
    @JsonSerialize(using = ToStringSerializer.class) Instant last,
    @JsonSerialize(using = ToStringSerializer.class) Duration slack,
    @JsonSerialize(using = ToStringSerializer.class) Instant start,
    Exactness exactness,
    Map<String, Map<String, String>> options,
    List<Finding> findings) {

  public TimestampStart {
    requireNonNull(last, "last");
    requireNonNull(slack, "slack");
    requireNonNull(start, "start");
    requireNonNull(exactness, "exactness");
    options = Collections.unmodifiableMap(new TreeMap<>(options));
    findings = List.copyOf(findings);
  }

  /** The version of this record's JSON. */
  @JsonProperty
  public String schema() {
    return "migrator/timestamp-start/1";
  }

  /**
   * Computes the start.
   *
   * @param slack not negative
   * @param lag the longest time that was seen between a record's own time and the moment that it
   *     became visible; empty if nobody measured it
   * @throws IllegalArgumentException if the slack is negative
   */
  public static TimestampStart of(Instant last, Duration slack, Optional<Duration> lag) {
    if (slack.isNegative()) {
      throw new IllegalArgumentException("the slack must not be negative: " + slack);
    }
    Instant start = last.minus(slack);
    List<Finding> findings = new ArrayList<>();
    findings.add(
        Finding.warning(
            FindingCode.INEXACT_POSITION,
            "time",
            "a position by time is never exact: records do not arrive in the order of their times",
            "use the checkpoint's offsets if there is one; MERGE by key what is read twice"));
    Exactness exactness;
    if (lag.isEmpty()) {
      exactness = Exactness.UNKNOWN;
      findings.add(
          Finding.warning(
              FindingCode.INEXACT_POSITION,
              "slack",
              "nobody says how late records become visible, so nothing tells whether a slack of "
                  + slack
                  + " is enough",
              "measure the longest lag between a record's time and its arrival, and give it with"
                  + " --observed-lag"));
    } else if (lag.get().compareTo(slack) > 0) {
      exactness = Exactness.LOSS;
      findings.add(
          Finding.error(
              FindingCode.INEXACT_POSITION,
              "slack",
              "the slack of "
                  + slack
                  + " is shorter than the lag of "
                  + lag.get()
                  + " that was seen: a record that late is missed",
              "take a slack of at least " + lag.get()));
    } else {
      exactness = Exactness.OVERLAP;
    }
    Map<String, Map<String, String>> options =
        Map.of(
            "delta", Map.of("startingTimestamp", start.toString()),
            "kafka", Map.of("startingTimestamp", Long.toString(start.toEpochMilli())));
    return new TimestampStart(last, slack, start, exactness, options, findings);
  }
}
