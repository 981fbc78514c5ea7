package org.streammigrator.jobs.demo;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.SparkSession;
import org.streammigrator.job.SourceSpec;
import org.streammigrator.job.ValidateResult;
import org.streammigrator.job.ValidateSpec;
import org.streammigrator.jobs.validate.ValidateJob;

/**
 * The rule that many runbooks give for a Delta source, really followed on a copy: take the newest
 * offsets file, add one to its {@code reservoirVersion}, and start a new checkpoint there.
 *
 * @param startingVersion the version that the rule gives
 * @param lost rows that the sink lacks in the end
 * @param repeated rows that it has and should not
 */
record PlusOne(long startingVersion, long lost, long repeated) {

  /** Follows the rule on the copy, until the source is drained, and compares. */
  static PlusOne measure(SparkSession spark, DemoScene scene) throws IOException {
    long startingVersion = BatchEnd.newestPlanned(scene.oldBronze()).version() + 1;
    new DemoStreams(spark, scene.lake())
        .runBronzeFrom(
            startingVersion,
            sink(scene),
            scene.plusOne().resolve("checkpoint"),
            DemoStreams.Enrich.V2);
    ValidateResult result =
        ValidateJob.run(
            spark,
            new ValidateSpec(
                SourceSpec.delta("orders", scene.lake().rawOrders().toString(), null, null),
                new ValidateSpec.Sink(sink(scene).toString()),
                List.of(),
                null,
                DemoScene.BRONZE_SQL,
                null,
                null,
                null,
                null));
    return new PlusOne(startingVersion, result.missing(), result.extra());
  }

  private static Path sink(DemoScene scene) {
    return scene.plusOne().resolve("bronze_orders");
  }
}
