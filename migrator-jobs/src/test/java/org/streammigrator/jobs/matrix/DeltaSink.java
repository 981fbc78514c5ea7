package org.streammigrator.jobs.matrix;

import io.delta.tables.DeltaTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.DataStreamWriter;
import org.apache.spark.sql.streaming.Trigger;

/** A Delta table, written by Spark's own sink, or by MERGE in {@code foreachBatch}. */
final class DeltaSink implements MatrixSink {
  private static final String APP_ID = "spark.databricks.delta.write.txnAppId";
  private static final String VERSION = "spark.databricks.delta.write.txnVersion";

  private final SparkSession spark;
  private final MatrixOperator operator;
  private final Path table;
  private boolean isMerged;
  private String application = APP;

  DeltaSink(SparkSession spark, MatrixOperator operator, Path table) {
    this.spark = spark;
    this.operator = operator;
    this.table = table;
    this.isMerged = operator.isMerged();
  }

  @Override
  public void merge(String newApplication) {
    isMerged = true;
    application = newApplication;
  }

  @Override
  public void run(Dataset<Row> query, Path checkpoint, Trigger trigger) throws Exception {
    DataStreamWriter<Row> writer =
        query
            .writeStream()
            .outputMode(operator.outputMode())
            .option("checkpointLocation", checkpoint.toString())
            .trigger(trigger);
    if (isMerged) {
      if (!Files.exists(table)) {
        spark
            .createDataFrame(List.of(), query.schema())
            .write()
            .format("delta")
            .save(table.toString());
      }
      writer.foreachBatch(this::mergeBatch).start().awaitTermination();
    } else {
      writer.format("delta").start(table.toString()).awaitTermination();
    }
  }

  @Override
  public List<String> rows() {
    return spark.read().format("delta").load(table.toString()).collectAsList().stream()
        .map(Row::toString)
        .toList();
  }

  private void mergeBatch(Dataset<Row> rows, Long batch) {
    List<Row> own = rows.collectAsList();
    if (own.isEmpty()) {
      return;
    }
    SparkSession session = rows.sparkSession();
    session.conf().set(APP_ID, application);
    session.conf().set(VERSION, batch.toString());
    try {
      DeltaTable.forPath(session, table.toString())
          .as("t")
          .merge(
              session.createDataFrame(own, rows.schema()).as("s"),
              operator.keys().stream()
                  .map(key -> "t." + key + " <=> s." + key)
                  .collect(Collectors.joining(" and ")))
          .whenMatched()
          .updateAll()
          .whenNotMatched()
          .insertAll()
          .execute();
    } finally {
      session.conf().unset(APP_ID);
      session.conf().unset(VERSION);
    }
  }
}
