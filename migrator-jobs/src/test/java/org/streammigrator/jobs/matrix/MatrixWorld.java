package org.streammigrator.jobs.matrix;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;
import org.streammigrator.jobs.kafka.EmbeddedKafka;

/** What the streams of the matrix share: the session, a broker, tables to copy. */
final class MatrixWorld implements AutoCloseable {
  private final SparkSession spark;
  private final Path directory;
  private final Map<Integer, Path> tables = new HashMap<>();
  private EmbeddedKafka kafka;
  private int topics;

  MatrixWorld(SparkSession spark, Path directory) {
    this.spark = spark;
    this.directory = directory;
  }

  SparkSession spark() {
    return spark;
  }

  /** The broker, which is started when it is asked for. */
  EmbeddedKafka kafka() throws IOException {
    if (kafka == null) {
      kafka = EmbeddedKafka.start(Files.createDirectories(directory.resolve("broker")));
    }
    return kafka;
  }

  /** A topic of two partitions, one of which stays empty. */
  String newTopic() throws IOException {
    String topic = "events-" + topics++;
    // The records are stamped by their events, months ago.
    kafka().create(topic, 2, Map.of("retention.ms", "-1"));
    return topic;
  }

  /** A table with all events, each version of so many files, and none over {@link Events#FIRST}. */
  Path table(int filesPerVersion) {
    return tables.computeIfAbsent(
        filesPerVersion,
        files -> {
          Path table = directory.resolve("table-" + files);
          write(table, Events.of(0, Events.FIRST), files);
          write(table, Events.of(Events.FIRST, Events.batches()), files);
          return table;
        });
  }

  private void write(Path table, List<Row> events, int filesPerVersion) {
    int perVersion = filesPerVersion * Events.PER_FILE;
    for (int from = 0; from < events.size(); from += perVersion) {
      List<Row> own = events.subList(from, Math.min(events.size(), from + perVersion));
      spark
          .createDataFrame(
              JavaSparkContext.fromSparkContext(spark.sparkContext())
                  .parallelize(own, own.size() / Events.PER_FILE),
              StructType.fromDDL(Events.SCHEMA))
          .write()
          .format("delta")
          .mode("append")
          .save(table.toString());
    }
  }

  @Override
  public void close() {
    if (kafka != null) {
      kafka.close();
    }
  }
}
