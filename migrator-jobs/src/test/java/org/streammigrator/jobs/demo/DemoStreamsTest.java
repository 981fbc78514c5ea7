package org.streammigrator.jobs.demo;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.expr;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.streammigrator.jobs.session.LocalSpark;

/** The premises of the demo, and of everything that looks at a pending batch: really run. */
@Tag("spark")
class DemoStreamsTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static SparkSession spark;

  @TempDir Path directory;

  @BeforeAll
  static void open() {
    spark = LocalSpark.open("tests", DemoScene.SESSION);
  }

  @Test
  void pendingBatchInTheSinkIsSkippedByTheRestart() throws IOException {
    DemoStreams streams = streams(3);
    Path checkpoint = directory.resolve("checkpoint");
    streams.runBronze(checkpoint, DemoStreams.Enrich.V1, new StopPoint.BeforeCommit(1));

    assertThat(batches(checkpoint, "offsets")).containsExactly(0L, 1L);
    assertThat(batches(checkpoint, "commits")).containsExactly(0L);
    assertThat(position(checkpoint, 0)).isEqualTo("1/0");
    assertThat(position(checkpoint, 1)).isEqualTo("2/1");
    assertThat(transactions(streams.lake().bronzeOrders())).containsExactly(0L, 1L);
    assertThat(bronze(streams).count()).isEqualTo(10 * DemoLake.ROWS_PER_FILE);

    streams.runBronze(checkpoint, DemoStreams.Enrich.V1, new StopPoint.Drained());
    assertThat(transactions(streams.lake().bronzeOrders())).containsExactly(0L, 1L, 2L);
    assertThat(ids(bronze(streams))).isEqualTo(orderIds(streams.lake(), 3));
  }

  @Test
  void pendingBatchNotInTheSinkIsRunByTheRestart() throws IOException {
    DemoStreams streams = streams(3);
    Path checkpoint = directory.resolve("checkpoint");
    streams.runBronze(checkpoint, DemoStreams.Enrich.V1, new StopPoint.InBatch(1));

    assertThat(batches(checkpoint, "offsets")).containsExactly(0L, 1L);
    assertThat(batches(checkpoint, "commits")).containsExactly(0L);
    assertThat(transactions(streams.lake().bronzeOrders())).containsExactly(0L);
    assertThat(bronze(streams).count()).isEqualTo(5 * DemoLake.ROWS_PER_FILE);

    streams.runBronze(checkpoint, DemoStreams.Enrich.V2, new StopPoint.Drained());
    assertThat(transactions(streams.lake().bronzeOrders())).containsExactly(0L, 1L, 2L);
    assertThat(ids(bronze(streams))).isEqualTo(orderIds(streams.lake(), 3));
    assertThat(bronze(streams).where("order_size is null").count())
        .as("rows of the version without the column")
        .isEqualTo(5 * DemoLake.ROWS_PER_FILE);
  }

  @Test
  void pendingWindowsAreEmittedOnce() throws IOException {
    DemoStreams streams = streams(4);
    Path checkpoint = directory.resolve("checkpoint");
    streams.runGold(checkpoint, new StopPoint.BeforeCommit(2));
    assertThat(batches(checkpoint, "commits")).containsExactly(0L, 1L);
    long emitted = gold(streams).count();
    assertThat(emitted).isPositive();

    streams.lake().write(spark, 4, 6);
    streams.runGold(checkpoint, new StopPoint.Drained());
    Dataset<Row> windows = gold(streams).select("window_start", "product", "orders", "total_cents");
    assertThat(windows.count()).isGreaterThan(emitted);
    Dataset<Row> recomputed =
        spark
            .read()
            .format("delta")
            .load(streams.lake().rawOrders().toString())
            .groupBy(expr("window(event_time, '5 minutes').start as window_start"), col("product"))
            .agg(expr("count(*) as orders"), expr("sum(amount_cents) as total_cents"));
    assertThat(windows.exceptAll(recomputed).count()).isZero();
  }

  @Test
  void missingStopPointIsAnError() {
    DemoStreams streams = streams(1);
    assertThatThrownBy(
            () ->
                streams.runBronze(
                    directory.resolve("checkpoint"),
                    DemoStreams.Enrich.V1,
                    new StopPoint.BeforeCommit(9)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("without reaching");
  }

  private DemoStreams streams(int commits) {
    DemoLake lake = DemoLake.at(directory.resolve("lake"));
    lake.write(spark, 0, commits);
    return new DemoStreams(spark, lake);
  }

  private static Dataset<Row> bronze(DemoStreams streams) {
    return spark.read().format("delta").load(streams.lake().bronzeOrders().toString());
  }

  private static Dataset<Row> gold(DemoStreams streams) {
    return spark.read().format("delta").load(streams.lake().goldOrders().toString());
  }

  private static List<Long> ids(Dataset<Row> rows) {
    return rows.select("order_id").collectAsList().stream()
        .map(row -> row.getLong(0))
        .sorted()
        .toList();
  }

  private static List<Long> orderIds(DemoLake lake, int commits) {
    List<Long> ids = new ArrayList<>();
    for (int number = 0; number < commits; number++) {
      lake.commit(number).forEach(order -> ids.add(order.orderId()));
    }
    return ids.stream().sorted().toList();
  }

  private static List<Long> batches(Path checkpoint, String log) throws IOException {
    try (Stream<Path> files = Files.list(checkpoint.resolve(log))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.matches("[0-9]+"))
          .map(Long::valueOf)
          .sorted()
          .toList();
    }
  }

  private static String position(Path checkpoint, long batch) throws IOException {
    List<String> lines = Files.readAllLines(checkpoint.resolve("offsets/" + batch));
    JsonNode offset = MAPPER.readTree(lines.get(lines.size() - 1));
    return offset.path("reservoirVersion").asLong() + "/" + offset.path("index").asLong();
  }

  private static List<Long> transactions(Path table) throws IOException {
    List<Long> versions = new ArrayList<>();
    try (Stream<Path> files = Files.list(table.resolve("_delta_log"))) {
      for (Path file : files.filter(path -> path.toString().endsWith(".json")).sorted().toList()) {
        for (String line : Files.readAllLines(file)) {
          JsonNode transaction = MAPPER.readTree(line).path("txn");
          if (transaction.isObject()) {
            versions.add(transaction.path("version").asLong());
          }
        }
      }
    }
    return versions;
  }
}
