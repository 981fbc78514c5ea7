package org.streammigrator.jobs.validate;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count_if;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.struct;
import static org.apache.spark.sql.functions.sum;
import static org.apache.spark.sql.functions.to_json;
import static org.apache.spark.sql.functions.when;

import java.sql.Timestamp;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.TimestampType;
import org.streammigrator.job.InvalidJobSpecException;
import org.streammigrator.job.ValidateResult;
import org.streammigrator.job.ValidateSpec;
import org.streammigrator.jobs.source.DeltaRead;

/**
 * Compares a sink with what it should hold, computed from its source. Rows are compared as
 * multisets, with nulls equal to nulls. Column names are compared as Spark does: case does not
 * count.
 *
 * <p>Nothing of the given session changes: its settings and views are left alone.
 */
public final class ValidateJob {
  private static final int EXAMPLES = 5;
  private static final String WEIGHT = "__migrator_weight";

  private ValidateJob() {}

  /**
   * Runs the job.
   *
   * @throws InvalidJobSpecException if a table, column or place is not there, or the SQL is no
   *     query
   */
  public static ValidateResult run(SparkSession spark, ValidateSpec spec) {
    long start = System.nanoTime();
    SparkSession session = spark.newSession();
    session.conf().set("spark.sql.session.timeZone", spec.timeZone());
    DeltaRead read = DeltaRead.upTo(session, spec.source().delta(), spec.source().to());
    Dataset<Row> sink = DeltaRead.current(session, spec.sink().delta());
    Dataset<Row> expected = expected(session, spec, read.rows(), sink);
    requireComparable(expected);
    for (String key : spec.keys()) {
      requireColumn(expected, key, "keys", "the compared rows");
    }
    for (String column : expected.columns()) {
      requireColumn(sink, column, "sink.delta", spec.sink().delta());
    }
    Column[] columns = columns(expected.columns());
    Dataset<Row> actual = sink.select(columns);

    Dataset<Row> both =
        weighted(within(spec, expected), 1).unionByName(weighted(within(spec, actual), -1));
    Dataset<Row> differences =
        both.groupBy(columns)
            .agg(
                count_if(col(WEIGHT).gt(0)).as("__migrator_expected"),
                count_if(col(WEIGHT).lt(0)).as("__migrator_actual"),
                sum(col(WEIGHT)).as(WEIGHT));
    Row totals =
        differences
            .agg(
                sum("__migrator_expected"),
                sum("__migrator_actual"),
                sum(when(col(WEIGHT).gt(0), col(WEIGHT))),
                sum(when(col(WEIGHT).lt(0), col(WEIGHT).multiply(-1))))
            .first();
    long missing = orZero(totals, 2);
    long extra = orZero(totals, 3);
    return new ValidateResult(
        missing == 0 && extra == 0,
        orZero(totals, 0),
        orZero(totals, 1),
        missing,
        extra,
        spec.keys().isEmpty() ? null : duplicateKeys(both, spec.keys()),
        new ValidateResult.Examples(
            missing == 0 ? List.of() : examples(differences, col(WEIGHT).gt(0), columns),
            extra == 0 ? List.of() : examples(differences, col(WEIGHT).lt(0), columns)),
        read.end(),
        (System.nanoTime() - start) / 1_000_000);
  }

  private static Dataset<Row> expected(
      SparkSession session, ValidateSpec spec, Dataset<Row> source, Dataset<Row> sink) {
    if (spec.sql() == null) {
      Set<String> shared = lowerCase(source.columns());
      String[] columns =
          Arrays.stream(sink.columns())
              .filter(column -> shared.contains(column.toLowerCase(Locale.ROOT)))
              .toArray(String[]::new);
      if (columns.length == 0) {
        throw new InvalidJobSpecException(
            "%s and %s share no column, and the spec has no sql"
                .formatted(spec.source().delta(), spec.sink().delta()));
      }
      return source.select(columns(columns));
    }
    analysed(
        "source.name",
        () -> {
          source.createOrReplaceTempView(spec.source().name());
          return source;
        });
    // As a subquery, nothing but a query is accepted.
    return analysed("sql", () -> session.sql("select * from (\n" + spec.sql() + "\n)"));
  }

