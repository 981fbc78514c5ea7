package org.streammigrator.jobs.rows;

import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.CurrentDate;
import org.apache.spark.sql.catalyst.expressions.CurrentTimestampLike;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.LocalTimestamp;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.streammigrator.job.InvalidJobSpecException;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.BoxedUnit;

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
   * Looks whether rows are the same whenever they are computed, as far as their expressions tell.
   *
   * @param field the part of the spec that computes them
   * @throws InvalidJobSpecException if they depend on the clock or on chance
   */
  public static void requireSteady(Dataset<Row> rows, String field) {
    LogicalPlan plan =
        ((org.apache.spark.sql.classic.Dataset<Row>) rows).queryExecution().analyzed();
    plan.foreachWithSubqueries(
        node -> {
          CollectionConverters.asJava(node.expressions())
              .forEach(expression -> requireSteady(expression, field));
          return BoxedUnit.UNIT;
        });
  }

  private static void requireSteady(Expression expression, String field) {
    if (!expression.deterministic() || expression.exists(Queries::isClock)) {
      throw new InvalidJobSpecException(
          "%s: %s depends on the clock or on chance, so that a job that is run again would compute other rows"
              .formatted(field, expression.sql()));
    }
  }

  private static boolean isClock(Expression expression) {
    return expression instanceof CurrentTimestampLike
        || expression instanceof CurrentDate
        || expression instanceof LocalTimestamp;
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
