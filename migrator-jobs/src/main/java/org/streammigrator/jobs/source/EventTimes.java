package org.streammigrator.jobs.source;

import static java.util.Objects.requireNonNull;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.expr;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.max;

import java.sql.Timestamp;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.TimestampType;
import org.streammigrator.job.BackfillResult;
import org.streammigrator.job.InvalidJobSpecException;
import org.streammigrator.job.SourceSpec;
import org.streammigrator.jobs.rows.Failures;

/**
 * The event times of a bounded range: measured over all of its records, also those that are not
 * needed.
 */
public final class EventTimes {
  private final Column column;
  private final Known known;
  private final Dataset<Row> unknown;
  private final Function<Instant, Dataset<Row>> mayReach;
  private final Supplier<Instant> oldest;

  /**
   * What is known without reading a record.
   *
   * @param newest no record that need not be read is later; null if there is none
   * @param counts whether the records that have to be read are all
   */
  record Known(Instant newest, boolean counts) {
    static final Known NOTHING = new Known(null, true);
  }

  /**
   * What a measurement gives.
   *
   * @param newest no record has a later event time; null if none has one
   * @param records how many there are in the range; empty if nobody has counted them
   */
  public record Measured(Instant newest, OptionalLong records) {}

  /**
   * @param time what the spec says of the event time
   * @param unknown the records of which nothing is known
   * @param mayReach the records among which are all at or after an instant
   * @param oldest the time of the oldest record that is left; null where none are gone
   * @throws InvalidJobSpecException if what the spec names is no timestamp
   */
  EventTimes(
      SourceSpec source,
      Known known,
      Dataset<Row> unknown,
      Function<Instant, Dataset<Row>> mayReach,
      Supplier<Instant> oldest) {
    this.known = requireNonNull(known, "known");
    this.unknown = requireNonNull(unknown, "unknown");
    this.mayReach = requireNonNull(mayReach, "mayReach");
    this.oldest = oldest;
    this.column = column(source, unknown);
  }

  /** Those of a source of whose records nothing is known; empty where the spec names none. */
  static Optional<EventTimes> ofAll(SourceSpec source, Dataset<Row> rows) {
    return ofAll(source, rows, null);
  }

  /**
   * The same.
   *
   * @param oldest the time of the oldest record that is left; null where none are gone
   */
  static Optional<EventTimes> ofAll(
      SourceSpec source, Dataset<Row> rows, Supplier<Instant> oldest) {
    return source.eventTime() == null
        ? Optional.empty()
        : Optional.of(new EventTimes(source, Known.NOTHING, rows, first -> rows, oldest));
  }

  /** Those of some records of the source that are needed. */
  static Dataset<Row> needed(SourceSpec source, Dataset<Row> rows) {
    return source.eventTime() == null || source.eventTime().from() == null
        ? rows
        : rows.where(column(source, rows).geq(lit(Timestamp.from(source.eventTime().from()))));
  }

  /**
   * What a source's spec names as event time.
   *
   * @throws InvalidJobSpecException if that is no timestamp
   */
  static Column column(SourceSpec source, Dataset<Row> rows) {
    String field = "source " + source.name() + ": eventTime.column";
    String text = source.eventTime().column();
    return Failures.ofAnalysis(
        field,
        () -> {
          Column column = expr(text);
          DataType type = rows.select(column).schema().apply(0).dataType();
          if (!(type instanceof TimestampType)) {
            throw new InvalidJobSpecException(
                "%s: %s is of type %s, not a timestamp"
                    .formatted(field, text, type.simpleString()));
          }
          return column;
        });
  }

  /** Measures the whole range. */
  public Measured measure() {
    Row read = unknown.agg(max(column), count(lit(1))).first();
    Instant newest = read.isNullAt(0) ? null : read.getTimestamp(0).toInstant();
    if (newest == null || known.newest() != null && known.newest().isAfter(newest)) {
      newest = known.newest();
    }
    return new Measured(
        newest, known.counts() ? OptionalLong.of(read.getLong(1)) : OptionalLong.empty());
  }

  /**
   * The event times at or after an instant, without repetition, in order; of many the first, one
   * more than {@link BackfillResult.Source#MOST_BEYOND}.
   */
  public List<Instant> from(Instant first) {
    return mayReach
        .apply(first)
        .select(column.as("event"))
        .where(column.geq(lit(Timestamp.from(first))))
        .distinct()
        .orderBy("event")
        .limit(BackfillResult.Source.MOST_BEYOND + 1)
        .collectAsList()
        .stream()
        .map(row -> row.getTimestamp(0).toInstant())
        .toList();
  }

  /** The time of the oldest record that is left, where older ones are gone; null otherwise. */
  public Instant oldest() {
    return oldest == null ? null : oldest.get();
  }
}
