package org.streammigrator.checkpoint.source;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The kinds of source that a checkpoint can hold, by the names of the JSON outputs. */
public enum SourceKind {
  /** A Delta table. */
  DELTA,
  /** Kafka. */
  KAFKA,
  /** Azure Event Hubs by its own connector. */
  EVENTHUBS,
  /** Spark's file source. */
  FILES,
  /** Databricks Auto Loader. */
  AUTOLOADER,
  /** An Iceberg table. */
  ICEBERG,
  /** Kinesis by any of its connectors. */
  KINESIS,
  /** A Hudi table. */
  HUDI,
  /** A Paimon table. */
  PAIMON,
  /** Pulsar. */
  PULSAR,
  /** Spark's rate source. */
  RATE,
  /** Spark's socket source. */
  SOCKET,
  /** A table shared by Delta Sharing. */
  DELTA_SHARING,
  /** A MongoDB change stream. */
  MONGODB,
  /** Google Pub/Sub by Databricks' connector. */
  PUBSUB,
  /** Google Pub/Sub Lite. */
  PUBSUB_LITE,
  /** Spark's rate-micro-batch source. */
  RATE_MICRO_BATCH,
  /** Spark's memory source. */
  MEMORY,
  /** A source that has delivered nothing yet. */
  NONE,
  /** A source whose text nobody here understands. */
  UNKNOWN;

  /** The name in JSON, text and {@code --source ID=KIND}. */
  @JsonValue
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Whether a user can say that a source is of this kind. */
  public boolean tellable() {
    return this != NONE && this != UNKNOWN;
  }

  /** The kind of a name; empty if there is none such. */
  public static Optional<SourceKind> ofLabel(String label) {
    return Arrays.stream(values()).filter(kind -> kind.label().equals(label)).findFirst();
  }
}
