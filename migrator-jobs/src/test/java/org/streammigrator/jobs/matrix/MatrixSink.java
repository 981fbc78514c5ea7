package org.streammigrator.jobs.matrix;

import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.Trigger;

/** The table that a stream writes, which notes the batches that it has in its log. */
interface MatrixSink {
  /** What queries that write with a name of their own are called in the table's log. */
  String APP = "matrix";

  /** A sink of one of both kinds. */
  static MatrixSink of(SparkSession spark, MatrixOperator operator, Path table, boolean isDelta) {
    return isDelta ? new DeltaSink(spark, operator, table) : new NotedSink(operator, table);
  }

  /** Puts rows in the place of those with the same keys from now on, under another name. */
  void merge(String newApplication);

  /** Runs a query until it has read what there is. */
  void run(Dataset<Row> query, Path checkpoint, Trigger trigger) throws Exception;

  /** The rows, as texts. */
  List<String> rows() throws Exception;

  /** Runs one batch whose rows go nowhere. */
  @SuppressWarnings("deprecation")
  static void runOnceElsewhere(Dataset<Row> query, MatrixOperator operator, Path checkpoint)
      throws Exception {
    query
        .writeStream()
        .outputMode(operator.outputMode())
        .format("noop")
        .option("checkpointLocation", checkpoint.toString())
        .trigger(Trigger.Once())
        .start()
        .awaitTermination();
  }
}
