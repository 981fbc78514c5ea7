package org.streammigrator.job;

import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_NULL;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.List;

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
      SpecProblems wrong = new SpecProblems();
      wrong.requireText(delta, "sink.delta");
      wrong.raise();
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
      SpecProblems wrong = new SpecProblems();
      wrong.requireText(column, "late.column");
      wrong.unless(before != null, "late.before is missing");
      wrong.raise();
    }
  }

  public ValidateSpec {
    SpecProblems wrong = new SpecProblems();
    wrong.unless(source != null, "source is missing");
    wrong.unless(sink != null, "sink is missing");
    keys = keys == null ? List.of() : List.copyOf(keys);
    nullKeys = wrong.oneOf(nullKeys, "nullKeys", "refuse", "value");
    timeZone = wrong.timeZone(timeZone);
    wrong.raise();
  }

  /** Whether a key may be null. */
  public boolean nullIsValue() {
    return nullKeys.equals("value");
  }

  @Override
  public String job() {
    return JOB;
  }

  @Override
  public boolean readsOnly() {
    return true;
  }
}
