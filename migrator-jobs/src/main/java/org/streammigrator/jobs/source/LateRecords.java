package org.streammigrator.jobs.source;

import java.time.Instant;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.streammigrator.job.BackfillSpec;
import org.streammigrator.job.InvalidJobSpecException;
import org.streammigrator.job.JobRefusedException;
import org.streammigrator.job.WindowRange;
import org.streammigrator.jobs.rows.Windows;

/** Records whose event time was too early when they came. */
public final class LateRecords {
  private LateRecords() {}

  /**
   * Counts those of a part of a source.
   *
   * @throws InvalidJobSpecException if there is no such source or event time
   * @throws JobRefusedException if the part is gone
   */
  public static long count(SparkSession spark, BackfillSpec.Late part) {
    Dataset<Row> rows = Sources.open(spark, part.source()).rows();
    return of(rows, EventTimes.column(part.source(), rows), part.before()).count();
  }

  /** Those with an event time before an instant; a record without one is not late. */
  public static Dataset<Row> of(Dataset<Row> rows, Column eventTime, Instant before) {
    return rows.where(Windows.contains(eventTime, new WindowRange("late", null, before)));
  }
}
