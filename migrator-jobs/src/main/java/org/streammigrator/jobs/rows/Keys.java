package org.streammigrator.jobs.rows;

import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.count_if;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.row_number;
import static org.apache.spark.sql.functions.struct;
import static org.apache.spark.sql.functions.sum;
import static org.apache.spark.sql.functions.to_json;
import static org.apache.spark.sql.functions.when;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.expressions.Window;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.job.JobRefusedException;
import org.streammigrator.job.OrderColumn;

/** Rows of one key. Nulls are equal to nulls here. */
public final class Keys {
  private static final String COUNT = "__migrator_count";
  private static final String RANK = "__migrator_rank";
  private static final int EXAMPLES = 3;

  private Keys() {}

  /**
   * Counts rows, and looks whether they can be merged by their keys.
   *
   * @param nulls whether a key may be null
   * @param repeated whether a key may be there more than once
   * @param subject what the rows are for
   * @return how many rows there are
   * @throws JobRefusedException if a key is what it may not be
   */
  public static long check(
      Dataset<Row> rows, List<String> keys, boolean nulls, boolean repeated, String subject) {
    Column anyNull =
        keys.stream().map(Columns::of).map(Column::isNull).reduce(Column::or).orElse(lit(false));
    Dataset<Row> counts = rows.groupBy(Columns.of(keys)).agg(count(lit(1)).as(COUNT));
    Row found =
        counts
            .agg(
                coalesce(sum(COUNT), lit(0L)),
                coalesce(sum(when(anyNull, col(COUNT))), lit(0L)),
                count_if(col(COUNT).gt(1)))
            .first();
    if (found.getLong(1) > 0 && !nulls) {
      throw JobRefusedException.unsafe(
          Finding.error(
              FindingCode.NULL_KEYS,
              subject,
              "%d rows have no value in one of the keys %s, and null equals nothing: %s"
                  .formatted(
                      found.getLong(1),
                      keys,
                      examples(rows.where(anyNull).select(Columns.of(keys)))),
              "leave such rows out, or say nullKeys: value, so that null counts as a key of its own"));
    }
    if (found.getLong(2) > 0 && !repeated) {
      throw JobRefusedException.unsafe(
          Finding.error(
              FindingCode.KEYS_NOT_UNIQUE,
              subject,
              "%d keys occur more than once in what is computed, so that it is not said which row"
                      .formatted(found.getLong(2))
                  + " wins: "
                  + examples(counts.where(col(COUNT).gt(1))),
              "name all columns of the key, or an order by which one row of a key is chosen"));
    }
    return found.getLong(0);
  }

  /**
   * One row of each key: the first in an order. Rows that are equal in it are told apart by all
   * columns, so that the same rows always give the same answer.
   */
  public static Dataset<Row> first(Dataset<Row> rows, List<String> keys, List<OrderColumn> order) {
    List<Column> by = new ArrayList<>(order.stream().map(Keys::ordered).toList());
    for (String column : rows.columns()) {
      by.add(Columns.of(column).asc_nulls_last());
    }
    return rows.withColumn(
            RANK,
            row_number()
                .over(Window.partitionBy(Columns.of(keys)).orderBy(by.toArray(Column[]::new))))
        .where(col(RANK).equalTo(1))
        .drop(RANK);
  }

  private static Column ordered(OrderColumn order) {
    Column column = Columns.of(order.column());
    boolean first = order.nulls().equals("first");
    if (order.direction().equals("desc")) {
      return first ? column.desc_nulls_first() : column.desc_nulls_last();
    }
    return first ? column.asc_nulls_first() : column.asc_nulls_last();
  }

  private static String examples(Dataset<Row> rows) {
    return rows
        .select(
            to_json(
                    struct(Columns.of(List.of(rows.columns()))),
                    Map.of("ignoreNullFields", "false"))
                .as("row"))
        .orderBy("row")
        .limit(EXAMPLES)
        .as(Encoders.STRING())
        .collectAsList()
        .stream()
        .map(row -> row.replace(COUNT, "count"))
        .collect(Collectors.joining(", "));
  }
}
