package org.streammigrator.facts;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.DescribeTopicsResult;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Asks a Kafka cluster what it holds of some topics. It only reads: no consumer group is joined, no
 * record is fetched, no topic is made.
 */
public final class KafkaBrokers {
  private static final String CLEANUP_POLICY = "cleanup.policy";

  private final Properties properties;
  private final Duration timeout;

  /**
   * Prepares the questions.
   *
   * @param bootstrapServers {@code HOST:PORT}, several separated by commas
   * @param properties client properties, such as those of SASL and TLS
   * @param timeout how long to wait for each answer
   */
  public KafkaBrokers(String bootstrapServers, Properties properties, Duration timeout) {
    this.timeout = requireNonNull(timeout, "timeout");
    this.properties = new Properties();
    this.properties.putAll(properties);
    this.properties.put(
        AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, requireNonNull(bootstrapServers, "servers"));
    int milliseconds = Math.toIntExact(timeout.toMillis());
    this.properties.putIfAbsent(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, milliseconds);
    this.properties.putIfAbsent(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, milliseconds);
  }

  /**
   * What the cluster holds of each topic; a topic that does not exist is {@link KafkaFacts#ABSENT}.
   *
   * @throws IOException if the cluster cannot be reached or refuses to answer; the message says why
   */
  public Map<String, KafkaFacts> read(Collection<String> topics) throws IOException {
    try (Admin admin = Admin.create(properties)) {
      Map<String, KafkaFacts> facts = new HashMap<>();
      Map<String, TopicDescription> there = describe(admin, topics, facts);
      List<TopicPartition> partitions = new ArrayList<>();
      there.forEach(
          (topic, description) ->
              description
                  .partitions()
                  .forEach(info -> partitions.add(new TopicPartition(topic, info.partition()))));
      Map<TopicPartition, ListOffsetsResultInfo> earliest =
          offsets(admin, partitions, OffsetSpec.earliest());
      Map<TopicPartition, ListOffsetsResultInfo> latest =
          offsets(admin, partitions, OffsetSpec.latest());
      Map<TopicPartition, ListOffsetsResultInfo> oldest =
          offsets(admin, partitions, OffsetSpec.forTimestamp(0));
      for (Map.Entry<String, TopicDescription> topic : there.entrySet()) {
        SortedMap<Integer, KafkaFacts.Range> ranges = new TreeMap<>();
        for (TopicPartition partition : partitions) {
          if (partition.topic().equals(topic.getKey())) {
            ListOffsetsResultInfo first = oldest.get(partition);
            ranges.put(
                partition.partition(),
                new KafkaFacts.Range(
                    earliest.get(partition).offset(),
                    latest.get(partition).offset(),
                    first.offset() < 0
                        ? OptionalLong.empty()
                        : OptionalLong.of(first.timestamp())));
          }
        }
        facts.put(
            topic.getKey(),
            new KafkaFacts(
                ranges,
                OptionalLong.empty(),
                Optional.of(topic.getValue().topicId().toString()),
                false));
      }
      return facts;
    } catch (KafkaException unusable) {
      throw new IOException(because(unusable), unusable);
    }
  }

  /**
   * The first offset of each partition whose record has a timestamp at or after a time; partitions
   * without one are left out.
   *
   * @param timeMs milliseconds since the epoch
   * @throws IOException if the cluster cannot be reached or refuses to answer; the message says why
   */
  public SortedMap<String, SortedMap<Integer, Long>> offsetsAt(
      Collection<String> topics, long timeMs) throws IOException {
    try (Admin admin = Admin.create(properties)) {
      List<TopicPartition> partitions = new ArrayList<>();
      describe(admin, topics, new HashMap<>())
          .forEach(
              (topic, description) ->
                  description
                      .partitions()
                      .forEach(
                          info -> partitions.add(new TopicPartition(topic, info.partition()))));
      SortedMap<String, SortedMap<Integer, Long>> first = new TreeMap<>();
      offsets(admin, partitions, OffsetSpec.forTimestamp(timeMs))
          .forEach(
              (partition, info) -> {
                if (info.offset() >= 0) {
                  first
                      .computeIfAbsent(partition.topic(), topic -> new TreeMap<>())
                      .put(partition.partition(), info.offset());
                }
              });
      return first;
    } catch (KafkaException unusable) {
      throw new IOException(because(unusable), unusable);
    }
  }

  /**
   * The topics among some that are compacted, so that records of theirs vanish.
   *
   * @throws IOException if the cluster cannot be reached or refuses to answer; the message says why
   */
  public List<String> compacted(Collection<String> topics) throws IOException {
    try (Admin admin = Admin.create(properties)) {
      List<ConfigResource> resources =
          topics.stream()
              .map(topic -> new ConfigResource(ConfigResource.Type.TOPIC, topic))
              .toList();
      return answer(admin.describeConfigs(resources).all()).entrySet().stream()
          .filter(topic -> topic.getValue().get(CLEANUP_POLICY).value().contains("compact"))
          .map(topic -> topic.getKey().name())
          .sorted()
          .toList();
    } catch (KafkaException unusable) {
      throw new IOException(because(unusable), unusable);
    }
  }

  private Map<String, TopicDescription> describe(
      Admin admin, Collection<String> topics, Map<String, KafkaFacts> absent) throws IOException {
    DescribeTopicsResult described = admin.describeTopics(topics);
    Map<String, TopicDescription> there = new TreeMap<>();
    for (Map.Entry<String, KafkaFuture<TopicDescription>> topic :
        described.topicNameValues().entrySet()) {
      Optional<TopicDescription> description = existing(topic.getValue());
      description.ifPresentOrElse(
          known -> there.put(topic.getKey(), known),
          () -> absent.put(topic.getKey(), KafkaFacts.ABSENT));
    }
    return there;
  }

  private Optional<TopicDescription> existing(KafkaFuture<TopicDescription> future)
      throws IOException {
    try {
      return Optional.of(answer(future));
    } catch (IOException failure) {
      if (failure.getCause() instanceof UnknownTopicOrPartitionException) {
        return Optional.empty();
      }
      throw failure;
    }
  }

  private Map<TopicPartition, ListOffsetsResultInfo> offsets(
      Admin admin, List<TopicPartition> partitions, OffsetSpec which) throws IOException {
    return answer(
        admin
            .listOffsets(
                partitions.stream().collect(Collectors.toMap(Function.identity(), p -> which)))
            .all());
  }

  private <T> T answer(KafkaFuture<T> future) throws IOException {
    try {
      return future.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException failed) {
      throw new IOException(because(failed.getCause()), failed.getCause());
    } catch (TimeoutException silent) {
      throw new IOException("no answer within " + timeout.toSeconds() + " s", silent);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", interrupted);
    }
  }

  private static String because(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return failure instanceof org.apache.kafka.common.errors.TimeoutException
        ? "no answer (" + root.getMessage() + ")"
        : String.valueOf(root.getMessage());
  }
}
