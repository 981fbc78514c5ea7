package org.streammigrator.jobs.matrix;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.api.java.function.FlatMapGroupsWithStateFunction;
import org.apache.spark.api.java.function.MapFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoder;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.streaming.ExpiredTimerInfo;
import org.apache.spark.sql.streaming.GroupState;
import org.apache.spark.sql.streaming.GroupStateTimeout;
import org.apache.spark.sql.streaming.OutputMode;
import org.apache.spark.sql.streaming.StatefulProcessor;
import org.apache.spark.sql.streaming.TTLConfig;
import org.apache.spark.sql.streaming.TimeMode;
import org.apache.spark.sql.streaming.TimerValues;
import org.apache.spark.sql.streaming.ValueState;
import scala.Tuple2;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Sums by key and five minutes, given out when the watermark has passed the end, written by hand as
 * a user's own functions: what they give depends neither on the bounds of batches nor on the order
 * of rows.
 */
final class Buckets {
  private static final long SIZE = 300_000;
  private static final Encoder<Tuple2<String, Long>> RESULT =
      Encoders.tuple(Encoders.STRING(), Encoders.LONG());

  private Buckets() {}

  static Dataset<Row> flatMapped(Dataset<Row> events, boolean isNew) {
    var grouped = events.groupByKey((MapFunction<Row, String>) Buckets::bucket, Encoders.STRING());
    GroupStateTimeout timeout = GroupStateTimeout.EventTimeTimeout();
    return (isNew
            ? grouped.flatMapGroupsWithState(
                new SumAndCount(),
                OutputMode.Append(),
                Encoders.tuple(Encoders.LONG(), Encoders.LONG()),
                RESULT,
                timeout)
            : grouped.flatMapGroupsWithState(
                new Sum(), OutputMode.Append(), Encoders.LONG(), RESULT, timeout))
        .toDF("bucket", "total");
  }

  static Dataset<Row> transformed(Dataset<Row> events, boolean isNew) {
    return events
        .groupByKey((MapFunction<Row, String>) Buckets::bucket, Encoders.STRING())
        .transformWithState(new Processor(isNew), TimeMode.EventTime(), OutputMode.Append(), RESULT)
        .toDF("bucket", "total");
  }

  /** The key and the end of the five minutes that an event belongs to. */
  private static String bucket(Row event) {
    long at = event.<java.sql.Timestamp>getAs("at").getTime();
    return event.getAs("key") + "@" + (Math.floorDiv(at, SIZE) + 1) * SIZE;
  }

  private static long end(String bucket) {
    return Long.parseLong(bucket.substring(bucket.indexOf('@') + 1));
  }

  private static Iterator<Tuple2<String, Long>> nothing() {
    return new ArrayList<Tuple2<String, Long>>().iterator();
  }

  private static Iterator<Tuple2<String, Long>> result(String bucket, long total) {
    return List.of(new Tuple2<>(bucket, total)).iterator();
  }

  /** The old function. */
  private static final class Sum
      implements FlatMapGroupsWithStateFunction<String, Row, Long, Tuple2<String, Long>>,
          Serializable {
    private static final long serialVersionUID = 1L;

    @Override
    public Iterator<Tuple2<String, Long>> call(
        String bucket, Iterator<Row> rows, GroupState<Long> state) {
      long total = state.exists() ? state.get() : 0;
      while (rows.hasNext()) {
        total += rows.next().<Long>getAs("amount");
      }
      if (state.hasTimedOut() || end(bucket) <= state.getCurrentWatermarkMs()) {
        state.remove();
        return result(bucket, total);
      }
      state.update(total);
      state.setTimeoutTimestamp(end(bucket));
      return nothing();
    }
  }

  /** The new one, which also counts. */
  private static final class SumAndCount
      implements FlatMapGroupsWithStateFunction<
              String, Row, Tuple2<Long, Long>, Tuple2<String, Long>>,
          Serializable {
    private static final long serialVersionUID = 1L;

    @Override
    public Iterator<Tuple2<String, Long>> call(
        String bucket, Iterator<Row> rows, GroupState<Tuple2<Long, Long>> state) {
      long total = state.exists() ? state.get()._1() : 0;
      long count = state.exists() ? state.get()._2() : 0;
      while (rows.hasNext()) {
        total += rows.next().<Long>getAs("amount");
        count++;
      }
      if (state.hasTimedOut() || end(bucket) <= state.getCurrentWatermarkMs()) {
        state.remove();
        return result(bucket, total);
      }
      state.update(new Tuple2<>(total, count));
      state.setTimeoutTimestamp(end(bucket));
      return nothing();
    }
  }

  /** The same with timers; the new one counts, too. */
  private static final class Processor
      extends StatefulProcessor<String, Row, Tuple2<String, Long>> {
    private static final long serialVersionUID = 1L;

    private final boolean isNew;
    private transient ValueState<Long> total;
    private transient ValueState<Long> count;

    private Processor(boolean isNew) {
      this.isNew = isNew;
    }

    @Override
    public void init(OutputMode outputMode, TimeMode timeMode) {
      total = getHandle().getValueState("total", Encoders.LONG(), TTLConfig.NONE());
      if (isNew) {
        count = getHandle().getValueState("count", Encoders.LONG(), TTLConfig.NONE());
      }
    }

    @Override
    public scala.collection.Iterator<Tuple2<String, Long>> handleInputRows(
        String bucket, scala.collection.Iterator<Row> rows, TimerValues timers) {
      boolean isOpen = total.exists();
      long sum = isOpen ? total.get() : 0;
      long seen = 0;
      while (rows.hasNext()) {
        sum += rows.next().<Long>getAs("amount");
        seen++;
      }
      if (end(bucket) <= timers.getCurrentWatermarkInMs()) {
        if (isOpen) {
          // Its timer expires in this very batch.
          total.update(sum);
          return CollectionConverters.asScala(nothing());
        }
        return CollectionConverters.asScala(result(bucket, sum));
      }
      total.update(sum);
      if (isNew) {
        count.update((count.exists() ? count.get() : 0L) + seen);
      }
      if (!isOpen) {
        getHandle().registerTimer(end(bucket));
      }
      return CollectionConverters.asScala(nothing());
    }

    @Override
    public scala.collection.Iterator<Tuple2<String, Long>> handleExpiredTimer(
        String bucket, TimerValues timers, ExpiredTimerInfo expired) {
      long sum = total.get();
      total.clear();
      if (isNew) {
        count.clear();
      }
      return CollectionConverters.asScala(result(bucket, sum));
    }
  }
}
