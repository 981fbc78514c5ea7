package org.streammigrator.jobs.lake;

import io.delta.tables.DeltaTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.delta.actions.AddFile;
import org.streammigrator.job.InvalidJobSpecException;
import org.streammigrator.job.JobRefusedException;

/** Delta tables by their path. */
public final class LakeTables {
  private LakeTables() {}

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

  /**
   * Whether there is a table.
   *
   * @throws JobRefusedException if its log has a gap
   */
  public static boolean exists(SparkSession spark, String table) {
    return LakeLog.readable(table, () -> DeltaTable.isDeltaTable(spark, table));
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

  /**
   * How many files of a table may hold rows of a part of it, by its partitions and statistics, and
   * how many bytes.
   *
   * @return files and bytes
   */
  public static long[] matching(SparkSession spark, String table, Column part) {
    Set<String> names =
        Arrays.stream(current(spark, table).where(part).inputFiles())
            .map(LakeTables::lastName)
            .collect(Collectors.toSet());
    long[] filesAndBytes = new long[2];
    for (AddFile add : new LakeLog(spark, table).latest().allFiles().collectAsList()) {
      if (names.contains(lastName(add.path()))) {
        filesAndBytes[0]++;
        filesAndBytes[1] += add.size();
      }
    }
    return filesAndBytes;
  }

  private static String lastName(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }
}
