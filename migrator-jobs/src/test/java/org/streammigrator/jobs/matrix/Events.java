package org.streammigrator.jobs.matrix;

import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;

/**
 * What the streams read, by batches: key, amount, minute and second, id. With a delay of four
 * minutes the query stops under a watermark of 12:00, or, with a pending batch that the sink has,
 * of 27:00: the watermark jumps there. There are duplicates within a batch, across batches and
 * across the stop, events that are late by the watermark alone and by their window, and pairs on
 * both sides of the stop.
 */
final class Events {
  static final String SCHEMA = "seq long, id long, key string, amount long, at timestamp";
  static final String DELAY = "4 minutes";
  static final int PER_BATCH = 4;
  static final int PER_FILE = 2;

  /** Batches before the query is idle, so that one without data follows. */
  static final int FIRST = 3;

  private static final List<List<String>> BATCHES =
      List.of(
          List.of("a,1,00:30,1", "b,2,01:00,2", "a,4,03:00,3", "a,4,03:00,3"),
          List.of("a,8,06:00,4", "b,16,04:30,5", "a,32,07:00,6", "b,2,05:10,2"),
          List.of("b,64,09:00,7", "a,128,08:00,8", "a,256,11:00,9", "b,64,09:00,7"),
          List.of("a,512,13:00,10", "b,1024,12:30,11", "a,2048,16:00,12", "a,7,02:00,13"),
          List.of("b,4096,18:00,14", "a,8192,17:30,15", "a,16384,31:00,16", "b,3,11:30,17"),
          List.of("b,32768,28:30,18", "a,16384,31:00,16", "a,131072,31:30,16", "b,5,20:30,19"),
          List.of("a,7,33:00,20", "b,9,29:00,21", "b,4096,18:00,14", "a,1,32:10,22"),
          List.of("a,11,45:00,23", "b,13,34:00,24", "b,13,34:00,24", "a,2,27:00,25"));

  private Events() {}

  /** Batches in all. */
  static int batches() {
    return BATCHES.size();
  }

  /** The events of some batches. */
  static List<Row> of(int from, int to) {
    List<Row> rows = new ArrayList<>();
    for (int batch = from; batch < to; batch++) {
      for (String event : BATCHES.get(batch)) {
        String[] fields = event.split(",");
        rows.add(
            RowFactory.create(
                (long) (from * PER_BATCH + rows.size()),
                Long.valueOf(fields[3]),
                fields[0],
                Long.valueOf(fields[1]),
                Timestamp.from(Instant.parse("2026-03-27T10:" + fields[2] + "Z"))));
      }
    }
    return rows;
  }

  /** An event as a line of JSON. */
  static String json(Row event) {
    return "{\"seq\":%d,\"id\":%d,\"key\":\"%s\",\"amount\":%d,\"at\":\"%s\"}"
        .formatted(
            event.getLong(0),
            event.getLong(1),
            event.getString(2),
            event.getLong(3),
            event.getTimestamp(4).toInstant());
  }

  /** When a batch arrives: half a minute after the newest event there was until then. */
  static Instant arrival(int batch) {
    return of(0, batch + 1).stream()
        .map(event -> event.getTimestamp(4).toInstant())
        .max(Instant::compareTo)
        .orElseThrow()
        .plusSeconds(30 + batch);
  }
}
