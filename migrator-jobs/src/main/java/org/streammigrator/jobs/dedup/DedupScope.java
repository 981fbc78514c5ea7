package org.streammigrator.jobs.dedup;

import static org.apache.spark.sql.functions.expr;
import static org.apache.spark.sql.functions.lit;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.SubqueryExpression;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.types.StructField;
import org.streammigrator.job.DedupSpec;
import org.streammigrator.job.InvalidJobSpecException;
import org.streammigrator.jobs.lake.LakeTable;
import org.streammigrator.jobs.rows.Failures;

/**
 * Which rows of a table are looked at.
 *
 * @param table the table
 * @param condition what holds for those rows; null: nothing has to
 * @param since files whose rows alone may go; null: all rows may
 */
record DedupScope(LakeTable table, Column condition, Set<String> since) {

  /**
   * Takes a scope from a spec.
   *
   * @throws InvalidJobSpecException if it does not fit the table
   * @throws org.streammigrator.job.JobRefusedException if nobody knows which rows are new
   */
  static DedupScope of(DedupSpec.Scope scope, LakeTable table) {
    if (scope == null) {
      return new DedupScope(table, null, null);
    }
    if (scope.predicate() != null) {
      return new DedupScope(table, condition(scope.predicate(), table), null);
    }
    if (scope.partition() != null) {
      return new DedupScope(table, partition(scope.partition(), table), null);
    }
    long since = scope.sinceVersion();
    if (since > table.version()) {
      throw new InvalidJobSpecException(
          "scope.sinceVersion: version %d is not written yet; the table ends with version %d"
              .formatted(since, table.version()));
    }
    return new DedupScope(table, null, since == 0 ? null : table.filesSince(since));
  }

  private static Column condition(String predicate, LakeTable table) {
    return Failures.ofAnalysis(
        "scope.predicate",
        () -> {
          Column condition = expr(predicate);
          requireSteady(table.rows().where(condition));
          return condition;
        });
  }

  private static void requireSteady(Dataset<Row> rows) {
    LogicalPlan plan =
        ((org.apache.spark.sql.classic.Dataset<Row>) rows).queryExecution().analyzed();
    if (!(plan instanceof Filter filter)) {
      throw new InvalidJobSpecException("scope.predicate: this is no condition on rows");
    }
    if (!filter.condition().deterministic()) {
      throw new InvalidJobSpecException(
          "scope.predicate: it does not always say the same of the same row");
    }
    if (SubqueryExpression.hasSubquery(filter.condition())) {
      throw new InvalidJobSpecException("scope.predicate: it must not ask other rows or tables");
    }
  }

  private static Column partition(Map<String, String> values, LakeTable table) {
    List<String> partitioned = table.partitionColumns();
    Column all = lit(true);
    for (Map.Entry<String, String> value : values.entrySet()) {
      StructField field =
          DedupColumns.find(table.schema(), value.getKey())
              .filter(found -> partitioned.stream().anyMatch(found.name()::equalsIgnoreCase))
              .orElseThrow(() -> notPartitioned(value.getKey(), partitioned));
      Column typed = lit(value.getValue()).try_cast(field.dataType());
      if (SparkSession.active().range(1).where(typed.isNull()).count() > 0) {
        throw new InvalidJobSpecException(
            "scope.partition.%s: '%s' is no %s"
                .formatted(field.name(), value.getValue(), field.dataType().simpleString()));
      }
      all =
          all.and(DedupColumns.column(field).equalTo(lit(value.getValue()).cast(field.dataType())));
    }
    return all;
  }

  private static InvalidJobSpecException notPartitioned(String name, List<String> partitioned) {
    return new InvalidJobSpecException(
        "scope.partition: the table is not partitioned by %s, but by %s"
            .formatted(name, partitioned.isEmpty() ? "nothing" : String.join(", ", partitioned)));
  }

  /** Every row that may go, and every row that stays and may have the key of one that goes. */
  Dataset<Row> all() {
    return since == null ? looked() : table.rows(files());
  }

  /** The rows that may go. */
  Dataset<Row> looked() {
    if (since != null) {
      return table.rows(since);
    }
    return condition == null ? table.rows(files()) : limited(table.rows());
  }

  /** The files that may hold such rows. */
  Set<String> files() {
    return table.files().keySet();
  }

  /** Rows that some of these files hold, as far as that is known. */
  long estimatedRows(Set<String> files) {
    return table.estimatedRows(files);
  }

  /** Whether a file may hold rows that may go. */
  boolean mayGo(String file) {
    return since == null || since.contains(file);
  }

  /** Whether there are rows that stay in any case. */
  boolean hasOlder() {
    return since != null;
  }

  /** The rows of some files that may go, with their place. */
  Dataset<Row> looked(Set<String> files) {
    return limited(table.rows(since == null ? files : both(files, true)));
  }

  /** The rows of some files that stay in any case, with their place. */
  Dataset<Row> older(Set<String> files) {
    return table.rows(both(files, false));
  }

  private Set<String> both(Set<String> files, boolean isSince) {
    Set<String> some = new HashSet<>(files);
    some.removeIf(file -> since.contains(file) != isSince);
    return some;
  }

  private Dataset<Row> limited(Dataset<Row> rows) {
    return condition == null ? rows : rows.where(condition);
  }
}
