package org.streammigrator.jobs.dedup;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.streammigrator.job.DedupSpec;
import org.streammigrator.job.JobJson;
import org.streammigrator.job.OrderColumn;
import org.streammigrator.job.SparkJvm;
import org.streammigrator.jobs.demo.DemoScene;
import org.streammigrator.jobs.session.LocalSpark;

/**
 * The job's JVM is killed when the first new data file is there, when the commit is there, and at
 * random moments ({@code -Ddedup.kills}), and run again.
 */
@Tag("spark")
@EnabledIfSystemProperty(
    named = "soak",
    matches = "[0-9]+",
    disabledReason = "starts JVMs to kill them; run by -Psoak")
class DedupKillTest {
  private static final int KILLS = Integer.getInteger("dedup.kills", 1);
  private static final Random RANDOM = new Random(Long.getLong("dedup.firstSeed", 1));

  @TempDir static Path directory;
  private static SparkSession spark;

  @BeforeAll
  static void open() {
    spark = LocalSpark.open("tests", DemoScene.SESSION);
  }

  @Test
  void killedJobIsRunAgainAndThereIsOneCommit() throws Exception {
    for (int kill = 0; kill < KILLS; kill++) {
      Path table = directory.resolve("t" + kill);
      spark.sql(
          """
          create table delta.`%s` (id bigint, v bigint) using delta
          tblproperties ('delta.enableDeletionVectors' = '%s')
          """
              .formatted(table, kill % 2 == 1));
      spark
          .range(0, 3_000, 1, 3)
          .selectExpr("id % 1000 as id", "id as v")
          .write()
          .format("delta")
          .mode("append")
          .save(table.toString());
      long files = dataFiles(table);
      Process process = start(table);
      long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(180);
      long moment =
          System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(3_000 + RANDOM.nextInt(17_000));
      while (process.isAlive()
          && System.nanoTime() < limit
          && (kill % 3 != 0 || dataFiles(table) == files)
          && (kill % 3 != 1 || commits(table) < 3)
          && (kill % 3 != 2 || System.nanoTime() < moment)) {
        Thread.sleep(2);
      }
      process.destroyForcibly().waitFor();
      long commits = commits(table);
      Process again = start(table);
      assertThat(again.waitFor()).as(Files.readString(log(table))).isZero();

      Dataset<Row> rows = spark.read().format("delta").load(table.toString());
      assertThat(rows.count()).isEqualTo(1_000);
      assertThat(rows.selectExpr("sum(v)").first().getLong(0)).isEqualTo(999L * 500);
      assertThat(commits(table)).as("after %d of the first run", commits).isEqualTo(3);
    }
  }

  private static Process start(Path table) throws IOException {
    Path spec = directory.resolve("spec.json");
    Files.writeString(
        spec,
        JobJson.write(
            new DedupSpec(
                table.toString(),
                List.of("id"),
                List.of(new OrderColumn("v", "asc", null)),
                null,
                null,
                null,
                null,
                "plan",
                null,
                null)));
    SparkJvm jvm =
        new SparkJvm(
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
            List.of("-Xmx1g", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    return new ProcessBuilder(
            jvm.command(
                directory.resolve("java.args"),
                "org.streammigrator.jobs.JobMain",
                List.of(spec.toString())))
        .redirectErrorStream(true)
        .redirectOutput(log(table).toFile())
        .start();
  }

  private static Path log(Path table) {
    return directory.resolve(table.getFileName() + ".log");
  }

  private static long commits(Path table) throws IOException {
    return count(table.resolve("_delta_log"), ".json");
  }

  private static long dataFiles(Path table) throws IOException {
    return count(table, ".parquet") + count(table, ".bin");
  }

  private static long count(Path place, String end) throws IOException {
    try (Stream<Path> files = Files.list(place)) {
      return files
          .filter(file -> !file.getFileName().toString().startsWith("."))
          .filter(file -> file.toString().endsWith(end))
          .count();
    }
  }
}
