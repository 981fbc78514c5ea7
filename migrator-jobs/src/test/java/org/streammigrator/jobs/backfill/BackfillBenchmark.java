package org.streammigrator.jobs.backfill;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.streammigrator.job.BackfillResult;
import org.streammigrator.job.BackfillSpec;
import org.streammigrator.job.DeltaPosition;
import org.streammigrator.job.SourceSpec;
import org.streammigrator.job.WindowRange;
import org.streammigrator.jobs.session.LocalSpark;

/**
 * What {@code benchmarks/backfill.sh} runs, each in a JVM of its own: {@code make DIRECTORY ROWS},
 * {@code day DIRECTORY}, {@code all DIRECTORY}, {@code scoped DIRECTORY}, {@code unscoped
 * DIRECTORY}. The last four end with a line of milliseconds, on the clock and of processor time,
 * and what the job has done.
 */
final class BackfillBenchmark {
  private static final int DAYS = 100;
  private static final int DAY = 50;
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final String SQL =
      """
      select window(event_time, '1 hour').start as ws, product, sum(amount) as total, count(*) as n
      from orders group by 1, 2
      """;

  private BackfillBenchmark() {}

  public static void main(String[] arguments) throws IOException {
    SparkSession spark =
        LocalSpark.open(
            "benchmark",
            Map.of(
                "spark.sql.codegen.wholeStage", "true",
                "spark.sql.codegen.factoryMode", "FALLBACK",
                "spark.sql.adaptive.enabled", "true",
                "spark.sql.shuffle.partitions", "64"));
    Path directory = Path.of(arguments[1]).toAbsolutePath();
    String raw = directory.resolve("raw").toString();
    if (arguments[0].equals("make")) {
      make(spark, raw, Long.parseLong(arguments[2]) / DAYS);
      return;
    }
    BackfillSpec spec =
        switch (arguments[0]) {
          case "day" -> windows(raw, directory, DAY, DAY + 1);
          case "all" -> windows(raw, directory, 0, DAYS);
          case "scoped" -> overlap(raw, day(DAY), day(DAY + 1));
          case "unscoped" -> overlap(raw, null, null);
          default -> throw new IllegalArgumentException(arguments[0]);
        };
    long cpu = cpuMs();
    long start = System.nanoTime();
    BackfillResult result = BackfillJob.run(spark, spec, chunk -> {});
    System.out.printf(
        "%s %d %d %d %d %d%n",
        arguments[0],
        (System.nanoTime() - start) / 1_000_000,
        cpuMs() - cpu,
        result.rowsRead(),
        result.inserted(),
        result.ignored());
  }

  /** What this process has used so far, all threads, with what the JVM does for itself. */
  private static long cpuMs() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
            .getProcessCpuTime()
        / 1_000_000;
  }

  private static Instant day(int number) {
    return START.plus(Duration.ofDays(number));
  }

  /** A commit a day, so that the files of a day are told apart by their statistics. */
  private static void make(SparkSession spark, String raw, long rows) {
    // A hundred small commits: code made for each would take longer than their rows.
    spark.conf().set("spark.sql.codegen.wholeStage", "false");
    spark.conf().set("spark.sql.codegen.factoryMode", "NO_CODEGEN");
    spark.conf().set("spark.sql.adaptive.enabled", "false");
    for (int day = 0; day < DAYS; day++) {
      spark
          .range(0, rows, 1, 2)
          .selectExpr(
              "%d + id as order_id".formatted(day * rows),
              "concat('product-', id % 97) as product",
              "id % 10000 as amount",
              "timestamp_millis(%d + id * %d) as event_time"
                  .formatted(day(day).toEpochMilli(), 86_400_000L / rows),
              "sha2(cast(id as string), 224) as note")
          .write()
          .format("delta")
          .mode("append")
          .save(raw);
    }
  }

  private static BackfillSpec windows(String raw, Path directory, int from, int to) {
    return new BackfillSpec(
        List.of(
            SourceSpec.delta(
                "orders", raw, new DeltaPosition(from, -1), new DeltaPosition(to, -1))),
        SQL,
        null,
        new WindowRange("ws", day(from), day(to)),
        new BackfillSpec.Sink(
            directory.resolve("gold-" + System.nanoTime()).toString(),
            List.of("ws", "product"),
            null,
            null,
            null,
            null,
            true,
            null),
        null,
        null,
        null,
        null,
        null);
  }

  /** One day of the table is merged into the table itself, by its keys: nothing is new. */
  private static BackfillSpec overlap(String raw, Instant from, Instant to) {
    return new BackfillSpec(
        List.of(
            SourceSpec.delta(
                "orders", raw, new DeltaPosition(DAY, -1), new DeltaPosition(DAY + 1, -1))),
        null,
        null,
        new WindowRange("event_time", from, to),
        new BackfillSpec.Sink(
            raw, List.of("order_id", "event_time"), "insert-only", null, null, null, null, null),
        null,
        "overlap-" + System.nanoTime(),
        null,
        null,
        null);
  }
}
