package org.streammigrator.jobs.demo;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count_distinct;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.streammigrator.job.DedupSpec;
import org.streammigrator.job.JobJson;
import org.streammigrator.jobs.dedup.DedupJob;

/**
 * The careful variant of the runbooks' rule, on a copy: start at {@code reservoirVersion} itself
 * and read the version again that was half done. Then the job {@code dedup} heals the table.
 *
 * @param startingVersion the version that the rule gives
 * @param repeated rows too many, of orders that are there more than once
 * @param left the same after the job
 * @param missing orders that are not there after the job
 * @param spec the job's spec
 */
record Overlap(long startingVersion, long repeated, long left, long missing, Path spec) {

  static Overlap measure(SparkSession spark, DemoScene scene) throws IOException {
    long startingVersion = BatchEnd.newestPlanned(scene.oldBronze()).version();
    Path sink = scene.overlap().resolve("bronze_orders");
    new DemoStreams(spark, scene.lake())
        .runBronzeFrom(
            startingVersion, sink, scene.overlap().resolve("checkpoint"), DemoStreams.Enrich.V2);
    long repeated = repeated(spark, sink);
    DedupSpec spec =
        (DedupSpec)
            JobJson.readSpec(
                    """
                    {"schema":"migrator/job/1","job":"dedup","table":"%s","keys":["order_id"],
                     "order":[{"column":"event_time"}]}
                    """
                        .formatted(sink))
                .spec();
    Path file = scene.overlap().resolve("dedup.json");
    Files.writeString(file, JobJson.write(spec) + "\n", StandardCharsets.UTF_8);
    DedupJob.run(spark, spec);
    Dataset<Row> orders = spark.read().format("delta").load(scene.lake().rawOrders().toString());
    Dataset<Row> there = spark.read().format("delta").load(sink.toString());
    long missing = orders.select("order_id").distinct().except(there.select("order_id")).count();
    return new Overlap(startingVersion, repeated, repeated(spark, sink), missing, file);
  }

  private static long repeated(SparkSession spark, Path table) {
    Dataset<Row> rows = spark.read().format("delta").load(table.toString());
    return rows.count() - rows.agg(count_distinct(col("order_id"))).first().getLong(0);
  }
}
