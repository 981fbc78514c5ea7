package org.streammigrator.jobs.source;

import static java.util.Objects.requireNonNull;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.min;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.streammigrator.facts.KafkaBrokers;
import org.streammigrator.facts.KafkaFacts;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.job.InvalidJobSpecException;
import org.streammigrator.job.JobFailedException;
import org.streammigrator.job.JobRefusedException;
import org.streammigrator.job.SourceSpec;

/**
 * The records of a topic between two sets of offsets. A partition that the beginning does not name
 * has appeared since, and is read from its first record.
 *
 * <p>How many records there are is known only when they are read: offsets of compacted topics and
 * of transactions have gaps.
 */
final class KafkaRange {
  private static final String CLIENT = "kafka.";
  private static final long EARLIEST = -2;
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final Set<String> RESERVED =
      Set.of(
          "subscribe",
          "subscribepattern",
          "assign",
          "startingoffsets",
          "endingoffsets",
          "startingtimestamp",
          "endingtimestamp",
          "startingoffsetsbytimestamp",
          "endingoffsetsbytimestamp",
          "failondataloss",
          "kafka.bootstrap.servers");

  private final SparkSession spark;
  private final SourceSpec spec;
  private final Map<String, String> options;

  KafkaRange(SparkSession spark, SourceSpec spec) {
    this.spark = requireNonNull(spark, "spark");
    this.spec = requireNonNull(spec, "spec");
    this.options = ReaderOptions.of(spec, RESERVED);
  }

  SourceRead open() {
    SortedMap<Integer, KafkaFacts.Range> there = partitions();
    SortedMap<Integer, Long> from = spec.offsetsFrom();
    SortedMap<Integer, Long> to = new TreeMap<>(spec.offsetsTo());
    if (to.isEmpty()) {
      there.forEach((partition, range) -> to.put(partition, range.latest()));
    }
    for (Integer partition : from.keySet()) {
      if (!to.containsKey(partition)) {
        throw new InvalidJobSpecException(
            there.containsKey(partition)
                ? "source %s: to names no partition %d, which from has"
                    .formatted(spec.name(), partition)
                : "source %s: from: the topic %s has no partition %d"
                    .formatted(spec.name(), spec.topic(), partition));
      }
    }
    SortedMap<Integer, Long> first = new TreeMap<>();
    for (Map.Entry<Integer, Long> end : to.entrySet()) {
      int partition = end.getKey();
      KafkaFacts.Range range = there.get(partition);
      if (range == null) {
        throw refused(
            FindingCode.KAFKA_PARTITION_GONE,
            partition,
            "the topic has no such partition",
            "the topic was made anew, or this is another one: find the place anew");
      }
      first.put(partition, first(partition, from, end.getValue(), range));
    }
    Dataset<Row> rows = rows(first, to);
    Set<Integer> cut = new TreeSet<>();
    first.forEach(
        (partition, begin) -> {
          if (!from.containsKey(partition) && there.get(partition).earliest() > 0) {
            cut.add(partition);
          }
        });
    return new SourceRead(
        spec.name(),
        EventTimes.needed(spec, rows),
        from.isEmpty() && spec.eventTime() != null ? json(first) : spec.from(),
        json(to),
        OptionalLong.empty(),
        OptionalLong.empty(),
        OptionalLong.empty(),
        EventTimes.ofAll(spec, rows, cut.isEmpty() ? null : () -> oldest(rows, cut)));
  }

  /**
   * The time by which all partitions have records left whose first ones retention has removed; now
   * if one has none.
   */
  private static Instant oldest(Dataset<Row> rows, Set<Integer> cut) {
    List<Row> oldest =
        rows.where(col("partition").isin(cut.toArray()))
            .groupBy("partition")
            .agg(min("timestamp"))
            .collectAsList();
    return oldest.size() < cut.size()
        ? Instant.now()
        : oldest.stream()
            .map(row -> row.getTimestamp(1).toInstant())
            .max(Instant::compareTo)
            .orElseThrow();
  }

  /** The first offset to read of a partition. */
  private long first(
      int partition, SortedMap<Integer, Long> from, long end, KafkaFacts.Range range) {
    if (end > range.latest()) {
      throw refused(
          FindingCode.KAFKA_TOPIC_RESET,
          partition,
          "to is %d, and the topic ends with %d".formatted(end, range.latest()),
          "the topic was made anew, or this is another one: find the place anew");
    }
    boolean fromTheBeginning = from.isEmpty() || from.getOrDefault(partition, 0L) == EARLIEST;
    boolean isAllGone = fromTheBeginning && end < range.earliest();
    // A partition that appeared after the beginning of the range had its first record at 0.
    long begin =
        fromTheBeginning && !isAllGone
            ? range.earliest()
            : Math.max(from.getOrDefault(partition, 0L), 0);
    if (begin < range.earliest() && begin < end) {
      long lost = Math.min(range.earliest(), end) - begin;
      throw refused(
          FindingCode.KAFKA_RETENTION_LOSS,
          partition,
          "offsets %d to %d (%d records at most) are gone; the first that is there is %d"
              .formatted(begin, begin + lost - 1, lost, range.earliest()),
          "begin at " + range.earliest() + " for this partition, and take the loss knowingly");
    }
    if (begin > end && !fromTheBeginning) {
      throw new InvalidJobSpecException(
          "source %s: partition %d: to (%d) is before from (%d)"
              .formatted(spec.name(), partition, end, begin));
    }
    return Math.min(begin, end);
  }

  private SortedMap<Integer, KafkaFacts.Range> partitions() {
    Properties client = new Properties();
    options.forEach(
        (key, value) -> {
          if (key.startsWith(CLIENT)) {
            client.put(key.substring(CLIENT.length()), value);
          }
        });
    KafkaFacts facts;
    try {
      facts =
          new KafkaBrokers(spec.kafka(), client, TIMEOUT)
              .read(List.of(spec.topic()))
              .get(spec.topic());
    } catch (IOException unreachable) {
      throw new JobFailedException(
          "source %s: %s".formatted(spec.name(), unreachable.getMessage()), unreachable);
    }
    if (facts.partitions().isEmpty()) {
      throw new InvalidJobSpecException(
          "source %s: there is no topic %s at %s"
              .formatted(spec.name(), spec.topic(), spec.kafka()));
    }
    return facts.partitions();
  }

  private Dataset<Row> rows(SortedMap<Integer, Long> first, SortedMap<Integer, Long> to) {
    ObjectNode assigned = JsonNodeFactory.instance.objectNode();
    first.keySet().forEach(assigned.putArray(spec.topic())::add);
    return spark
        .read()
        .format("kafka")
        .options(options)
        .option("kafka.bootstrap.servers", spec.kafka())
        .option("assign", assigned.toString())
        .option("startingOffsets", ofTopic(first))
        .option("endingOffsets", ofTopic(to))
        .option("failOnDataLoss", "true")
        .load();
  }

  private String ofTopic(SortedMap<Integer, Long> offsets) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.set(spec.topic(), json(offsets));
    return node.toString();
  }

  private static JsonNode json(SortedMap<Integer, Long> offsets) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    offsets.forEach((partition, offset) -> node.put(Integer.toString(partition), offset));
    return node;
  }

  private JobRefusedException refused(
      FindingCode code, int partition, String message, String remedy) {
    return JobRefusedException.unsafe(
        Finding.error(code, spec.topic() + "-" + partition, message, remedy));
  }
}
