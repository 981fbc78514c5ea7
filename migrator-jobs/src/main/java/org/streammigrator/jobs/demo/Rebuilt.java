package org.streammigrator.jobs.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.apache.spark.SparkThrowable;
import org.apache.spark.sql.SparkSession;
import org.streammigrator.job.SourceSpec;
import org.streammigrator.job.ValidateResult;
import org.streammigrator.job.ValidateSpec;
import org.streammigrator.job.WindowRange;
import org.streammigrator.jobs.validate.ValidateJob;

/**
 * The windowed query with one aggregate more, on a copy: its old state does not fit. Spark refuses
 * it on the old checkpoint; migrated by {@code replay} it rebuilds the state itself.
 *
 * @param error what Spark says of the old checkpoint
 * @param windows how many totals of ended windows there are
 * @param wrong how many of them are wrong or missing
 * @param newWindows how many of them have the new aggregate
 * @param newWrong in how many of those it is wrong
 */
record Rebuilt(String error, long windows, long wrong, long newWindows, long newWrong) {
  private static final long WINDOW_MS = 300_000;
  private static final String WIDER_SQL =
      DemoScene.GOLD_SQL.replace(
          "as total_cents", "as total_cents, max(amount_cents) as top_cents");

  /** The plan; its places are relative to it. */
  private static final String PLAN =
      """
      # The windowed query gets one aggregate more, which its old state does not fit. Its first batch
      # reads again what the open windows depend on, and ends at exactly the old position.
      version: 1
      name: rebuilt
      streams:
        - name: orders_5min
          strategy: replay
          checkpoint: {from: ../../checkpoints/orders_5min_v1, to: orders_5min_v3}
          sources:
            - {delta: ../../lake/raw/orders, eventTime: event_time, options: {startingVersion: 0}}
          sink: {delta: orders_5min}
          changes: [{kind: aggregate, detail: "max(amount_cents) added"}]
          query: {outputMode: append, operators: [{kind: window, size: 5m, delay: 10m}]}
      """;

  /** Writes the plan and runs the query on a copy of the old checkpoint, where Spark refuses it. */
  static String refused(SparkSession spark, DemoScene scene) throws IOException {
    Path place = scene.rebuilt();
    Files.writeString(plan(scene), PLAN, UTF_8);
    DemoScene.copy(scene.oldGold(), place.resolve("refused"));
    try {
      new DemoStreams(spark, scene.lake())
          .runWiderGold(place.resolve("refused-sink"), place.resolve("refused"));
    } catch (IllegalStateException failed) {
      for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
        if (cause instanceof SparkThrowable spoken
            && spoken.getCondition() != null
            && spoken.getCondition().startsWith("STATE_STORE")) {
          return spoken.getCondition();
        }
      }
      throw failed;
    }
    return "";
  }

  static Path plan(DemoScene scene) {
    return scene.rebuilt().resolve("plan.yaml");
  }

  /** Runs the query from the checkpoint that the plan made, and compares window by window. */
  static Rebuilt measure(SparkSession spark, DemoScene scene, String error) throws IOException {
    Path sink = scene.rebuilt().resolve("orders_5min");
    Path checkpoint = scene.rebuilt().resolve("orders_5min_v3");
    new DemoStreams(spark, scene.lake()).runWiderGold(sink, checkpoint);
    Instant ended = Instant.ofEpochMilli(BatchEnd.watermarkMs(checkpoint) - WINDOW_MS + 1);
    Instant firstOpen =
        Instant.ofEpochMilli(BatchEnd.watermarkMs(scene.oldGold()) / WINDOW_MS * WINDOW_MS);
    ValidateResult all = compare(spark, scene, sink, DemoScene.GOLD_SQL, null, ended);
    ValidateResult wider = compare(spark, scene, sink, WIDER_SQL, firstOpen, ended);
    return new Rebuilt(
        error,
        all.expectedRows(),
        Math.max(all.missing(), all.extra()),
        wider.expectedRows(),
        Math.max(wider.missing(), wider.extra()));
  }

  private static ValidateResult compare(
      SparkSession spark, DemoScene scene, Path sink, String sql, Instant from, Instant ended) {
    return ValidateJob.run(
        spark,
        new ValidateSpec(
            SourceSpec.delta("orders", scene.lake().rawOrders().toString(), null, null),
            new ValidateSpec.Sink(sink.toString()),
            List.of(),
            null,
            sql,
            new WindowRange("window_start", from, ended),
            null,
            null,
            null));
  }
}
