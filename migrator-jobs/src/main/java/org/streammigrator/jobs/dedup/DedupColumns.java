package org.streammigrator.jobs.dedup;

import static org.apache.spark.sql.functions.struct;
import static org.apache.spark.sql.functions.to_json;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.catalyst.expressions.RowOrdering;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.streammigrator.job.DedupSpec;
import org.streammigrator.job.InvalidJobSpecException;
import org.streammigrator.job.OrderColumn;
import org.streammigrator.jobs.rows.Columns;

/**
 * The columns of a table by what they are to the job. Case does not count in their names, as in
 * Delta, and a dot is part of a name: no column inside another one is named.
 *
 * @param keys what identifies a record
 * @param order what comes first
 * @param sorts how {@code order} sorts, one for each
 * @param rest what decides where the order does not
 */
record DedupColumns(
    List<StructField> keys,
    List<StructField> order,
    List<OrderColumn> sorts,
    List<StructField> rest) {
  private static final String HIDDEN = "_metadata";

  /**
   * Finds the columns.
   *
   * @throws InvalidJobSpecException with all that is wrong
   */
  static DedupColumns of(DedupSpec spec, StructType schema) {
    List<String> problems = new ArrayList<>();
    List<StructField> keys = new ArrayList<>();
    for (String name : spec.keys()) {
      StructField key = find(schema, name, "keys", problems);
      if (key == null) {
        continue;
      }
      if (!RowOrdering.isOrderable(key.dataType())) {
        problems.add(
            "keys: %s is of type %s, whose values cannot be compared"
                .formatted(key.name(), key.dataType().simpleString()));
      } else if (keys.contains(key)) {
        problems.add("keys: " + key.name() + " is named twice");
      }
      keys.add(key);
    }
    List<StructField> order = new ArrayList<>();
    for (OrderColumn sort : spec.order()) {
      StructField column = find(schema, sort.column(), "order", problems);
      if (column == null) {
        continue;
      }
      if (!RowOrdering.isOrderable(column.dataType())) {
        problems.add(
            "order: %s is of type %s, which has no order"
                .formatted(column.name(), column.dataType().simpleString()));
      }
      order.add(column);
    }
    find(schema, HIDDEN)
        .ifPresent(
            hidden ->
                problems.add(
                    "table: its column " + hidden.name() + " hides the place of its rows"));
    if (!problems.isEmpty()) {
      throw new InvalidJobSpecException(problems);
    }
    List<StructField> rest =
        Arrays.stream(schema.fields())
            .filter(field -> !keys.contains(field) && !order.contains(field))
            .toList();
    return new DedupColumns(List.copyOf(keys), List.copyOf(order), spec.order(), rest);
  }

  private static StructField find(
      StructType schema, String name, String field, List<String> problems) {
    Optional<StructField> found = find(schema, name);
    if (found.isEmpty()) {
      problems.add(
          "%s: the table has no column %s; it has %s"
              .formatted(field, name, String.join(", ", schema.fieldNames())));
    }
    return found.orElse(null);
  }

  /** The column of a name. */
  static Optional<StructField> find(StructType schema, String name) {
    return Arrays.stream(schema.fields())
        .filter(field -> field.name().equalsIgnoreCase(name))
        .findFirst();
  }

  /** A column as Spark takes it. */
  static Column column(StructField field) {
    return Columns.of(field.name());
  }

  /** The key's columns and values as JSON. */
  Column keyAsJson() {
    return to_json(
        struct(keys.stream().map(DedupColumns::column).toArray(Column[]::new)),
        Map.of("ignoreNullFields", "false"));
  }

  /**
   * A column as something that has an order: maps and variants as JSON; empty if there is no such
   * way.
   */
  static Optional<Column> comparable(StructField field) {
    Column column = column(field);
    if (RowOrdering.isOrderable(field.dataType())) {
      return Optional.of(column);
    }
    return hasText(field.dataType()) ? Optional.of(to_json(struct(column))) : Optional.empty();
  }

  private static boolean hasText(DataType type) {
    String sql = type.sql();
    return sql.contains("MAP<") || sql.contains("VARIANT");
  }
}
