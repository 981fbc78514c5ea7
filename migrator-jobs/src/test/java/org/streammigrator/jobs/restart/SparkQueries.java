package org.streammigrator.jobs.restart;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.expr;
import static org.apache.spark.sql.functions.session_window;
import static org.apache.spark.sql.functions.timestamp_seconds;
import static org.apache.spark.sql.functions.window;

import java.io.Serializable;
import java.sql.Timestamp;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.spark.api.java.function.FlatMapGroupsWithStateFunction;
import org.apache.spark.api.java.function.MapFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoder;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.streaming.GroupState;
import org.apache.spark.sql.streaming.GroupStateTimeout;
import org.apache.spark.sql.streaming.OutputMode;
import org.apache.spark.sql.streaming.StatefulProcessor;
import org.apache.spark.sql.streaming.TTLConfig;
import org.apache.spark.sql.streaming.TimeMode;
import org.apache.spark.sql.streaming.TimerValues;
import org.apache.spark.sql.streaming.Trigger;
import org.apache.spark.sql.streaming.ValueState;
import org.streammigrator.jobs.restart.SparkQuery.Input;
import org.streammigrator.jobs.restart.SparkQuery.Transformation;
import scala.Tuple2;

/** What the queries of Spark's own checkpoints do, as Spark's test suites have them. */
final class SparkQueries {
  private SparkQueries() {}

  /**
   * {@code StreamSuite}, {@code StreamingAggregationSuite}, {@code StateStoreCompatibilitySuite}.
   */
  static final Transformation COUNT = rows -> rows.groupBy("value").agg(count("*"));

  /** {@code StateDataSourceReadSuite}. */
  static final Transformation COUNT_BY_FIRST = rows -> rows.groupBy("_1").count();

  /**
   * {@code StateDataSourceReadSuite} and, of 3.3.0 and 3.5.1, {@code StreamingDeduplicationSuite}.
   */
  static final Transformation DISTINCT_FIRST = rows -> rows.dropDuplicates("_1");

  /** {@code StateDataSourceReadSuite}. */
  static final Transformation LIMIT = rows -> rows.limit(10);

  /** {@code StreamingQuerySuite}. */
  static final Transformation DISTINCT_KEYS =
      rows -> keys(rows).dropDuplicates(new String[] {"key1", "key2"});

  /** {@code StreamingDeduplicationDistributionSuite}. */
  static final Transformation DISTINCT_KEYS_REPARTITIONED =
      rows -> keys(rows).repartition(col("key1")).dropDuplicates(new String[] {"key1", "key2"});

  /** {@code StreamingAggregationDistributionSuite}. */
  static final Transformation COUNT_KEYS_REPARTITIONED =
      rows -> keys(rows).repartition(col("key1")).groupBy("key1", "key2").agg(count("*"));

  /** {@code EventTimeWatermarkSuite}. */
  static final Transformation WINDOWS =
      rows ->
          rows.withColumn("eventTime", timestamp_seconds(col("value")))
              .withWatermark("eventTime", "10 seconds")
              .groupBy(window(col("eventTime"), "5 seconds").as("window"))
              .agg(count("*").as("count"))
              .select(col("window.start").cast("long"), col("count"));

  /** {@code StreamingJoinSuite} and {@code StateDataSourceTestBase}. */
  static final Transformation JOIN =
      rows -> {
        Dataset<Row> timed =
            rows.select(col("_1").as("value"), timestamp_seconds(col("_2")).as("timestamp"));
        Dataset<Row> left =
            timed.select(col("value").as("leftId"), col("timestamp").as("leftTime"));
        Dataset<Row> right =
            timed
                .where("value % 2 = 0")
                .select(col("value").as("rightId"), col("timestamp").as("rightTime"));
        return left.withWatermark("leftTime", "5 seconds")
            .join(
                right.withWatermark("rightTime", "5 seconds"),
                expr(
                    "rightId = leftId AND rightTime >= leftTime AND "
                        + "rightTime <= leftTime + interval 5 seconds"),
                "inner")
            .select(
                col("leftId"),
                col("leftTime").cast("int"),
                col("rightId"),
                col("rightTime").cast("int"));
      };

  /** {@code StreamingSessionWindowDistributionSuite}. */
  static final Transformation SESSIONS =
      rows ->
          rows.selectExpr("_1 as value", "_2 as userId", "cast(_3 as timestamp) as eventTime")
              .withWatermark("eventTime", "30 seconds")
              .selectExpr("explode(split(value, ' ')) AS sessionId", "userId", "eventTime")
              .repartition(col("userId"))
              .groupBy(
                  session_window(col("eventTime"), "10 seconds").as("session"),
                  col("sessionId"),
                  col("userId"))
              .agg(count("*").as("numEvents"))
              .selectExpr("sessionId", "userId", "CAST(session.start AS LONG)", "numEvents");

