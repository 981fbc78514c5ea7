package org.streammigrator.job;

import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_NULL;
import static org.streammigrator.job.SpecValues.oneOf;
import static org.streammigrator.job.SpecValues.requireText;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Objects;

/**
 * What the validate job compares: the rows that a sink should hold, computed from its source, with
 * those that it holds, as multisets.
 *
 * @param source what is read; its rows are a view named {@code source.name}
 * @param sink what is compared with it
 * @param keys columns of the compared rows that identify a record; empty: keys are not looked at
 * @param nullKeys {@code refuse} (the default): a row of the sink whose key has a null is wrong; or
 *     {@code value}: such rows are counted, and null is a key like any other
 * @param sql a query over the view that gives the expected rows; null: the columns that source and
 *     sink share, as they are
 * @param windows compares only rows in a range of time; null: all rows
 * @param late counts the records that came too late; null: nothing is late
 * @param timeZone the session's time zone; null: UTC
 * @param result where the job's main writes its result; null: nowhere
 */
@JsonInclude(NON_NULL)
public record ValidateSpec(
    @JsonProperty(required = true) SourceSpec source,
    @JsonProperty(required = true) Sink sink,
    List<String> keys,
    String nullKeys,
    String sql,
    WindowRange windows,
    Late late,
    String timeZone,
    String result)
    implements JobSpec {
  /** The job's name. */
  public static final String JOB = "validate";

  /**
   * @param delta the table's path
   */
  public record Sink(@JsonProperty(required = true) String delta) {
    public Sink {
      requireText(delta, "sink.delta");
    }
  }

  /**
   * Which records came too late: those of the source's range with an event time before some
   * instant. If that is the watermark of the stream where the range begins, the newest event time
   * until then less the delay, these are the records that the stream may have dropped.
   *
   * @param column a timestamp column of the source
   * @param before the first instant that is not too late
   */
  public record Late(
      @JsonProperty(required = true) String column, @JsonProperty(required = true) Instant before) {
    public Late {
      requireText(column, "late.column");
      if (before == null) {
        throw new IllegalArgumentException("late.before is missing");
      }
    }
  }

  public ValidateSpec {
    if (source == null) {
      throw new IllegalArgumentException("source is missing");
    }
    if (sink == null) {
      throw new IllegalArgumentException("sink is missing");
    }
    keys = keys == null ? List.of() : List.copyOf(keys);
    nullKeys = oneOf(nullKeys, "nullKeys", "refuse", "value");
    timeZone = Objects.requireNonNullElse(timeZone, "UTC");
    try {
      ZoneId.of(timeZone);
    } catch (DateTimeException unknown) {
      throw new IllegalArgumentException("timeZone: " + unknown.getMessage(), unknown);
    }
  }

  /** Whether a key may be null. */
  public boolean nullIsValue() {
    return nullKeys.equals("value");
  }

  @Override
  public String job() {
    return JOB;
  }
}
