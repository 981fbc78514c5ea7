package org.streammigrator.jobs.restart;

import static org.apache.spark.sql.functions.collect_list;
import static org.apache.spark.sql.functions.expr;
import static org.apache.spark.sql.functions.sum;
import static org.streammigrator.jobs.restart.SparkQuery.Input.ints;
import static org.streammigrator.jobs.restart.SparkQuery.Input.longs;
import static org.streammigrator.jobs.restart.SparkQuery.Input.range;
import static org.streammigrator.jobs.restart.SparkQuery.of;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.streammigrator.jobs.restart.SparkQuery.Transformation;
import org.streammigrator.jobs.restart.SparkRestarts.Restart;

/**
 * The checkpoints of {@code StreamingStateStoreFormatCompatibilitySuite}, written by Spark 2.4.5.
 */
final class FormatRestarts {
  private FormatRestarts() {}

  private static final Transformation DISTINCT_ALL =
      rows ->
          rows.selectExpr(
                  "value",
                  "value + 10 AS key",
                  "CAST(value AS STRING) as topic",
                  "value + 100 AS partition",
                  "value + 5 AS offset")
              .dropDuplicates()
              .select("key", "value", "topic", "partition", "offset");

  private static final Transformation SUM_OF_DECIMALS =
      rows ->
          rows.selectExpr("value", "value % 2 AS id", "CAST(value AS DECIMAL) as dec")
              .groupBy("id")
              .agg(sum("dec").as("sum_dec"), collect_list("value").as("col_list"));

  private static final Transformation COMMON_FUNCTIONS =
      rows ->
          rows.selectExpr(
                  "value",
                  "value % 5 AS id",
                  "CAST(value AS STRING) as str",
                  "CAST(value AS FLOAT) as f",
                  "CAST(value AS DOUBLE) as d",
                  "CAST(value AS DECIMAL) as dec",
                  "value % 3 AS mod",
                  "named_struct('key', CAST(value AS STRING), 'value', value) AS s")
              .groupBy("id")
              .agg(
                  expr("avg(value) as avg_v"),
                  expr("avg(f) as avg_f"),
                  expr("avg(d) as avg_d"),
                  expr("avg(dec) as avg_dec"),
                  expr("count(value) as cnt"),
                  expr("first(value) as first_v"),
                  expr("first(s) as first_s"),
                  expr("last(value) as last_v"),
                  expr("last(s) as last_s"),
                  expr("min(struct(value, str)) as min_struct"),
                  expr("max(value) as max_v"),
                  expr("sum(value) as sum_v"),
                  expr("sum(f) as sum_f"),
                  expr("sum(d) as sum_d"),
                  expr("collect_list(value) as col_list"),
                  expr("collect_set(mod) as col_set"))
              .selectExpr(
                  "id",
                  "avg_v",
                  "avg_f",
                  "avg_d",
                  "avg_dec",
                  "cnt",
                  "first_v",
                  "first_s.value",
                  "last_v",
                  "last_s.value",
                  "min_struct.value",
                  "max_v",
                  "sum_v",
                  "sum_f",
                  "sum_d",
                  "cast(col_list as string)",
                  "cast(sort_array(col_set) as string)");

  private static final Transformation STATISTICAL_FUNCTIONS =
      rows ->
          rows.selectExpr(
                  "value",
                  "value % 5 AS id",
                  "CAST(value AS STRING) as str",
                  "CAST(value AS FLOAT) as f",
                  "CAST(value AS DOUBLE) as d",
                  "CAST(value AS DECIMAL) as dec",
                  "value % 3 AS mod")
              .groupBy("id")
              .agg(
                  expr("kurtosis(d) as kts"),
                  expr("skewness(d) as skew"),
                  expr("approx_count_distinct(mod) as approx_cnt"),
                  expr("approx_count_distinct(f) as approx_cnt_f"),
                  expr("approx_count_distinct(d) as approx_cnt_d"),
                  expr("approx_count_distinct(dec) as approx_cnt_dec"),
                  expr("approx_count_distinct(str) as approx_cnt_str"),
                  expr("stddev_pop(d) as stddev_pop"),
                  expr("stddev_samp(d) as stddev_samp"),
                  expr("var_pop(d) as var_pop"),
                  expr("var_samp(d) as var_samp"),
                  expr("covar_pop(value, mod) as covar_pop"),
                  expr("covar_samp(value, mod) as covar_samp"),
                  expr("corr(value, mod) as corr"));

  static List<Restart> all() {
    List<Restart> all = new ArrayList<>();
    SparkQuery.Input<?> twenty = ints(List.of(range(0, 9), range(10, 19)));
    all.add(
        Restart.good(
            "checkpoint-version-2.4.5-for-compatibility-test-deduplicate",
            of(
                "append",
                longs(List.of(List.of(0L, 1L, 2L, 3L, 4L), List.of(3L, 4L, 5L, 6L))),
                DISTINCT_ALL),
            "[15,5,5,105,10]",
            "[16,6,6,106,11]"));
    all.add(
        Restart.good(
            "checkpoint-version-2.4.5-for-compatibility-test-common-functions",
            of("complete", twenty, COMMON_FUNCTIONS),
            "[0,7.5,7.5,7.5,7.5000,4,0,0,15,15,0,15,30,30.0,30.0,[0, 5, 10, 15],[0, 1, 2]]",
            "[1,8.5,8.5,8.5,8.5000,4,1,1,16,16,1,16,34,34.0,34.0,[1, 6, 11, 16],[0, 1, 2]]",
            "[2,9.5,9.5,9.5,9.5000,4,2,2,17,17,2,17,38,38.0,38.0,[2, 7, 12, 17],[0, 1, 2]]",
            "[3,10.5,10.5,10.5,10.5000,4,3,3,18,18,3,18,42,42.0,42.0,[3, 8, 13, 18],[0, 1, 2]]",
            "[4,11.5,11.5,11.5,11.5000,4,4,4,19,19,4,19,46,46.0,46.0,[4, 9, 14, 19],[0, 1, 2]]"));
    all.add(
        Restart.good(
            "checkpoint-version-2.4.5-for-compatibility-test-statistical-functions",
            of(
                "complete",
                longs(
                    List.of(
                        LongStream.range(0, 10).boxed().toList(),
                        LongStream.range(10, 20).boxed().toList())),
                STATISTICAL_FUNCTIONS),
            "[0,-1.36,0.0,3,4,4,4,4,5.5901699437494745,6.454972243679028,31.25,41.666666666666664,"
                + "-0.625,-0.8333333333333334,-0.13483997249264842]",
            "[1,-1.36,0.0,3,4,4,4,4,5.5901699437494745,6.454972243679028,31.25,41.666666666666664,"
                + "1.25,1.6666666666666667,0.31622776601683794]",
            "[2,-1.36,0.0,3,4,4,4,4,5.5901699437494745,6.454972243679028,31.25,41.666666666666664,"
                + "-0.625,-0.8333333333333334,-0.13483997249264842]",
            "[3,-1.36,0.0,3,4,4,4,4,5.5901699437494745,6.454972243679028,31.25,41.666666666666664,"
                + "-0.625,-0.8333333333333334,-0.13483997249264842]",
            "[4,-1.36,0.0,3,4,4,4,4,5.5901699437494745,6.454972243679028,31.25,41.666666666666664,"
                + "1.25,1.6666666666666667,0.31622776601683794]"));
    all.add(
        Restart.untold(
            "checkpoint-version-2.4.5-for-compatibility-test-sum-decimal",
            of("complete", twenty, SUM_OF_DECIMALS)));
    return all;
  }
}
