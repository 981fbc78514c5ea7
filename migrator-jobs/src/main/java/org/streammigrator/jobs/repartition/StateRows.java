package org.streammigrator.jobs.repartition;

import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.expr;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.pmod;
import static org.apache.spark.sql.functions.spark_partition_id;
import static org.apache.spark.sql.functions.sum;
import static org.apache.spark.sql.functions.when;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.streammigrator.checkpoint.OperatorMetadata;
import org.streammigrator.checkpoint.OperatorState;
import org.streammigrator.job.JobFailedException;
import org.streammigrator.job.RepartitionResult.StoreRows;
import org.streammigrator.job.StateSpec;
import org.streammigrator.jobs.rows.Failures;
import org.streammigrator.jobs.state.ReadableState;

/**
 * Compares the state that two batches have left, row by row as bytes: all column families of every
 * store, with an option of Spark's state reader that it has for its own repartition ({@code
 * StateSourceOptions.INTERNAL_ONLY_READ_ALL_COLUMN_FAMILIES}). Nothing is written.
 */
final class StateRows {
  private static final String ALL = "_readAllColumnFamilies";
  private static final String WEIGHT = "weight";
  private static final Column[] COLUMNS = {
    col("column_family_name"), col("key_bytes"), col("value_bytes"), col(WEIGHT), col("misplaced")
  };

  private StateRows() {}

  /**
   * Compares the stores of all operators.
   *
   * @param partitions the number of partitions of the state after
   * @throws JobFailedException if state cannot be read
   */
  static List<StoreRows> compare(
      SparkSession spark,
      List<OperatorState> operators,
      StateSpec.State before,
      StateSpec.State after,
      int partitions)
      throws IOException {
    try (ReadableState old = new ReadableState(spark, before);
        ReadableState now = new ReadableState(spark, after)) {
      // Without this the reader finds no coordinator of stores in a new session.
      old.session().streams();
      List<StoreRows> stores = new ArrayList<>();
      for (OperatorState operator : operators) {
        OperatorMetadata metadata = operator.metadata().readable().orElseThrow();
        for (OperatorMetadata.StoreInfo store : metadata.stores()) {
          stores.add(
              reading(
                  "store " + store.name() + " of operator " + operator.operator(),
                  () ->
                      rows(
                          operator.operator(),
                          metadata.name(),
                          store.name(),
                          read(old, before, operator.operator(), store.name()),
                          read(now, after, operator.operator(), store.name()),
                          partitions)));
        }
      }
      return stores;
    }
  }

  private static Dataset<Row> read(
      ReadableState state, StateSpec.State which, int operator, String store) {
    return state
        .reader("statestore")
        .option("batchId", which.batch())
        .option("operatorId", operator)
        .option("storeName", store)
        .option(ALL, "true")
        .load();
  }

  private static StoreRows rows(
      int operator,
      String name,
      String store,
      Dataset<Row> before,
      Dataset<Row> after,
      int partitions) {
    boolean isCollated =
        after.schema().catalogString().toLowerCase(Locale.ROOT).contains("collate");
    // One task reads one partition. Its number is asked for before rows move.
    Column misplaced =
        isCollated
            ? lit(0L)
            : when(
                    pmod(expr("hash(partition_key)"), lit(partitions))
                        .notEqual(spark_partition_id()),
                    1L)
                .otherwise(0L);
    Row sums =
        weighted(before, -1, lit(0L))
            .union(weighted(after, 1, misplaced))
            .groupBy("column_family_name", "key_bytes", "value_bytes")
            .agg(
                sum(WEIGHT).as(WEIGHT),
                sum(when(col(WEIGHT).gt(0), 1L).otherwise(0L)).as("rows"),
                sum("misplaced").as("misplaced"))
            .agg(
                total(col("rows")),
                total(when(col(WEIGHT).lt(0), col(WEIGHT).multiply(-1))),
                total(when(col(WEIGHT).gt(0), col(WEIGHT))),
                total(col("misplaced")))
            .first();
    return new StoreRows(
        operator,
        name,
        store,
        sums.getLong(0),
        sums.getLong(1),
        sums.getLong(2),
        isCollated ? null : sums.getLong(3));
  }

  private static Dataset<Row> weighted(Dataset<Row> rows, int weight, Column misplaced) {
    return rows.withColumn("misplaced", misplaced)
        .withColumn(WEIGHT, lit(weight).cast(DataTypes.LongType))
        .select(COLUMNS);
  }

  private static Column total(Column values) {
    return coalesce(sum(values), lit(0L));
  }

  /** Spark throws exceptions of all kinds here, also checked ones that it does not declare. */
  private static StoreRows reading(String what, Callable<StoreRows> reading) {
    try {
      return reading.call();
    } catch (Exception failed) {
      throw new JobFailedException(what + " cannot be read: " + Failures.firstLine(failed), failed);
    }
  }
}
