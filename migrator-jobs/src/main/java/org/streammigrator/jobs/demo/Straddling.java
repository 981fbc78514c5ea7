package org.streammigrator.jobs.demo;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import org.apache.spark.sql.SparkSession;
import org.streammigrator.job.BackfillResult;
import org.streammigrator.job.BackfillSpec;
import org.streammigrator.job.ChunkEvent;
import org.streammigrator.job.JobJson;
import org.streammigrator.job.SourceSpec;
import org.streammigrator.job.ValidateResult;
import org.streammigrator.job.ValidateSpec;
import org.streammigrator.job.WindowRange;
import org.streammigrator.jobs.backfill.BackfillJob;
import org.streammigrator.jobs.validate.ValidateJob;

/**
 * The windowed query begun anew where the old one stopped, on a copy: the windows that were open
 * then are computed from their second half alone. Then the job {@code backfill} heals the table.
 *
 * @param startingVersion where it was begun
 * @param wrong totals that are missing or wrong, of the windows that have ended
 * @param left the same after the job
 * @param spec the job's spec
 */
record Straddling(long startingVersion, long wrong, long left, Path spec) {
  private static final long WINDOW_MS = 300_000;
  private static final Consumer<ChunkEvent> NONE = chunk -> {};

  static Straddling measure(SparkSession spark, DemoScene scene) throws IOException {
    BatchEnd end = BatchEnd.newestCommitted(scene.oldGold());
    Path sink = scene.straddling().resolve("orders_5min");
    Path checkpoint = scene.straddling().resolve("checkpoint");
    new DemoStreams(spark, scene.lake()).runGoldFrom(end.version(), sink, checkpoint);
    Instant ended = Instant.ofEpochMilli(BatchEnd.watermarkMs(checkpoint) - WINDOW_MS + 1);
    long wrong = wrong(spark, scene, sink, ended);

    SourceSpec read =
        SourceSpec.delta("orders", scene.lake().rawOrders().toString())
            .to(SourceSpec.json(end.position()))
            .eventTime(new SourceSpec.EventTime("event_time", null));
    Instant firstOpen =
        Instant.ofEpochMilli(BatchEnd.watermarkMs(scene.oldGold()) / WINDOW_MS * WINDOW_MS);
    BackfillResult measured =
        BackfillJob.run(
            spark, spec(read, new WindowRange("window_start", firstOpen, null), sink, true), NONE);
    Instant newest = measured.sources().get(0).newestEvent();
    Instant cut = Instant.ofEpochMilli((newest.toEpochMilli() / WINDOW_MS + 1) * WINDOW_MS);
    BackfillSpec spec =
        spec(read.to(null), new WindowRange("window_start", firstOpen, cut), sink, false);
    Path file = scene.straddling().resolve("backfill.json");
    Files.writeString(file, JobJson.write(spec) + "\n", StandardCharsets.UTF_8);
    BackfillJob.run(spark, spec, NONE);
    return new Straddling(end.version(), wrong, wrong(spark, scene, sink, ended), file);
  }

  private static BackfillSpec spec(
      SourceSpec source, WindowRange windows, Path sink, boolean dryRun) {
    return new BackfillSpec(
        List.of(source),
        DemoScene.GOLD_SQL,
        null,
        windows,
        new BackfillSpec.Sink(
            sink.toString(),
            List.of("window_start", "product"),
            null,
            null,
            null,
            null,
            null,
            null),
        null,
        null,
        null,
        dryRun,
        null);
  }

  /** A total that is wrong is a row too many, and one that is missing. */
  private static long wrong(SparkSession spark, DemoScene scene, Path sink, Instant ended) {
    ValidateResult result =
        ValidateJob.run(
            spark,
            new ValidateSpec(
                SourceSpec.delta("orders", scene.lake().rawOrders().toString(), null, null),
                new ValidateSpec.Sink(sink.toString()),
                List.of(),
                null,
                DemoScene.GOLD_SQL,
                new WindowRange("window_start", null, ended),
                null,
                null,
                null));
    return Math.max(result.missing(), result.extra());
  }
}
