package org.streammigrator.jobs.demo;

import static java.util.Objects.requireNonNull;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.expr;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.max;
import static org.apache.spark.sql.functions.sum;
import static org.apache.spark.sql.functions.udf;
import static org.apache.spark.sql.functions.window;

import java.nio.file.Path;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.StreamingQueryException;
import org.apache.spark.sql.streaming.Trigger;
import org.apache.spark.sql.types.DataTypes;

/**
 * The demo's two queries on {@code raw/orders}. A run reads all that is there when it starts, in
 * batches that the rate limit alone decides, and then ends, or dies earlier at its stop point.
 *
 * @param spark where they run
 * @param lake what they read and write
 */
public record DemoStreams(SparkSession spark, DemoLake lake) {
  /**
   * Files per batch of the stateless query: with four files per commit, three batches out of four
   * end inside a commit.
   */
  public static final int BRONZE_FILES_PER_BATCH = DemoLake.FILES_PER_COMMIT + 1;

  /** Files per batch of the windowed query: two commits. */
  public static final int GOLD_FILES_PER_BATCH = 2 * DemoLake.FILES_PER_COMMIT;

  public static final String WINDOW = "5 minutes";
  public static final String WATERMARK_DELAY = "10 minutes";

  private static final String FILE_MANAGER = "spark.sql.streaming.checkpointFileManagerClass";

  /** The stateless query's versions. */
  public enum Enrich {
    /** Amounts in whole units, and the day. */
    V1,
    /**
     * As V1, and a column {@code order_size}: a changed query, which its sink must be widened for.
     */
    V2
  }

  public DemoStreams {
    requireNonNull(spark, "spark");
    requireNonNull(lake, "lake");
  }

  /**
   * Runs the stateless query: {@code raw/orders} to {@code bronze/orders}.
   *
   * @throws IllegalStateException if it failed, or did not stop where it was to stop
   */
  public void runBronze(Path checkpoint, Enrich version, StopPoint stop) {
    Dataset<Row> orders = orders(0, BRONZE_FILES_PER_BATCH, stop);
    run(enriched(orders, version), lake.bronzeOrders(), checkpoint, stop);
  }

  /**
   * Runs the stateless query to another table until it has read all there is. A new checkpoint
   * starts with a version of the source; an old one goes on where it stands.
   *
   * @throws IllegalStateException if it failed
   */
  public void runBronzeFrom(long startingVersion, Path sink, Path checkpoint, Enrich version) {
    StopPoint stop = new StopPoint.Drained();
    Dataset<Row> orders = orders(startingVersion, BRONZE_FILES_PER_BATCH, stop);
    run(enriched(orders, version), sink, checkpoint, stop);
  }

  /**
   * Runs the windowed query: orders and amounts per product and five minutes, in append mode, to
   * {@code gold/orders_5min}.
   *
   * @throws IllegalStateException if it failed, or did not stop where it was to stop
   */
  public void runGold(Path checkpoint, StopPoint stop) {
    run(windows(orders(0, GOLD_FILES_PER_BATCH, stop)), lake.goldOrders(), checkpoint, stop);
  }

  private static Dataset<Row> windows(Dataset<Row> orders) {
    return orders
        .withWatermark("event_time", WATERMARK_DELAY)
        .groupBy(window(col("event_time"), WINDOW), col("product"))
        .agg(count(lit(1)).as("orders"), sum(col("amount_cents")).as("total_cents"))
        .select(
            col("window.start").as("window_start"),
            col("window.end").as("window_end"),
            col("product"),
            col("orders"),
            col("total_cents"));
  }

  /**
   * Runs the windowed query to another table until it has read all there is, from a version of the
   * source on where the checkpoint is new.
   *
   * @throws IllegalStateException if it failed
   */
  public void runGoldFrom(long startingVersion, Path sink, Path checkpoint) {
    StopPoint stop = new StopPoint.Drained();
    run(windows(orders(startingVersion, GOLD_FILES_PER_BATCH, stop)), sink, checkpoint, stop);
  }

