package org.streammigrator.jobs.source;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.streaming.StreamingQueryException;
import org.apache.spark.sql.streaming.Trigger;

/**
 * A real stream that has read what there was, with the offset and the rows of every batch: what a
 * bounded read of the range between two of them has to give.
 */
record RecordedStream(List<JsonNode> offsets, List<List<String>> rows, Path checkpoint) {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** Runs a stream to the end of what there is, after what it has done before. */
  static RecordedStream run(Dataset<Row> stream, Path checkpoint, RecordedStream before)
      throws TimeoutException, StreamingQueryException, IOException {
    Map<Long, List<String>> rows = new HashMap<>();
    stream
        .writeStream()
        .foreachBatch(
            (batch, number) -> {
              rows.put(number, text(batch));
            })
        .option("checkpointLocation", checkpoint.toString())
        .trigger(Trigger.AvailableNow())
        .start()
        .awaitTermination();
    List<JsonNode> offsets = new ArrayList<>(before.offsets());
    List<List<String>> batches = new ArrayList<>(before.rows());
    for (long number = offsets.size(); rows.containsKey(number); number++) {
      List<String> lines = Files.readAllLines(checkpoint.resolve("offsets/" + number));
      offsets.add(MAPPER.readTree(lines.get(2)));
      batches.add(rows.get(number));
    }
    return new RecordedStream(offsets, batches, checkpoint);
  }

  /** The rows of the batches after one, up to and with another, sorted; -1: from the beginning. */
  List<String> between(int after, int through) {
    List<String> between = new ArrayList<>();
    for (int batch = after + 1; batch <= through; batch++) {
      between.addAll(rows.get(batch));
    }
    return between.stream().sorted().toList();
  }

  int last() {
    return offsets.size() - 1;
  }

  /** Rows as JSON texts, sorted. */
  static List<String> text(Dataset<Row> rows) {
    return rows.toJSON().collectAsList().stream().sorted().toList();
  }
}
