package org.streammigrator.jobs.validate;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count_if;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.sum;
import static org.apache.spark.sql.functions.when;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.streammigrator.job.InvalidJobSpecException;
import org.streammigrator.job.ValidateResult;
import org.streammigrator.job.ValidateSpec;
import org.streammigrator.jobs.lake.LakeTables;
import org.streammigrator.jobs.rows.Columns;
import org.streammigrator.jobs.rows.Examples;
import org.streammigrator.jobs.rows.Queries;
import org.streammigrator.jobs.rows.Windows;
import org.streammigrator.jobs.source.LateRecords;
import org.streammigrator.jobs.source.SourceRead;
import org.streammigrator.jobs.source.Sources;

/**
 * Compares a sink with what it should hold, computed from its source. Rows are compared as
 * multisets, with nulls equal to nulls. Column names are compared as Spark does: case does not
 * count.
 *
 * <p>Nothing of the given session changes: its settings and views are left alone.
 */
public final class ValidateJob {
  private static final String COMPARED = "the compared rows";

  private static final String EXPECTED = "__migrator_expected";
  private static final String ACTUAL = "__migrator_actual";
  private static final String WEIGHT = "__migrator_weight";

  private ValidateJob() {}

  /**
   * Runs the job.
   *
   * @throws InvalidJobSpecException if a table, column or place is not there, or the SQL is no
   *     query
   */
  public static ValidateResult run(SparkSession spark, ValidateSpec spec) {
    long start = System.nanoTime();
    SparkSession session = spark.newSession();
    session.conf().set("spark.sql.session.timeZone", spec.timeZone());
    SourceRead read = Sources.open(session, spec.source());
    Dataset<Row> sink = LakeTables.current(session, spec.sink().delta());
    Dataset<Row> expected = expected(session, spec, read.rows(), sink);
    Columns.requireComparable(expected, "sql");
    for (String key : spec.keys()) {
      Columns.require(expected, key, "keys", COMPARED);
    }
    for (String column : expected.columns()) {
      Columns.require(sink, column, "sink.delta", spec.sink().delta());
    }
    Dataset<Row> late = spec.late() == null ? null : late(spec.late(), read.rows());
    Column[] columns = Columns.of(List.of(expected.columns()));
    Dataset<Row> actual = sink.select(columns);

    Dataset<Row> both =
        weighted(Windows.within(spec.windows(), expected, COMPARED), 1)
            .unionByName(weighted(Windows.within(spec.windows(), actual, COMPARED), -1));
    Dataset<Row> differences =
        both.groupBy(columns)
            .agg(
                count_if(col(WEIGHT).gt(0)).as(EXPECTED),
                count_if(col(WEIGHT).lt(0)).as(ACTUAL),
                sum(col(WEIGHT)).as(WEIGHT));
    Row totals =
        differences
            .agg(
                sum(EXPECTED),
                sum(ACTUAL),
                sum(when(col(WEIGHT).gt(0), col(WEIGHT))),
                sum(when(col(WEIGHT).lt(0), col(WEIGHT).multiply(-1))),
                sum(when(anyNull(spec.keys()), col(ACTUAL))))
            .first();
    long missing = orZero(totals, 2);
    long extra = orZero(totals, 3);
    Long nullKeys = spec.keys().isEmpty() ? null : (Long) orZero(totals, 4);
    Long lateRows = late == null ? null : (Long) late.count();
    return new ValidateResult(
        missing == 0 && extra == 0 && (nullKeys == null || nullKeys == 0 || spec.nullIsValue()),
        orZero(totals, 0),
        orZero(totals, 1),
        missing,
        extra,
        spec.keys().isEmpty() ? null : duplicateKeys(both, spec.keys()),
        nullKeys,
        lateRows,
        new ValidateResult.Examples(
            examples(missing, differences.where(col(WEIGHT).gt(0)).select(columns)),
            examples(extra, differences.where(col(WEIGHT).lt(0)).select(columns)),
            examples(
                nullKeys,
                differences.where(anyNull(spec.keys()).and(col(ACTUAL).gt(0))).select(columns)),
            examples(lateRows, late)),
        read.to(),
        (System.nanoTime() - start) / 1_000_000);
  }

  private static Dataset<Row> expected(
      SparkSession session, ValidateSpec spec, Dataset<Row> source, Dataset<Row> sink) {
    if (spec.sql() == null) {
      Set<String> shared = Columns.lowerCase(source.columns());
      String[] columns =
          Arrays.stream(sink.columns())
              .filter(column -> shared.contains(column.toLowerCase(Locale.ROOT)))
              .toArray(String[]::new);
      if (columns.length == 0) {
        throw new InvalidJobSpecException(
            "%s and %s share no column, and the spec has no sql"
                .formatted(spec.source().name(), spec.sink().delta()));
      }
      return source.select(Columns.of(List.of(columns)));
    }
    Queries.view(spec.source().name(), source);
    return Queries.rows(session, spec.sql());
  }

  private static Dataset<Row> weighted(Dataset<Row> rows, int weight) {
    return rows.withColumn(WEIGHT, lit(weight).cast(DataTypes.LongType));
  }

  private static long duplicateKeys(Dataset<Row> both, List<String> keys) {
    return both.groupBy(Columns.of(keys))
        .agg(sum(col(WEIGHT)).as(WEIGHT))
        .where(col(WEIGHT).lt(0))
        .count();
  }

  /** The records whose event time is too early. */
  private static Dataset<Row> late(ValidateSpec.Late late, Dataset<Row> source) {
    Windows.require(late.column(), source, "late.column", "the source");
    return LateRecords.of(source, Columns.of(late.column()), late.before());
  }

  private static Column anyNull(List<String> keys) {
    return keys.stream().map(Columns::of).map(Column::isNull).reduce(Column::or).orElse(lit(false));
  }

  private static List<String> examples(Long count, Dataset<Row> rows) {
    return count == null || count == 0 ? List.of() : Examples.of(rows);
  }

  private static long orZero(Row row, int index) {
    return row.isNullAt(index) ? 0 : row.getLong(index);
  }
}
