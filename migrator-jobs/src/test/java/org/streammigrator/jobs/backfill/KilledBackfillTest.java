package org.streammigrator.jobs.backfill;

import static org.assertj.core.api.Assertions.assertThat;

import io.delta.tables.DeltaTable;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.streammigrator.job.BackfillResult;
import org.streammigrator.job.BackfillSpec;
import org.streammigrator.job.DeltaPosition;
import org.streammigrator.job.JobJson;
import org.streammigrator.job.JobProcess;
import org.streammigrator.job.LocalLauncher;
import org.streammigrator.job.RunnerSpec;
import org.streammigrator.job.SourceSpec;
import org.streammigrator.job.SparkJvm;
import org.streammigrator.job.WindowRange;
import org.streammigrator.jobs.demo.DemoLake;
import org.streammigrator.jobs.demo.DemoScene;
import org.streammigrator.jobs.session.LocalSpark;

/** The real process is killed after some chunk, at a random moment of the next one. */
@Tag("spark")
@EnabledIfSystemProperty(
    named = "soak",
    matches = "[0-9]+",
    disabledReason = "starts JVMs to kill them; run by -Psoak")
class KilledBackfillTest {
  private static final int KILLS = Integer.getInteger("kills", 1);
  private static final int CHUNKS = 8;
  private static final Instant NINE = Instant.parse("2026-03-27T09:00:00Z");
  private static final String SQL =
      """
      select window(event_time, '5 minutes').start as ws, product, sum(amount_cents) as total
      from orders group by 1, 2
      """;

  @TempDir private Path directory;

  @Test
  void jobThatIsKilledFinishesTheRestAndRepeatsNothing() throws Exception {
    SparkSession spark = LocalSpark.open("tests", DemoScene.SESSION);
    DemoLake lake = DemoLake.at(directory.resolve("lake"));
    lake.write(spark, 0, 7);
    Path gold = directory.resolve("gold");
    BackfillSpec spec =
        new BackfillSpec(
            List.of(
                SourceSpec.delta(
                    "orders", lake.rawOrders().toString(), new DeltaPosition(0, -1), null)),
            SQL,
            null,
            new WindowRange("ws", NINE, NINE.plusSeconds(CHUNKS * 300L)),
            new BackfillSpec.Sink(
                gold.toString(), List.of("ws", "product"), null, null, null, null, true, null),
            new BackfillSpec.Chunks("window", "5m"),
            "killed",
            null,
            null,
            null);
    SplittableRandom random = new SplittableRandom(20260327);
    for (int kill = 0; kill < KILLS; kill++) {
      kill(spec, random.nextInt(1, CHUNKS - 1), random.nextInt(400));
    }

    JobProcess.Ended ended =
        new JobProcess(new LocalLauncher(jvm(), RunnerSpec.of(RunnerSpec.LOCAL)), directory)
            .run(spec, line -> true);
    assertThat(ended.exit()).as(ended.toString()).isZero();
    BackfillResult result =
        JobJson.readResult(ended.result().orElseThrow(), BackfillSpec.JOB, BackfillResult.class);
    assertThat(result.chunks()).hasSize(CHUNKS);
    assertThat(result.chunks().get(0).status()).isEqualTo("done-before");
    assertThat(result.updated()).as("nothing was written twice").isZero();
    assertThat(DeltaTable.forPath(spark, gold.toString()).history().count())
        .as("one commit a chunk, and the one that made the table")
        .isEqualTo(CHUNKS + 1);
    spark
        .read()
        .format("delta")
        .load(lake.rawOrders().toString())
        .createOrReplaceTempView("orders");
    assertThat(text(spark.read().format("delta").load(gold.toString())))
        .isEqualTo(
            text(
                spark
                    .sql(SQL)
                    .where("ws >= '2026-03-27T09:00:00Z' and ws < '2026-03-27T09:40:00Z'")));
  }

  /**
   * Starts the job and kills it so long after it has told of a chunk, unless it is over by then.
   */
  private void kill(BackfillSpec spec, int chunk, int millis)
      throws IOException, InterruptedException {
    Path file = Files.writeString(directory.resolve("spec.json"), JobJson.write(spec));
    Process process =
        new ProcessBuilder(
                jvm()
                    .command(
                        directory.resolve("java.args"),
                        "org.streammigrator.jobs.JobMain",
                        List.of(file.toString(), "--progress")))
            .redirectErrorStream(true)
            .start();
    try (BufferedReader lines = process.inputReader()) {
      String line = lines.readLine();
      for (; line != null && process.isAlive(); line = lines.readLine()) {
        if (line.startsWith("{\"event\":\"chunk\"") && line.contains("\"number\":" + chunk + ",")) {
          TimeUnit.MILLISECONDS.sleep(millis);
          process.destroyForcibly();
          break;
        }
      }
    }
    assertThat(process.waitFor()).as("killed").isEqualTo(137);
  }

  private static SparkJvm jvm() {
    return new SparkJvm(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
        List.of(
            "-Xmx1g",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Dspark.sql.codegen.wholeStage=false",
            "-Dspark.sql.codegen.factoryMode=NO_CODEGEN",
            "-Dspark.sql.shuffle.partitions=2"));
  }

  private static List<String> text(Dataset<Row> rows) {
    return rows.toJSON().collectAsList().stream().sorted().toList();
  }
}
