package org.streammigrator.jobs.rows;

import static org.apache.spark.sql.functions.col;

import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.expressions.RowOrdering;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructField;
import org.streammigrator.job.InvalidJobSpecException;

/** Columns by name. Names are compared as Spark does: case does not count. */
public final class Columns {
  private Columns() {}

  /** The columns of these names, whatever characters they hold. */
  public static Column[] of(Collection<String> names) {
    return names.stream().map(Columns::of).toArray(Column[]::new);
  }

  /** The column of a name. */
  public static Column of(String name) {
    return col(quoted(name));
  }

  /** The column of a name in a relation that has an alias. */
  public static Column of(String alias, String name) {
    return col(alias + "." + quoted(name));
  }

  /** A name as SQL takes it, whatever characters it holds. */
  public static String quoted(String name) {
    return '`' + name.replace("`", "``") + '`';
  }

  /** Names in lower case, by which they are compared. */
  public static Set<String> lowerCase(String[] names) {
    return Arrays.stream(names)
        .map(name -> name.toLowerCase(Locale.ROOT))
        .collect(Collectors.toSet());
  }

  /**
   * Looks whether there is a column.
   *
   * @param field the part of the spec that names it
   * @param whose what the rows are
   * @throws InvalidJobSpecException if there is none
   */
  public static void require(Dataset<Row> rows, String column, String field, String whose) {
    if (!lowerCase(rows.columns()).contains(column.toLowerCase(Locale.ROOT))) {
      throw new InvalidJobSpecException(
          "%s: %s has no column %s; it has %s"
              .formatted(field, whose, column, String.join(", ", rows.columns())));
    }
  }

  /**
   * Looks whether a column's values can be put in order, and so compared.
   *
   * @param field the part of the spec that names it
   * @throws InvalidJobSpecException if they cannot
   */
  public static void requireOrderable(Dataset<Row> rows, String column, String field) {
    DataType type = rows.select(of(column)).schema().apply(0).dataType();
    if (!RowOrdering.isOrderable(type)) {
      throw new InvalidJobSpecException(
          "%s: %s is of type %s, which has no order".formatted(field, column, type.simpleString()));
    }
  }

  /**
   * Looks whether rows can be compared with others, column by column.
   *
   * @param field the part of the spec that computes them
   * @throws InvalidJobSpecException if two columns have one name, or one holds maps
   */
  public static void requireComparable(Dataset<Row> rows, String field) {
    Set<String> seen = new HashSet<>();
    for (StructField column : rows.schema().fields()) {
      if (!seen.add(column.name().toLowerCase(Locale.ROOT))) {
        throw new InvalidJobSpecException(field + ": two columns are called " + column.name());
      }
      if (column.dataType().sql().contains("MAP<")) {
        throw new InvalidJobSpecException(
            "%s: the column %s holds maps, which cannot be compared"
                .formatted(field, column.name()));
      }
    }
  }
}
