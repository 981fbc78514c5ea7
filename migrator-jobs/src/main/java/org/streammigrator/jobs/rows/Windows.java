package org.streammigrator.jobs.rows;

import static org.apache.spark.sql.functions.lit;

import java.sql.Timestamp;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.TimestampType;
import org.streammigrator.job.InvalidJobSpecException;
import org.streammigrator.job.WindowRange;

/** Ranges of windows: of a timestamp column, its beginning included, its end not. */
public final class Windows {
  private Windows() {}

  /**
   * The rows of a range.
   *
   * @param range null: all rows
   * @param whose what the rows are
   * @throws InvalidJobSpecException if there is no such column, or it holds no timestamps
   */
  public static Dataset<Row> within(WindowRange range, Dataset<Row> rows, String whose) {
    if (range == null) {
      return rows;
    }
    require(range.column(), rows, "windows.column", whose);
    return rows.where(contains(Columns.of(range.column()), range));
  }

  /**
   * Looks whether a column holds timestamps.
   *
   * @param field the part of the spec that names it
   * @throws InvalidJobSpecException if there is no such column, or it holds no timestamps
   */
  public static void require(String column, Dataset<Row> rows, String field, String whose) {
    Columns.require(rows, column, field, whose);
    DataType type = rows.select(Columns.of(column)).schema().apply(0).dataType();
    if (!(type instanceof TimestampType)) {
      throw new InvalidJobSpecException(
          "%s: %s is of type %s, not a timestamp".formatted(field, column, type.simpleString()));
    }
  }

  /** Whether a column lies in a range. */
  public static Column contains(Column column, WindowRange range) {
    if (range.from() == null && range.to() == null) {
      return lit(true);
    }
    Column within = column.isNotNull();
    if (range.from() != null) {
      within = within.and(column.geq(lit(Timestamp.from(range.from()))));
    }
    if (range.to() != null) {
      within = within.and(column.lt(lit(Timestamp.from(range.to()))));
    }
    return range.also().isEmpty()
        ? within
        : within.or(column.isin(range.also().stream().map(Timestamp::from).toArray()));
  }
}
