package org.streammigrator.jobs.dedup;

import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.streammigrator.job.DedupResult;
import org.streammigrator.job.DedupSpec;
import org.streammigrator.job.OrderColumn;
import org.streammigrator.jobs.session.LocalSpark;

/**
 * What {@code benchmarks/dedup.sh} runs, each in a JVM of its own: {@code make TABLE ROWS FILES
 * VECTORS}, {@code dedup TABLE}, {@code overwrite TABLE}, {@code merge TABLE}. The last three end
 * with a line of milliseconds on the clock and of processor time, bytes written and rows that are
 * left.
 */
final class DedupBenchmark {
  private static final int DOUBLED_FILES = 5;
  private static final int DOUBLED_OF_A_HUNDRED = 1;

  private DedupBenchmark() {}

  public static void main(String[] arguments) throws Exception {
    SparkSession spark =
        LocalSpark.open(
            "benchmark",
            Map.of(
                "spark.sql.codegen.wholeStage", "true",
                "spark.sql.codegen.factoryMode", "FALLBACK",
                "spark.sql.adaptive.enabled", "true",
                "spark.sql.shuffle.partitions", "32"));
    Path table = Path.of(arguments[1]).toAbsolutePath();
    if (arguments[0].equals("make")) {
      make(
          spark, table, Long.parseLong(arguments[2]), Integer.parseInt(arguments[3]), arguments[4]);
      return;
    }
    long before = bytes(table);
    long cpu = cpuMs();
    long start = System.nanoTime();
    switch (arguments[0]) {
      case "dedup" -> System.out.println(dedup(spark, table));
      case "overwrite" -> overwrite(spark, table);
      case "merge" -> merge(spark, table);
      default -> throw new IllegalArgumentException(arguments[0]);
    }
    long ms = (System.nanoTime() - start) / 1_000_000;
    cpu = cpuMs() - cpu;
    Row left =
        spark
            .read()
            .format("delta")
            .load(table.toString())
            .selectExpr("count(*)", "count(distinct id)")
            .first();
    System.out.printf(
        "%s %d %d %d %d %d%n",
        arguments[0], ms, cpu, bytes(table) - before, left.getLong(0), left.getLong(1));
  }

  /** What this process has used so far, all threads, with what the JVM does for itself. */
  private static long cpuMs() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
            .getProcessCpuTime()
        / 1_000_000;
  }

  /** Keys are spread over all files, so that no statistics help. */
  private static void make(SparkSession spark, Path table, long rows, int files, String vectors) {
    long each = rows / files;
    spark.sql(
        """
        create table delta.`%s` (id bigint, customer string, product string, amount decimal(12, 2),
        event_time timestamp, note string) using delta
        tblproperties ('delta.enableDeletionVectors' = '%s')
        """
            .formatted(table, vectors));
    spark
        .range(0, rows, 1, files)
        .selectExpr(
            "explode(if(id div %1$d < %2$d and id %% %1$d < %1$d * %3$d div 100, array(0, 1), array(0))) as copy"
                .formatted(each, DOUBLED_FILES, DOUBLED_OF_A_HUNDRED),
            "id")
        .selectExpr(
            "(id * 7919) % 2147483647 as id",
            "concat('customer-', id % 100003) as customer",
            "concat('product-', id % 997) as product",
            "cast(id % 100000 as decimal(12, 2)) / 100 as amount",
            "timestamp_millis(1770000000000 + id * 10 + copy) as event_time",
            "sha2(cast(id as string), 224) as note")
        .selectExpr(
            "id",
            "customer",
            "product",
            "cast(amount as decimal(12, 2)) as amount",
            "event_time",
            "note")
        .write()
        .format("delta")
        .mode("append")
        .save(table.toString());
  }

  private static DedupResult dedup(SparkSession spark, Path table) throws Exception {
    return DedupJob.run(
        spark,
        new DedupSpec(
            table.toString(),
            List.of("id"),
            List.of(new OrderColumn("event_time", "desc", null)),
            null,
            null,
            null,
            null,
            null,
            null,
            null));
  }

  /** As one finds it written everywhere. */
  private static void overwrite(SparkSession spark, Path table) {
    spark.sql(
        """
        insert overwrite delta.`%1$s`
        select id, customer, product, amount, event_time, note from (
        select *, row_number() over (partition by id order by event_time desc) as rn
        from delta.`%1$s`) where rn = 1
        """
            .formatted(table));
  }

  /** Works only where the order tells every two rows of a key apart. */
  private static void merge(SparkSession spark, Path table) {
    spark.sql(
        """
        merge into delta.`%1$s` t using (
        select id, max(event_time) as newest from delta.`%1$s` group by id having count(*) > 1) d
        on t.id = d.id and t.event_time < d.newest when matched then delete
        """
            .formatted(table));
  }

  private static long bytes(Path table) throws java.io.IOException {
    try (Stream<Path> files = Files.walk(table)) {
      return files
          .filter(file -> !file.toString().contains("_delta_log") && Files.isRegularFile(file))
          .mapToLong(file -> file.toFile().length())
          .sum();
    }
  }
}
