package org.streammigrator.jobs.state;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.sum;
import static org.apache.spark.sql.functions.when;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.streammigrator.job.InvalidJobSpecException;
import org.streammigrator.job.JobFailedException;
import org.streammigrator.job.StateResult;
import org.streammigrator.job.StateResult.Comparison;
import org.streammigrator.job.StateSpec;
import org.streammigrator.jobs.rows.Columns;
import org.streammigrator.jobs.rows.Examples;
import org.streammigrator.jobs.rows.Failures;

/**
 * Reads the state that a batch of a stream has left, by Spark's own reader ({@code statestore},
 * {@code state-metadata}), and compares it with that of another. Nothing is written.
 */
public final class StateJob {
  private static final String WEIGHT = "__migrator_weight";

  private StateJob() {}

  /**
   * Runs the job.
   *
   * @throws InvalidJobSpecException if a checkpoint does not say which operators it has
   * @throws JobFailedException if state cannot be read
   */
  public static StateResult run(SparkSession spark, StateSpec spec) {
    long start = System.nanoTime();
    return reading(
        spec,
        () -> {
          try (ReadableState state = new ReadableState(spark, spec.state())) {
            Map<Integer, String> names = operators(state, "state");
            return spec.against() == null
                ? result(state, names, null, null, start)
                : compared(spark, spec, state, names, start);
          }
        });
  }

  private static StateResult compared(
      SparkSession spark,
      StateSpec spec,
      ReadableState state,
      Map<Integer, String> names,
      long start)
      throws IOException {
    try (ReadableState against = new ReadableState(spark, spec.against())) {
      Map<Integer, String> others = operators(against, "against");
      return names.equals(others)
          ? result(state, names, against, null, start)
          : result(
              state,
              names,
              null,
              "the operators are "
                  + String.join(", ", names.values())
                  + ", and those of the other are "
                  + String.join(", ", others.values())
                  + " (from the sink to the source)",
              start);
    }
  }

  private static StateResult result(
      ReadableState state,
      Map<Integer, String> names,
      ReadableState against,
      String notCompared,
      long start) {
    List<StateResult.Operator> operators = new ArrayList<>();
    names.forEach(
        (number, name) ->
            operators.add(
                operator(
                    new StateEntries(state, number, name),
                    against == null ? null : new StateEntries(against, number, name))));
    return new StateResult(
        notCompared == null
            && (against == null
                || operators.stream().allMatch(operator -> operator.comparison().isSame())),
        operators,
        notCompared,
        (System.nanoTime() - start) / 1_000_000);
  }

  /** The operators by their numbers, as the checkpoint names them. */
  private static Map<Integer, String> operators(ReadableState state, String field) {
    Map<Integer, String> names = new TreeMap<>();
    state
        .reader("state-metadata")
        .load()
        .select("operatorId", "operatorName")
        .distinct()
        .collectAsList()
        .forEach(row -> names.put((int) row.getLong(0), row.getString(1)));
    if (names.isEmpty()) {
      throw new InvalidJobSpecException(
          field
              + ": "
              + state.state().checkpoint()
              + " does not say which stateful operators it has: it has none, or Spark before 4.0"
              + " wrote it");
    }
    return names;
  }

  private static StateResult.Operator operator(StateEntries state, StateEntries against) {
    if (!state.isReadable()) {
      return new StateResult.Operator(
          state.number(),
          state.name(),
          null,
          null,
          against == null
              ? null
              : Comparison.impossible("what a function of the user's keeps is not read"));
    }
    Dataset<Row> entries = state.rows();
    return new StateResult.Operator(
        state.number(),
        state.name(),
        entries.count(),
        state.earliestSession(),
        against == null ? null : comparison(entries, against.rows()));
  }

  private static Comparison comparison(Dataset<Row> entries, Dataset<Row> others) {
    List<String> types = types(entries);
    if (!types.equals(types(others))) {
      return Comparison.impossible(
          "its entries are made of ("
              + String.join(", ", types)
              + "), those of the other of ("
              + String.join(", ", types(others))
              + ")");
    }
    if (types.stream().anyMatch(type -> type.contains("map<"))) {
      return Comparison.impossible("its keys hold maps, which cannot be compared");
    }
    Column[] columns = Columns.of(List.of(entries.columns()));
    Dataset<Row> differences =
        weighted(entries, 1)
            .union(weighted(others.toDF(entries.columns()), -1))
            .groupBy(columns)
            .agg(sum(WEIGHT).as(WEIGHT))
            .where(col(WEIGHT).notEqual(0))
            .cache();
    try {
      Row sums =
          differences
              .agg(
                  sum(when(col(WEIGHT).gt(0), col(WEIGHT))),
                  sum(when(col(WEIGHT).lt(0), col(WEIGHT).multiply(-1))))
              .first();
      return new Comparison(
          sums.isNullAt(0) ? 0 : sums.getLong(0),
          sums.isNullAt(1) ? 0 : sums.getLong(1),
          new StateResult.Examples(
              Examples.of(differences.where(col(WEIGHT).gt(0)).select(columns)),
              Examples.of(differences.where(col(WEIGHT).lt(0)).select(columns))),
          null);
    } finally {
      differences.unpersist();
    }
  }

  /** What entries are made of, whatever the columns are called. */
  private static List<String> types(Dataset<Row> entries) {
    List<String> types = new ArrayList<>();
    entries.schema().foreach(field -> types.add(field.dataType().catalogString()));
    return types;
  }

  private static Dataset<Row> weighted(Dataset<Row> entries, int weight) {
    return entries.withColumn(WEIGHT, lit(weight).cast(DataTypes.LongType));
  }

  /** Spark throws exceptions of all kinds here, also checked ones that it does not declare. */
  private static StateResult reading(StateSpec spec, Callable<StateResult> reading) {
    try {
      return reading.call();
    } catch (InvalidJobSpecException told) {
      throw told;
    } catch (Exception failed) {
      throw new JobFailedException(
          words(spec.state())
              + (spec.against() == null ? "" : " or " + words(spec.against()))
              + " cannot be read: "
              + Failures.firstLine(failed),
          failed);
    }
  }

  private static String words(StateSpec.State state) {
    return "the state of " + state.checkpoint() + " after batch " + state.batch();
  }
}
