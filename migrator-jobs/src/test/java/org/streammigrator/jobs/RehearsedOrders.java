package org.streammigrator.jobs;

import static org.apache.spark.sql.functions.col;

import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.streammigrator.jobs.session.LocalSpark;

/** A user's query as a program: told by a rehearsal where its checkpoint and its sink are. */
public final class RehearsedOrders {
  private RehearsedOrders() {}

  /** Runs it until somebody ends it. */
  public static void main(String[] arguments) throws Exception {
    SparkSession spark = LocalSpark.open("orders", Map.of());
    spark
        .readStream()
        .format("delta")
        .option("startingVersion", "0")
        .option("maxFilesPerTrigger", "7")
        .load(arguments[0])
        .select(col("order_id").as("id"), col("product"), col("amount_cents"))
        .writeStream()
        .format("delta")
        .option("checkpointLocation", System.getenv("MIGRATOR_CHECKPOINT"))
        .start(System.getenv("MIGRATOR_SINK"))
        .awaitTermination();
  }
}