  /** Spark throws its checked AnalysisException without declaring it. */
  private static Dataset<Row> analysed(String field, Supplier<Dataset<Row>> analysis) {
    try {
      return analysis.get();
    } catch (Exception e) {
      if (e instanceof AnalysisException) {
        throw new InvalidJobSpecException(field + ": " + firstLine(e), e);
      }
      throw e;
    }
  }

  private static void requireComparable(Dataset<Row> expected) {
    Set<String> seen = new HashSet<>();
    for (StructField field : expected.schema().fields()) {
      if (!seen.add(field.name().toLowerCase(Locale.ROOT))) {
        throw new InvalidJobSpecException("sql: two columns are called " + field.name());
      }
      if (hasMap(field.dataType())) {
        throw new InvalidJobSpecException(
            "sql: the column %s holds maps, which cannot be compared".formatted(field.name()));
      }
    }
  }

  private static boolean hasMap(DataType type) {
    return type.sql().contains("MAP<");
  }

  private static void requireColumn(Dataset<Row> rows, String column, String field, String whose) {
    if (!lowerCase(rows.columns()).contains(column.toLowerCase(Locale.ROOT))) {
      throw new InvalidJobSpecException(
          "%s: %s has no column %s; it has %s"
              .formatted(field, whose, column, String.join(", ", rows.columns())));
    }
  }

  private static Dataset<Row> within(ValidateSpec spec, Dataset<Row> rows) {
    ValidateSpec.Windows windows = spec.windows();
    if (windows == null) {
      return rows;
    }
    requireColumn(rows, windows.column(), "windows.column", "the compared rows");
    Column column = col(quoted(windows.column()));
    DataType type = rows.select(column).schema().apply(0).dataType();
    if (!(type instanceof TimestampType)) {
      throw new InvalidJobSpecException(
          "windows.column: %s is of type %s, not a timestamp"
              .formatted(windows.column(), type.simpleString()));
    }
    Dataset<Row> result = rows;
    if (windows.from() != null) {
      result = result.where(column.geq(lit(Timestamp.from(windows.from()))));
    }
    if (windows.to() != null) {
      result = result.where(column.lt(lit(Timestamp.from(windows.to()))));
    }
    return result;
  }

  private static Dataset<Row> weighted(Dataset<Row> rows, int weight) {
    return rows.withColumn(WEIGHT, lit(weight).cast(DataTypes.LongType));
  }

  private static long duplicateKeys(Dataset<Row> both, List<String> keys) {
    return both.groupBy(columns(keys.toArray(String[]::new)))
        .agg(sum(col(WEIGHT)).as(WEIGHT))
        .where(col(WEIGHT).lt(0))
        .count();
  }

  private static List<String> examples(Dataset<Row> differences, Column which, Column[] columns) {
    return differences
        .where(which)
        .select(to_json(struct(columns), Map.of("ignoreNullFields", "false")).as("row"))
        .orderBy("row")
        .limit(EXAMPLES)
        .as(Encoders.STRING())
        .collectAsList();
  }

  private static Column[] columns(String[] names) {
    return Arrays.stream(names).map(name -> col(quoted(name))).toArray(Column[]::new);
  }

  private static String quoted(String name) {
    return '`' + name.replace("`", "``") + '`';
  }

  private static Set<String> lowerCase(String[] names) {
    return Arrays.stream(names)
        .map(name -> name.toLowerCase(Locale.ROOT))
        .collect(Collectors.toSet());
  }

  private static long orZero(Row row, int index) {
    return row.isNullAt(index) ? 0 : row.getLong(index);
  }

  private static String firstLine(Exception e) {
    return e.getMessage().lines().filter(line -> !line.isBlank()).findFirst().orElse("no query");
  }
}
