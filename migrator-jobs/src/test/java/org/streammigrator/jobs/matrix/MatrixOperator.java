package org.streammigrator.jobs.matrix;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.expr;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.max;
import static org.apache.spark.sql.functions.session_window;
import static org.apache.spark.sql.functions.sum;
import static org.apache.spark.sql.functions.window;

import java.util.List;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** What a stream keeps state for. */
enum MatrixOperator {
  WINDOW_APPEND("append", List.of("ws", "key"), "{kind: window, size: 5m, delay: 4m}"),
  WINDOW_UPDATE("update", List.of("ws", "key"), "{kind: window, size: 5m, delay: 4m}"),
  SESSION("append", List.of("ss", "key"), "{kind: session, gap: 3m, delay: 4m}"),
  DEDUPE_EVENT_TIME(
      "append", List.of("id", "at"), "{kind: dedupe, keys: [id, at, key], eventTime: at}"),
  DEDUPE_FOR_EVER("append", List.of("id"), "{kind: dedupe, keys: [id, key]}"),
  JOIN_INNER("append", List.of("seq", "r_seq"), "{kind: join, eventTime: at}"),
  JOIN_LEFT_OUTER(
      "append",
      List.of("seq", "r_seq"),
      "{kind: interval-join, before: 0s, after: 2m, eventTime: at}"),
  FLAT_MAP_GROUPS(
      "append", List.of("bucket"), "{kind: arbitrary, independent: true, lookback: 5m}"),
  TRANSFORM_WITH_STATE(
      "append", List.of("bucket"), "{kind: arbitrary, independent: true, lookback: 5m}"),
  DEDUPE_THEN_WINDOW(
      "append",
      List.of("ws", "key"),
      "{kind: dedupe, keys: [id, at, key], eventTime: at}, {kind: window, size: 5m, delay: 4m}");

  private final String outputMode;
  private final List<String> keys;
  private final String plan;

  MatrixOperator(String outputMode, List<String> keys, String plan) {
    this.outputMode = outputMode;
    this.keys = keys;
    this.plan = plan;
  }

  String outputMode() {
    return outputMode;
  }

  /** The columns by which a row of the output is found again; no two rows of a run agree there. */
  List<String> keys() {
    return keys;
  }

  /** The operators of the new query, as a plan lists them. */
  String plan() {
    return plan;
  }

  boolean isJoin() {
    return this == JOIN_INNER || this == JOIN_LEFT_OUTER;
  }

  /** Whether batches without data follow those that move the watermark. */
  boolean hasWatermark() {
    return this != DEDUPE_FOR_EVER;
  }

  /** Whether the query writes by MERGE from its beginning. */
  boolean isMerged() {
    return outputMode.equals("update");
  }

  /** The query before. */
  Dataset<Row> before(Feed feed) {
    return query(feed, false);
  }

  /** The query after a replay: it gives out the same, and its state is another. */
  Dataset<Row> after(Feed feed) {
    return query(feed, true);
  }

  private Dataset<Row> query(Feed feed, boolean isNew) {
    Dataset<Row> events = feed.stream();
    if (hasWatermark()) {
      events = events.withWatermark("at", Events.DELAY);
    }
    return switch (this) {
      case WINDOW_APPEND, WINDOW_UPDATE -> windows(events, isNew);
      case SESSION ->
          aggregated(events, session_window(col("at"), "3 minutes").as("w"), isNew)
              .select(col("w.start").as("ss"), col("w.end").as("se"), col("key"), col("total"));
      case DEDUPE_EVENT_TIME -> deduplicated(events, isNew).select("id", "at");
      case DEDUPE_FOR_EVER ->
          (isNew ? events.dropDuplicates("id", "key") : events.dropDuplicates("id")).select("id");
      case JOIN_INNER, JOIN_LEFT_OUTER -> joined(events, feed.stream(), isNew);
      case FLAT_MAP_GROUPS -> Buckets.flatMapped(events, isNew);
      case TRANSFORM_WITH_STATE -> Buckets.transformed(events, isNew);
      case DEDUPE_THEN_WINDOW -> windows(deduplicated(events, isNew), isNew);
    };
  }

  private static Dataset<Row> deduplicated(Dataset<Row> events, boolean isNew) {
    return isNew ? events.dropDuplicates("id", "at", "key") : events.dropDuplicates("id", "at");
  }

  private static Dataset<Row> windows(Dataset<Row> events, boolean isNew) {
    return aggregated(events, window(col("at"), "5 minutes").as("w"), isNew)
        .select(col("w.start").as("ws"), col("key"), col("total"), col("n"));
  }

  /** The new query's greatest amount is asked for so that it is kept. */
  private static Dataset<Row> aggregated(Dataset<Row> events, Column window, boolean isNew) {
    var grouped = events.groupBy(window, col("key"));
    Column total = sum("amount").as("total");
    Column n = count(lit(1)).as("n");
    return isNew
        ? grouped.agg(total, n, max("amount").as("top")).where("top is not null")
        : grouped.agg(total, n);
  }

  private Dataset<Row> joined(Dataset<Row> left, Dataset<Row> right, boolean isNew) {
    Dataset<Row> renamed =
        right
            .withWatermark("at", Events.DELAY)
            .select(
                col("seq").as("r_seq"),
                col("id").as("r_id"),
                col("key").as("r_key"),
                col("at").as("r_at"));
    Column condition = col("id").equalTo(col("r_id"));
    if (isNew) {
      condition = condition.and(col("key").equalTo(col("r_key")));
    }
    condition =
        condition.and(
            this == JOIN_INNER
                ? col("at").equalTo(col("r_at"))
                : expr("r_at > at and r_at <= at + interval 2 minutes"));
    return left.join(renamed, condition, this == JOIN_INNER ? "inner" : "left_outer")
        .select("seq", "r_seq", "id", "at");
  }
}
