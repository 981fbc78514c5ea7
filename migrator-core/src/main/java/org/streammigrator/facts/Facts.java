package org.streammigrator.facts;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Facts about the world outside a checkpoint; what is not there is not known. */
public final class Facts {
  /** Nothing is known. */
  public static final Facts NONE = new Builder().build();

  private final Map<String, DeltaFacts> delta;
  private final Map<String, KafkaFacts> kafka;
  private final Map<String, KafkaFacts> eventhubs;
  private final Map<String, List<Long>> icebergSnapshots;
  private final Map<String, String> hudiEarliestInstants;
  private final Map<String, KinesisFacts> kinesis;
  private final Map<String, List<InputFile>> inputFiles;
  private final Map<String, Long> sinkTxn;
  private final OptionalLong fileSinkLastBatch;

  private Facts(Builder builder) {
    delta = Map.copyOf(builder.delta);
    kafka = Map.copyOf(builder.kafka);
    eventhubs = Map.copyOf(builder.eventhubs);
    icebergSnapshots = Map.copyOf(builder.icebergSnapshots);
    hudiEarliestInstants = Map.copyOf(builder.hudiEarliestInstants);
    kinesis = Map.copyOf(builder.kinesis);
    inputFiles = Map.copyOf(builder.inputFiles);
    sinkTxn = Map.copyOf(builder.sinkTxn);
    fileSinkLastBatch = builder.fileSinkLastBatch;
  }

  /** Delta tables by source id. */
  public Map<String, DeltaFacts> delta() {
    return delta;
  }

  /** Kafka topics by name. */
  public Map<String, KafkaFacts> kafka() {
    return kafka;
  }

  /** Event hubs by name; sequence numbers, of which {@code latest} is the last one in the hub. */
  public Map<String, KafkaFacts> eventhubs() {
    return eventhubs;
  }

  /** The snapshots that an Iceberg table still has, in the order of its metadata, by source id. */
  public Map<String, List<Long>> icebergSnapshots() {
    return icebergSnapshots;
  }

  /** The earliest instant in a Hudi table's active timeline, by source id. */
  public Map<String, String> hudiEarliestInstants() {
    return hudiEarliestInstants;
  }

  /** Kinesis streams by name. */
  public Map<String, KinesisFacts> kinesis() {
    return kinesis;
  }

  /** All files in the input of a file source, by source id. */
  public Map<String, List<InputFile>> inputFiles() {
    return inputFiles;
  }

  /** The last batch that a Delta sink recorded, by application id (the query id). */
  public Map<String, Long> sinkTxn() {
    return sinkTxn;
  }

  /** The last batch in a file sink's {@code _spark_metadata}. */
  public OptionalLong fileSinkLastBatch() {
    return fileSinkLastBatch;
  }

  /** The same facts and one more table. */
  public Facts withDelta(String sourceId, DeltaFacts table) {
    return toBuilder().delta(sourceId, table).build();
  }

  /** The same facts and one more transaction of a Delta sink. */
  public Facts withSinkTxn(String applicationId, long version) {
    return toBuilder().sinkTxn(applicationId, version).build();
  }

  /** A builder that holds these facts. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.delta.putAll(delta);
    builder.kafka.putAll(kafka);
    builder.eventhubs.putAll(eventhubs);
    builder.icebergSnapshots.putAll(icebergSnapshots);
    builder.hudiEarliestInstants.putAll(hudiEarliestInstants);
    builder.kinesis.putAll(kinesis);
    builder.inputFiles.putAll(inputFiles);
    builder.sinkTxn.putAll(sinkTxn);
    builder.fileSinkLastBatch = fileSinkLastBatch;
    return builder;
  }

  /** Collects facts; what is said twice is replaced. */
  public static final class Builder {
    private final Map<String, DeltaFacts> delta = new HashMap<>();
    private final Map<String, KafkaFacts> kafka = new HashMap<>();
    private final Map<String, KafkaFacts> eventhubs = new HashMap<>();
    private final Map<String, List<Long>> icebergSnapshots = new HashMap<>();
    private final Map<String, String> hudiEarliestInstants = new HashMap<>();
    private final Map<String, KinesisFacts> kinesis = new HashMap<>();
    private final Map<String, List<InputFile>> inputFiles = new HashMap<>();
    private final Map<String, Long> sinkTxn = new HashMap<>();
    private OptionalLong fileSinkLastBatch = OptionalLong.empty();

    /** Adds a Delta table. */
    public Builder delta(String sourceId, DeltaFacts table) {
      delta.put(sourceId, table);
      return this;
    }

    /** Adds a Kafka topic. */
    public Builder kafka(String topic, KafkaFacts facts) {
      kafka.put(topic, facts);
      return this;
    }

    /** Adds an event hub. */
    public Builder eventhubs(String hub, KafkaFacts facts) {
      eventhubs.put(hub, facts);
      return this;
    }

    /** Adds the snapshots that an Iceberg table still has. */
    public Builder icebergSnapshots(String sourceId, List<Long> snapshots) {
      icebergSnapshots.put(sourceId, List.copyOf(snapshots));
      return this;
    }

    /** Adds the earliest instant of a Hudi table's active timeline. */
    public Builder hudiEarliestInstant(String sourceId, String instant) {
      hudiEarliestInstants.put(sourceId, instant);
      return this;
    }

    /** Adds a Kinesis stream. */
    public Builder kinesis(String stream, KinesisFacts facts) {
      kinesis.put(stream, facts);
      return this;
    }

    /** Adds all files in the input of a file source. */
    public Builder inputFiles(String sourceId, List<InputFile> files) {
      inputFiles.put(sourceId, List.copyOf(files));
      return this;
    }

    /** Adds the last batch that a Delta sink recorded. */
    public Builder sinkTxn(String applicationId, long version) {
      sinkTxn.put(applicationId, version);
      return this;
    }

    /** Says the last batch in a file sink's log. */
    public Builder fileSinkLastBatch(long batch) {
      fileSinkLastBatch = OptionalLong.of(batch);
      return this;
    }

    /** The facts so far. */
    public Facts build() {
      return new Facts(this);
    }
  }
}
