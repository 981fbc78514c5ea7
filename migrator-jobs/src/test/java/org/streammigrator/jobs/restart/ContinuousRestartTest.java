package org.streammigrator.jobs.restart;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.jobs.demo.DemoScene;
import org.streammigrator.jobs.session.LocalSpark;

/** Stops continuous processing and starts it again, as the reader says it can be. */
@Tag("spark")
class ContinuousRestartTest {
  private static final long LONGEST_MS = 90_000;

  @TempDir Path directory;

  @Test
  void goesOnAfterItsNewestCommit() throws Exception {
    SparkSession spark = LocalSpark.open("tests", DemoScene.SESSION);
    Path checkpoint = directory.resolve("checkpoint");
    runUntil(spark, checkpoint, 2);

    Answer answer = Answer.of(checkpoint);
    assertThat(answer.inspection().restartable()).isTrue();
    assertThat(answer.inspection().findings())
        .anyMatch(finding -> finding.code() == FindingCode.CONTINUOUS_PROCESSING);
    long committed = answer.inspection().batches().lastCommitted();
    assertThat(answer.resume().batch()).isEqualTo(committed);
    assertThat(runUntil(spark, checkpoint, committed + 1)).isEmpty();

    Damaged copy = Damaged.copy(checkpoint, directory.resolve("copy"));
    long newest = Answer.of(checkpoint).inspection().batches().lastCommitted();
    copy.delete("offsets/" + newest);
    boolean restartable = Answer.of(copy.path()).inspection().restartable();
    assertThat(runUntil(spark, copy.path(), newest + 1))
        .as("without the plan of epoch " + newest)
        .isPresent();
    assertThat(restartable).isFalse();
  }

  /** Runs until an epoch is committed, or until the query fails. */
  private static Optional<Exception> runUntil(SparkSession spark, Path checkpoint, long epoch)
      throws Exception {
    StreamingQuery query =
        spark
            .readStream()
            .format("rate")
            .option("numPartitions", "1")
            .load()
            .writeStream()
            .format("noop")
            .option("checkpointLocation", checkpoint.toString())
            .trigger(Trigger.Continuous("200 milliseconds"))
            .start();
    long end = System.currentTimeMillis() + LONGEST_MS;
    while (query.isActive()
        && !Files.exists(checkpoint.resolve("commits/" + epoch))
        && System.currentTimeMillis() < end) {
      Thread.sleep(50);
    }
    query.stop();
    return query.exception().isDefined() ? Optional.of(query.exception().get()) : Optional.empty();
  }
}
