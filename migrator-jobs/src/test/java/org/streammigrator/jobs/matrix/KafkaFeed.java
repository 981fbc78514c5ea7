package org.streammigrator.jobs.matrix;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.from_json;

import java.io.IOException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.StructType;

/** A topic of two partitions, one of which stays empty. */
final class KafkaFeed implements Feed {
  private final MatrixWorld world;
  private final String topic;

  KafkaFeed(MatrixWorld world) throws IOException {
    this.world = world;
    this.topic = world.newTopic();
  }

  @Override
  public void deliverFirst() throws IOException {
    send(0, Events.FIRST);
  }

  @Override
  public void deliverRest() throws IOException {
    send(Events.FIRST, Events.batches());
  }

  private void send(int from, int to) throws IOException {
    for (int batch = from; batch < to; batch++) {
      for (Row event : Events.of(batch, batch + 1)) {
        world.kafka().sendAt(topic, 0, Events.arrival(batch).toEpochMilli(), Events.json(event));
      }
    }
  }

  @Override
  public Dataset<Row> stream() {
    return world
        .spark()
        .readStream()
        .format("kafka")
        .option("kafka.bootstrap.servers", servers())
        .option("subscribe", topic)
        .option("startingOffsets", "earliest")
        .option("maxOffsetsPerTrigger", Events.PER_BATCH)
        .load()
        .select(
            from_json(col("value").cast("string"), StructType.fromDDL(Events.SCHEMA)).as("event"))
        .select("event.*");
  }

  @Override
  public String plan() {
    return "kafka: \"%s\", topic: %s".formatted(servers(), topic);
  }

  private String servers() {
    try {
      return world.kafka().bootstrapServers();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
