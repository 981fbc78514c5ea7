package org.streammigrator.jobs.kafka;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import kafka.tools.StorageTool;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.common.utils.Time;

/** A Kafka broker with its controller in this JVM, on free ports of the loopback address. */
public final class EmbeddedKafka implements AutoCloseable {
  private final KafkaRaftServer server;
  private final String bootstrapServers;
  private final Admin admin;
  private final KafkaProducer<String, String> producer;

  private EmbeddedKafka(KafkaRaftServer server, String bootstrapServers) {
    this.server = server;
    this.bootstrapServers = bootstrapServers;
    this.admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers));
    this.producer =
        new KafkaProducer<>(
            Map.of(
                "bootstrap.servers",
                bootstrapServers,
                "acks",
                "1",
                "enable.idempotence",
                "false",
                // So that a record that is sent again does not come after the next one.
                "max.in.flight.requests.per.connection",
                "1"),
            new StringSerializer(),
            new StringSerializer());
  }

  /** Starts a broker whose log is in a directory. */
  public static EmbeddedKafka start(Path directory) throws IOException {
    int broker = freePort();
    int controller = freePort();
    Properties properties = new Properties();
    properties.putAll(
        Map.ofEntries(
            Map.entry("process.roles", "broker,controller"),
            Map.entry("node.id", "1"),
            Map.entry("controller.quorum.voters", "1@127.0.0.1:" + controller),
            Map.entry(
                "listeners",
                "PLAINTEXT://127.0.0.1:" + broker + ",CONTROLLER://127.0.0.1:" + controller),
            Map.entry("advertised.listeners", "PLAINTEXT://127.0.0.1:" + broker),
            Map.entry("controller.listener.names", "CONTROLLER"),
            Map.entry("log.dirs", directory.resolve("kafka").toString()),
            Map.entry("offsets.topic.replication.factor", "1"),
            Map.entry("transaction.state.log.replication.factor", "1"),
            Map.entry("transaction.state.log.min.isr", "1"),
            Map.entry("log.cleaner.backoff.ms", "50"),
            Map.entry("auto.create.topics.enable", "false")));
    Path file = directory.resolve("kafka.properties");
    try (var out = Files.newOutputStream(file)) {
      properties.store(out, null);
    }
    ByteArrayOutputStream formatted = new ByteArrayOutputStream();
    int code =
        StorageTool.execute(
            new String[] {"format", "-t", Uuid.randomUuid().toString(), "-c", file.toString()},
            new PrintStream(formatted, true, StandardCharsets.UTF_8));
    if (code != 0) {
      throw new IOException(formatted.toString(StandardCharsets.UTF_8));
    }
    KafkaRaftServer server = new KafkaRaftServer(new KafkaConfig(properties), Time.SYSTEM);
    server.startup();
    return new EmbeddedKafka(server, "127.0.0.1:" + broker);
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** {@code HOST:PORT} of the broker. */
  public String bootstrapServers() {
    return bootstrapServers;
  }

  /** Makes a topic. */
  public void create(String topic, int partitions) {
    create(topic, partitions, Map.of());
  }

  /** Makes a topic with settings of its own. */
  public void create(String topic, int partitions, Map<String, String> settings) {
    NewTopic made = new NewTopic(topic, partitions, (short) 1).configs(settings);
    done(admin.createTopics(List.of(made)).all());
  }

  /** Deletes a topic and waits until it is gone. */
  public void delete(String topic) throws InterruptedException {
    done(admin.deleteTopics(List.of(topic)).all());
    while (done(admin.listTopics().names()).contains(topic)) {
      Thread.sleep(20);
    }
  }

  /** Gives a topic more partitions. */
  public void grow(String topic, int partitions) {
    done(admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(partitions))).all());
  }

  /** Removes the records before an offset, as retention would. */
  public void forget(String topic, int partition, long before) {
    done(
        admin
            .deleteRecords(
                Map.of(new TopicPartition(topic, partition), RecordsToDelete.beforeOffset(before)))
            .all());
  }

  /** Appends records with the given values. */
  public void send(String topic, int partition, List<String> values) {
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    values.forEach(
        value -> sent.add(producer.send(new ProducerRecord<>(topic, partition, null, value))));
    sent.forEach(EmbeddedKafka::done);
  }

  /** Appends a record with a timestamp, milliseconds since the epoch. */
  public void sendAt(String topic, int partition, long timestampMs, String value) {
    done(producer.send(new ProducerRecord<>(topic, partition, timestampMs, null, value)));
  }

  /** Appends records with a key each. */
  public void sendKeyed(String topic, Map<String, String> values) {
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    values.forEach(
        (key, value) -> sent.add(producer.send(new ProducerRecord<>(topic, 0, key, value))));
    sent.forEach(EmbeddedKafka::done);
  }

  /** Appends records in a transaction that is committed or aborted. */
  public void transact(String topic, List<String> values, boolean commit) {
    try (KafkaProducer<String, String> transactional =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", bootstrapServers, "transactional.id", "tests"),
            new StringSerializer(),
            new StringSerializer())) {
      transactional.initTransactions();
      transactional.beginTransaction();
      values.forEach(value -> transactional.send(new ProducerRecord<>(topic, 0, null, value)));
      transactional.flush();
      if (commit) {
        transactional.commitTransaction();
      } else {
        transactional.abortTransaction();
      }
    }
  }

  private static <T> T done(Future<T> future) {
    try {
      return future.get();
    } catch (InterruptedException | ExecutionException failed) {
      throw new IllegalStateException(failed);
    }
  }

  @Override
  public void close() {
    producer.close();
    admin.close();
    server.shutdown();
    server.awaitShutdown();
  }
}
