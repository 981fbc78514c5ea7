package org.streammigrator.jobs.rows;

import static org.apache.spark.sql.functions.lit;

import java.sql.Timestamp;
import java.time.Instant;
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
    return rows.where(contains(Columns.of(range.column()), range.from(), range.to()));
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

  /**
   * Whether a column lies in a range.
   *
   * @param from the first instant in it; null: unbounded
   * @param to the first instant after it; null: unbounded
   */
  public static Column contains(Column column, Instant from, Instant to) {
    if (from == null && to == null) {
      return lit(true);
    }
    Column within = column.isNotNull();
    if (from != null) {
      within = within.and(column.geq(lit(Timestamp.from(from))));
    }
    return to == null ? within : within.and(column.lt(lit(Timestamp.from(to))));
  }
}
