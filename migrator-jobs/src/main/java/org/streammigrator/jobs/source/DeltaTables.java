package org.streammigrator.jobs.source;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.OptionalLong;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.streammigrator.job.InvalidJobSpecException;

/** Delta tables by their path. */
public final class DeltaTables {
  private DeltaTables() {}

  /**
   * A table as it is now.
   *
   * @throws InvalidJobSpecException if there is none
   */
  public static Dataset<Row> current(SparkSession spark, String table) {
    require(spark, table);
    return spark.read().format("delta").load(table);
  }

  /**
   * Looks whether there is a table.
   *
   * @throws InvalidJobSpecException if there is none
   */
  public static void require(SparkSession spark, String table) {
    if (!exists(spark, table)) {
      throw new InvalidJobSpecException("there is no Delta table at " + table);
    }
  }

  /** Whether there is a table. */
  public static boolean exists(SparkSession spark, String table) {
    return DeltaLogFiles.exists(spark, table);
  }

  /** A path as it is without the directory that the job runs in; Delta makes no table otherwise. */
  public static String absolute(SparkSession spark, String table) {
    Path path = new Path(table);
    try {
      return path.getFileSystem(spark.sparkContext().hadoopConfiguration())
          .makeQualified(path)
          .toString();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** The id of a table. */
  public static String id(SparkSession spark, String table) {
    return new DeltaLogFiles(spark, table).tableId();
  }

  /** The newest version of a table. */
  public static long latestVersion(SparkSession spark, String table) {
    return new DeltaLogFiles(spark, table).latestVersion();
  }

  /**
   * What an application wrote last, by the table's own record.
   *
   * @param applicationId a {@code txnAppId}, or a query's id
   * @return empty if there is no record of it
   */
  public static OptionalLong lastTransaction(
      SparkSession spark, String table, String applicationId) {
    return new DeltaLogFiles(spark, table).lastTransaction(applicationId);
  }

  /**
   * How many files of a table may hold rows of a part of it, by its partitions and statistics, and
   * how many bytes.
   *
   * @return files and bytes
   */
  public static long[] matching(SparkSession spark, String table, Column part) {
    return new DeltaLogFiles(spark, table).matching(current(spark, table).where(part));
  }
}
