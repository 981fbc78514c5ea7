package org.streammigrator.jobs.restart;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.apache.spark.api.java.function.VoidFunction2;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.streaming.state.StateStore;
import org.apache.spark.sql.execution.streaming.state.StateStoreId;
import org.apache.spark.sql.execution.streaming.state.StateStoreProviderId;
import org.apache.spark.sql.streaming.DataStreamWriter;
import org.apache.spark.sql.streaming.SourceProgress;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.StreamingQueryProgress;
import org.apache.spark.sql.streaming.Trigger;

/**
 * What real Spark did with a checkpoint.
 *
 * @param failure why it stopped; empty if it read everything there was
 * @param batches the rows that it gave the sink, by batch
 * @param first the progress of the first batch that it finished
 * @param run the run's id; empty if it did not even start
 */
record RestartRun(
    Optional<Exception> failure,
    Map<Long, List<String>> batches,
    Optional<StreamingQueryProgress> first,
    Optional<UUID> run) {
  private static final long LONGEST_MS = 120_000;

  /** Starts a query on a checkpoint and waits until its trigger ends it. */
  static RestartRun of(
      SparkSession spark,
      Dataset<Row> rows,
      String outputMode,
      Path checkpoint,
      Map<String, String> conf,
      Trigger trigger) {
    Map<Long, List<String>> batches = new TreeMap<>();
    VoidFunction2<Dataset<Row>, Long> sink =
        (batch, id) ->
            batches.put(
                id, new ArrayList<>(batch.collectAsList().stream().map(Row::toString).toList()));
    DataStreamWriter<Row> writer =
        rows.writeStream()
            .outputMode(outputMode)
            .option("checkpointLocation", checkpoint.toString())
            .trigger(trigger)
            .foreachBatch(sink);
    conf.forEach(spark.conf()::set);
    StreamingQuery query = null;
    Exception failure = null;
    try {
      query = writer.start();
      if (!query.awaitTermination(LONGEST_MS)) {
        query.stop();
        throw new IllegalStateException("the query did not end");
      }
    } catch (Exception e) {
      failure = e;
    } finally {
      conf.keySet().forEach(spark.conf()::unset);
    }
    StreamingQueryProgress[] progress =
        query == null ? new StreamingQueryProgress[0] : query.recentProgress();
    return new RestartRun(
        Optional.ofNullable(failure),
        batches,
        progress.length == 0 ? Optional.empty() : Optional.of(progress[0]),
        Optional.ofNullable(query).map(StreamingQuery::runId));
  }

  /**
   * Closes the state of the one operator, which a session otherwise keeps in memory.
   *
   * @param snapshot whether snapshots are to be written before, as a maintenance run does
   */
  void closeState(Path checkpoint, int partitions, boolean snapshot) {
    for (int partition = 0; partition < partitions && run.isPresent(); partition++) {
      StateStoreId store =
          new StateStoreId("file:" + checkpoint.resolve("state"), 0, partition, "default");
      StateStoreProviderId id = new StateStoreProviderId(store, run.get());
      if (snapshot) {
        StateStore.doMaintenanceAndUnload(id);
      } else if (StateStore.isLoaded(id)) {
        StateStore.removeFromLoadedProvidersAndClose(id, scala.Option.empty());
      }
    }
  }

  boolean restarts() {
    return failure.isEmpty();
  }

  /** Where the first batch began to read a source, as Spark's JSON; empty for its very start. */
  Optional<String> start(int source) {
    return first.map(progress -> progress.sources()[source]).map(SourceProgress::startOffset);
  }

  /** The innermost reason of the failure. */
  String reason() {
    Throwable cause = failure.orElseThrow();
    while (cause.getCause() != null && cause.getCause() != cause) {
      cause = cause.getCause();
    }
    String text = String.valueOf(cause.getMessage());
    return cause.getClass().getSimpleName()
        + ": "
        + text.substring(0, Math.min(200, text.length()));
  }
}
