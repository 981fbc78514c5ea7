package org.streammigrator.jobs.backfill;

import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Computes the rows of a backfill where SQL is not enough. An implementation has a public
 * constructor without parameters, and is named by the spec's {@code transform}.
 *
 * <p>It must compute the same rows from the same records whenever it runs, since a job that was
 * killed is run again: no clock, no random numbers, no side effects.
 */
public interface BackfillTransform {

  /**
   * The rows.
   *
   * @param spark the job's session
   * @param sources the records of each source, by its name
   * @return rows with the sink's columns
   */
  Dataset<Row> apply(SparkSession spark, Map<String, Dataset<Row>> sources);
}
