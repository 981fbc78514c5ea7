package org.streammigrator.jobs.source;

import org.apache.spark.sql.SparkSession;
import org.streammigrator.job.InvalidJobSpecException;
import org.streammigrator.job.JobRefusedException;
import org.streammigrator.job.SourceSpec;

/** Opens the bounded ranges of sources. */
public final class Sources {
  private Sources() {}

  /**
   * Opens a range; its records are read when they are used.
   *
   * @throws InvalidJobSpecException if there is no such source, or no such place in it
   * @throws JobRefusedException if a part of the range is gone, or the source is another one
   */
  public static SourceRead open(SparkSession spark, SourceSpec spec) {
    if (spec.delta() != null) {
      return new DeltaRange(spark, spec).open();
    }
    return spec.kafka() != null
        ? new KafkaRange(spark, spec).open()
        : new FileRange(spark, spec).open();
  }
}
