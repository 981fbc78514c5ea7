package org.streammigrator.jobs.restart;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoder;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.streaming.runtime.MemoryStream;
import org.apache.spark.sql.streaming.Trigger;
import scala.Tuple2;
import scala.Tuple3;
import scala.jdk.javaapi.CollectionConverters;

/**
 * One of the queries that wrote the checkpoints which Spark keeps for its own tests, over an input
 * in memory: the batches that it had read when it stopped, and one more.
 *
 * @param rows the query
 * @param mode its output mode
 * @param conf the session's settings
 * @param trigger when it ends
 */
record SparkQuery(Dataset<Row> rows, String mode, Map<String, String> conf, Trigger trigger) {

  /** What a query does with its input. */
  @FunctionalInterface
  interface Transformation {
    Dataset<Row> of(Dataset<Row> input);
  }

  /** A query, made anew for each run. */
  @FunctionalInterface
  interface Maker {
    SparkQuery in(SparkSession spark);
  }

  static Maker of(String mode, Input<?> input, Transformation transformation) {
    return of(mode, Map.of(), input, transformation);
  }

  static Maker of(
      String mode, Map<String, String> conf, Input<?> input, Transformation transformation) {
    return spark ->
        new SparkQuery(transformation.of(input.open(spark)), mode, conf, Trigger.AvailableNow());
  }

  /** A query that never runs out of work, since times go by: one batch of it. */
  @SuppressWarnings("deprecation")
  static Maker once(String mode, Input<?> input, Transformation transformation) {
    return spark ->
        new SparkQuery(transformation.of(input.open(spark)), mode, Map.of(), Trigger.Once());
  }

  /**
   * An input in memory.
   *
   * @param encoder of its records
   * @param batches its records, a list for each offset
   */
  record Input<T>(Encoder<T> encoder, List<List<T>> batches) {

    static Input<Object> ints(List<List<Integer>> batches) {
      return new Input<>(Encoders.scalaInt(), objects(batches));
    }

    static Input<Object> longs(List<List<Long>> batches) {
      return new Input<>(Encoders.scalaLong(), objects(batches));
    }

    /** Numbers from one to another, in one batch, and then those of another range. */
    static List<Integer> range(int from, int to) {
      List<Integer> numbers = new ArrayList<>();
      for (int number = from; number <= to; number++) {
        numbers.add(number);
      }
      return numbers;
    }

    /** Pairs of an int and the same number as a long. */
    static Input<Tuple2<Object, Object>> pairs(List<List<Integer>> batches) {
      List<List<Tuple2<Object, Object>>> pairs = new ArrayList<>();
      for (List<Integer> batch : batches) {
        pairs.add(
            batch.stream()
                .map(number -> new Tuple2<Object, Object>(number, number.longValue()))
                .toList());
      }
      return new Input<>(Encoders.tuple(Encoders.scalaInt(), Encoders.scalaLong()), pairs);
    }

    static Input<Tuple2<String, Object>> named(List<List<Tuple2<String, Object>>> batches) {
      return new Input<>(Encoders.tuple(Encoders.STRING(), Encoders.scalaInt()), batches);
    }

    static Input<Tuple3<String, String, Object>> events(
        List<List<Tuple3<String, String, Object>>> batches) {
      return new Input<>(
          Encoders.tuple(Encoders.STRING(), Encoders.STRING(), Encoders.scalaLong()), batches);
    }

    static Input<String> texts(List<List<String>> batches) {
      return new Input<>(Encoders.STRING(), batches);
    }

    private static <N> List<List<Object>> objects(List<List<N>> batches) {
      List<List<Object>> objects = new ArrayList<>();
      batches.forEach(batch -> objects.add(new ArrayList<>(batch)));
      return objects;
    }

    Dataset<Row> open(SparkSession spark) {
      MemoryStream<T> stream = MemoryStream.apply(encoder, spark);
      batches.forEach(batch -> stream.addData(CollectionConverters.asScala(batch)));
      return (Dataset<Row>) (Dataset<?>) stream.toDF();
    }
  }
}
