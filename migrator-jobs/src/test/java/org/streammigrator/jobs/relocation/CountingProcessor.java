package org.streammigrator.jobs.relocation;

import java.util.List;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.streaming.OutputMode;
import org.apache.spark.sql.streaming.StatefulProcessor;
import org.apache.spark.sql.streaming.TTLConfig;
import org.apache.spark.sql.streaming.TimeMode;
import org.apache.spark.sql.streaming.TimerValues;
import org.apache.spark.sql.streaming.ValueState;
import scala.Tuple2;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;

/** Counts the rows of a key, in one state variable, or in two. */
final class CountingProcessor extends StatefulProcessor<String, Row, Tuple2<String, Long>> {
  private static final long serialVersionUID = 1L;

  private final boolean oneMore;
  private transient ValueState<Long> count;
  private transient ValueState<Long> batches;

  CountingProcessor(boolean oneMore) {
    this.oneMore = oneMore;
  }

  @Override
  public void init(OutputMode outputMode, TimeMode timeMode) {
    count = getHandle().getValueState("count", Encoders.LONG(), TTLConfig.NONE());
    if (oneMore) {
      batches = getHandle().getValueState("batches", Encoders.LONG(), TTLConfig.NONE());
    }
  }

  @Override
  public Iterator<Tuple2<String, Long>> handleInputRows(
      String key, Iterator<Row> rows, TimerValues timerValues) {
    long seen = count.exists() ? count.get() : 0;
    while (rows.hasNext()) {
      rows.next();
      seen++;
    }
    count.update(seen);
    if (oneMore) {
      batches.update((batches.exists() ? batches.get() : 0L) + 1);
    }
    return CollectionConverters.asScala(List.of(new Tuple2<>(key, seen)).iterator());
  }
}
