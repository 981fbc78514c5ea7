package org.streammigrator.jobs.dedup;

import java.nio.file.Path;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * A table of keys that occur none to five times, over several commits and files: with nulls in keys
 * and order, rows that are the same and rows that differ only where the order does not look.
 */
final class RandomTable {
  static final StructType SCHEMA =
      new StructType()
          .add("id", DataTypes.LongType)
          .add("Größe.m`", DataTypes.DoubleType)
          .add("event_time", DataTypes.TimestampType)
          .add("amount", DataTypes.createDecimalType(12, 2))
          .add("tags", DataTypes.createMapType(DataTypes.StringType, DataTypes.StringType))
          .add("day", DataTypes.StringType);

  private final Random random;
  private final boolean nullKeys;
  private final List<Row> rows = new ArrayList<>();

  RandomTable(long seed, int keys, boolean nullKeys) {
    this.random = new Random(seed);
    this.nullKeys = nullKeys;
    for (int key = 0; key < keys; key++) {
      add(key);
    }
    Collections.shuffle(rows, random);
  }

  private void add(int key) {
    Long id = nullKeys && random.nextInt(8) == 0 ? null : Long.valueOf(key / 2);
    Double size = pick(nullKeys ? null : 1.5, 0.0, -0.0, Double.NaN, 7.25);
    int copies = random.nextInt(6);
    for (int copy = 0; copy < copies; copy++) {
      if (copy > 0 && random.nextInt(4) == 0) {
        rows.add(rows.get(rows.size() - 1));
        continue;
      }
      rows.add(
          RowFactory.create(
              id,
              size,
              pick(null, new Timestamp(0), new Timestamp(1), new Timestamp(86_400_000)),
              pick(null, new java.math.BigDecimal("-1.25"), new java.math.BigDecimal("99.00")),
              pick(null, java.util.Map.of("a", "b"), java.util.Map.of("a", "c")),
              pick("2026-03-27", "2026-03-28", null)));
    }
  }

  @SafeVarargs
  private final <T> T pick(T... values) {
    return values[random.nextInt(values.length)];
  }

  /** Writes it with these properties, in several commits of several files. */
  void write(SparkSession spark, Path table, boolean partitioned, String properties) {
    spark.sql(
        "create table delta.`%s` (%s) using delta %s tblproperties (%s)"
            .formatted(
                table,
                SCHEMA.toDDL(),
                partitioned ? "partitioned by (day)" : "",
                properties
                    + (properties.isEmpty() ? "" : ", ")
                    + "'delta.columnMapping.mode' = 'name'"));
    int commits = 3;
    for (int commit = 0; commit < commits; commit++) {
      List<Row> part =
          rows.subList(rows.size() * commit / commits, rows.size() * (commit + 1) / commits);
      spark
          .createDataFrame(part, SCHEMA)
          .repartition(2)
          .write()
          .format("delta")
          .mode("append")
          .save(table.toString());
    }
  }
}