  /**
   * Runs the windowed query with one aggregate more until it has read all there is.
   *
   * @throws IllegalStateException if it failed
   */
  public void runWiderGold(Path sink, Path checkpoint) {
    StopPoint stop = new StopPoint.Drained();
    Dataset<Row> wider =
        orders(0, GOLD_FILES_PER_BATCH, stop)
            .withWatermark("event_time", WATERMARK_DELAY)
            .groupBy(window(col("event_time"), WINDOW), col("product"))
            .agg(
                count(lit(1)).as("orders"),
                sum(col("amount_cents")).as("total_cents"),
                max(col("amount_cents")).as("top_cents"))
            .select("window.start", "window.end", "product", "orders", "total_cents", "top_cents")
            .withColumnRenamed("start", "window_start")
            .withColumnRenamed("end", "window_end");
    run(wider, sink, checkpoint, stop);
  }

  private static Dataset<Row> enriched(Dataset<Row> orders, Enrich version) {
    Dataset<Row> enriched =
        orders.select(
            col("order_id"),
            col("customer"),
            col("product"),
            expr("cast(amount_cents / 100 as decimal(10, 2))").as("amount"),
            col("event_time"),
            expr("to_date(event_time)").as("order_date"));
    return switch (version) {
      case V1 -> enriched;
      case V2 ->
          enriched.withColumn(
              "order_size", expr("case when amount >= 100 then 'large' else 'small' end"));
    };
  }

  private Dataset<Row> orders(long startingVersion, int filesPerBatch, StopPoint stop) {
    Dataset<Row> orders =
        spark
            .readStream()
            .format("delta")
            .option("startingVersion", Long.toString(startingVersion))
            .option("maxFilesPerTrigger", Integer.toString(filesPerBatch))
            .load(lake.rawOrders().toString());
    return stop instanceof StopPoint.InBatch inBatch
        ? orders.where(dyingIn(inBatch.batch(), col("order_id")))
        : orders;
  }

  /**
   * A condition that holds for every row and throws in one batch; as a filter it is never pruned.
   */
  private static Column dyingIn(long batch, Column column) {
    UDF1<Long, Boolean> condition =
        value -> {
          String current = TaskContext.get().getLocalProperty("streaming.sql.batchId");
          if (Long.toString(batch).equals(current)) {
            throw new PlannedStopException("planned stop in batch " + batch);
          }
          return true;
        };
    return udf(condition, DataTypes.BooleanType).apply(column);
  }

  private void run(Dataset<Row> rows, Path sink, Path checkpoint, StopPoint stop) {
    if (stop instanceof StopPoint.BeforeCommit beforeCommit) {
      spark.conf().set(FILE_MANAGER, StoppingCheckpointFileManager.class.getName());
      spark
          .conf()
          .set(
              StoppingCheckpointFileManager.STOP_AT,
              checkpoint.toAbsolutePath().normalize() + "/commits/" + beforeCommit.batch());
    }
    try {
      StreamingQuery query =
          rows.writeStream()
              .format("delta")
              .outputMode("append")
              .option("checkpointLocation", checkpoint.toString())
              .option("mergeSchema", "true")
              .trigger(Trigger.AvailableNow())
              .start(sink.toString());
      query.awaitTermination();
      if (!(stop instanceof StopPoint.Drained)) {
        throw new IllegalStateException("the query read everything without reaching " + stop);
      }
    } catch (StreamingQueryException e) {
      if (stop instanceof StopPoint.Drained || !PlannedStopException.causes(e)) {
        throw new IllegalStateException("the query on " + checkpoint + " failed", e);
      }
    } finally {
      spark.conf().unset(FILE_MANAGER);
      spark.conf().unset(StoppingCheckpointFileManager.STOP_AT);
    }
  }
}
