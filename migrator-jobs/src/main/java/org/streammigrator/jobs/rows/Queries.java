package org.streammigrator.jobs.rows;

import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.streammigrator.job.InvalidJobSpecException;
import org.streammigrator.jobs.source.Failures;

/** SQL over views. */
public final class Queries {
  private Queries() {}

  /**
   * Gives rows a name in a session.
   *
   * @throws InvalidJobSpecException if Spark takes no such name
   */
  public static void view(String name, Dataset<Row> rows) {
    Failures.ofAnalysis(
        "source " + name + ": name",
        () -> {
          rows.createOrReplaceTempView(name);
          return rows;
        });
  }

  /**
   * The rows of a query; no other statement is taken.
   *
   * @throws InvalidJobSpecException if it is no query
   */
  public static Dataset<Row> rows(SparkSession session, String sql) {
    // As a subquery, nothing but a query is accepted.
    return Failures.ofAnalysis("sql", () -> session.sql("select * from (\n" + sql + "\n)"));
  }
}