  /** {@code FlatMapGroupsWithStateSuite}: the newest time of a key, until it times out. */
  static final Transformation NEWEST_TIME =
      rows ->
          rows.selectExpr("_1 as key", "timestamp_seconds(_2) as eventTime")
              .withWatermark("eventTime", "10 seconds")
              .as(Encoders.tuple(Encoders.STRING(), Encoders.TIMESTAMP()))
              .groupByKey(
                  (MapFunction<Tuple2<String, Timestamp>, String>) Tuple2::_1, Encoders.STRING())
              .flatMapGroupsWithState(
                  (FlatMapGroupsWithStateFunction<
                          String, Tuple2<String, Timestamp>, Object, Tuple2<String, Object>>)
                      SparkQueries::newestTime,
                  OutputMode.Update(),
                  Encoders.scalaLong(),
                  Encoders.tuple(Encoders.STRING(), Encoders.scalaInt()),
                  GroupStateTimeout.EventTimeTimeout())
              .toDF();

  private static Iterator<Tuple2<String, Object>> newestTime(
      String key, Iterator<Tuple2<String, Timestamp>> values, GroupState<Object> state) {
    if (state.hasTimedOut()) {
      state.remove();
      return List.of(new Tuple2<String, Object>(key, -1)).iterator();
    }
    long newest = state.exists() ? (Long) state.get() : 0;
    while (values.hasNext()) {
      newest = Math.max(newest, values.next()._2().getTime() / 1000);
    }
    state.update(newest);
    state.setTimeoutTimestamp((newest + 5) * 1000);
    return List.of(new Tuple2<String, Object>(key, (int) newest)).iterator();
  }

  /** {@code FlatMapGroupsWithStateDistributionSuite}: the events of a pair of keys. */
  static final Transformation COUNT_EVENTS =
      rows ->
          rows.selectExpr("_1", "_2", "timestamp_seconds(_3) as timestamp")
              .withWatermark("timestamp", "10 second")
              .selectExpr("_1", "_2")
              .as(Encoders.tuple(Encoders.STRING(), Encoders.STRING()))
              .repartition(col("_1"))
              .groupByKey(
                  (MapFunction<Tuple2<String, String>, Tuple2<String, String>>) pair -> pair,
                  Encoders.tuple(Encoders.STRING(), Encoders.STRING()))
              .flatMapGroupsWithState(
                  (FlatMapGroupsWithStateFunction<
                          Tuple2<String, String>, Tuple2<String, String>, RunningCount, String>)
                      SparkQueries::countEvents,
                  OutputMode.Update(),
                  Encoders.bean(RunningCount.class),
                  Encoders.STRING(),
                  GroupStateTimeout.ProcessingTimeTimeout())
              .toDF();

  private static Iterator<String> countEvents(
      Tuple2<String, String> key,
      Iterator<Tuple2<String, String>> values,
      GroupState<RunningCount> state) {
    if (state.hasTimedOut()) {
      state.remove();
      return List.<String>of().iterator();
    }
    RunningCount running = state.exists() ? state.get() : new RunningCount();
    while (values.hasNext()) {
      values.next();
      running.setCount(running.getCount() + 1);
    }
    state.update(running);
    state.setTimeoutDuration("10 seconds");
    return List.of(key._1() + key._2() + running.getCount()).iterator();
  }

  /** The state of {@link #COUNT_EVENTS}. */
  public static final class RunningCount implements Serializable {
    private static final long serialVersionUID = 1;

    private long count;

    public long getCount() {
      return count;
    }

    public void setCount(long count) {
      this.count = count;
    }
  }

  /** {@code TransformWithStateSuite}: how often a text came, until it came three times. */
  static final Transformation COUNT_TEXTS =
      rows ->
          rows.as(Encoders.STRING())
              .groupByKey((MapFunction<String, String>) text -> text, Encoders.STRING())
              .transformWithState(
                  new CountTexts(), TimeMode.None(), OutputMode.Update(), Encoders.STRING())
              .toDF();

  private static final class CountTexts extends StatefulProcessor<String, String, String> {
    private static final long serialVersionUID = 1;
    private static final Encoder<Object> LONG = Encoders.scalaLong();

    private transient ValueState<Object> count;

    @Override
    public void init(OutputMode outputMode, TimeMode timeMode) {
      count = getHandle().getValueState("countState", LONG, TTLConfig.NONE());
    }

    @Override
    public scala.collection.Iterator<String> handleInputRows(
        String key, scala.collection.Iterator<String> rows, TimerValues timers) {
      long now = (count.exists() ? (Long) count.get() : 0) + 1;
      count.update(now);
      return scala.collection.Iterator.single(key + now);
    }
  }

  private static Dataset<Row> keys(Dataset<Row> rows) {
    return rows.select(
        col("value").as("key1"),
        col("value").multiply(2).as("key2"),
        col("value").multiply(3).as("value"));
  }

  /** {@code EventTimeWatermarkSuite}: two inputs with watermarks of their own. */
  static SparkQuery.Maker twoInputs(Input<?> first, Input<?> second) {
    return spark ->
        new SparkQuery(
            timed(first.open(spark), "10 seconds")
                .union(timed(second.open(spark), "15 seconds"))
                .select(col("eventTime").cast("int")),
            "append",
            Map.of(),
            Trigger.AvailableNow());
  }

  private static Dataset<Row> timed(Dataset<Row> rows, String delay) {
    return rows.withColumn("eventTime", timestamp_seconds(col("value")))
        .withWatermark("eventTime", delay);
  }
}
