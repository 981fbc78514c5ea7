package org.streammigrator.jobs.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;
import org.streammigrator.cli.Cli;
import org.streammigrator.cli.CliContext;
import org.streammigrator.jobs.demo.DemoScene;
import org.streammigrator.jobs.session.LocalSpark;

/** {@code resume --kafka} against a real broker. */
class KafkaResumeTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  @TempDir static Path shared;
  private static EmbeddedKafka kafka;

  @TempDir Path directory;

  @BeforeAll
  static void start() throws IOException {
    kafka = EmbeddedKafka.start(shared);
  }

  @AfterAll
  static void stop() {
    kafka.close();
  }

  @Test
  @Tag("spark")
  void aQueryStartedFromThePrintedOptionsReadsTheRestOnce() throws Exception {
    kafka.create("orders", 2);
    List<String> sent = new ArrayList<>();
    Path checkpoint = directory.resolve("old");
    Path sink = directory.resolve("sink");
    send(sent, "orders", 0, 5);
    send(sent, "orders", 1, 5);
    drain(checkpoint, sink, "earliest");
    send(sent, "orders", 0, 3);
    drain(checkpoint, sink, "earliest");
    send(sent, "orders", 1, 2);
    kafka.grow("orders", 3);
    send(sent, "orders", 2, 4);

    Answer answer = resume(checkpoint, "--source", "0=kafka", "--kafka", kafka.bootstrapServers());
    assertThat(answer.exit).as(answer.text).isZero();
    JsonNode source = answer.json.path("sources").path(0);
    assertThat(source.path("exactness").asText()).isEqualTo("EXACT");
    String starting = source.path("options").path("startingOffsets").asText();
    assertThat(starting).isEqualTo("{\"orders\":{\"0\":8,\"1\":5,\"2\":-2}}");
    assertThat(codes(source)).containsExactly("KAFKA_NEW_PARTITION");

    drain(directory.resolve("new"), sink, starting);
    assertThat(values(sink)).containsExactlyInAnyOrderElementsOf(sent);
  }

  @Test
  void lossByRetentionIsCounted(TestInfo test) throws Exception {
    String topic = topic(test);
    kafka.create(topic, 2);
    send(new ArrayList<>(), topic, 0, 10);
    send(new ArrayList<>(), topic, 1, 10);
    Path checkpoint = checkpoint("{\"%s\":{\"0\":5,\"1\":10}}".formatted(topic), now());
    kafka.forget(topic, 0, 7);

    Answer answer = resume(checkpoint, "--kafka", kafka.bootstrapServers());
    assertThat(answer.exit).isEqualTo(3);
    JsonNode source = answer.json.path("sources").path(0);
    assertThat(source.path("exactness").asText()).isEqualTo("LOSS");
    assertThat(source.path("options").path("startingOffsets").asText())
        .isEqualTo("{\"%s\":{\"0\":7,\"1\":10}}".formatted(topic));
    assertThat(codes(source)).contains("KAFKA_RETENTION_LOSS").doesNotContain("KAFKA_TOPIC_RESET");
    assertThat(source.toString()).contains("5..6 (2 records)");
  }

  @Test
  void aTopicMadeAnewIsSeenThoughItHasMoreRecordsThanTheOldOne(TestInfo test) throws Exception {
    String topic = topic(test);
    kafka.create(topic, 1);
    send(new ArrayList<>(), topic, 0, 5);
    Path checkpoint = checkpoint("{\"%s\":{\"0\":5}}".formatted(topic), now());
    assertThat(codes(resume(checkpoint, "--kafka", kafka.bootstrapServers()).source()))
        .doesNotContain("KAFKA_TOPIC_RESET");

    Path facts =
        Files.writeString(
            directory.resolve("facts.json"),
            "{\"kafka\":{\"%s\":{\"topicId\":\"AAAAAAAAAAAAAAAAAAAAAA\",\"0\":{\"earliest\":0,\"latest\":5}}}}"
                .formatted(topic));
    Answer otherId =
        resume(checkpoint, "--kafka", kafka.bootstrapServers(), "--facts", facts.toString());
    assertThat(codes(otherId.source())).contains("KAFKA_TOPIC_RESET");

    kafka.delete(topic);
    assertThat(codes(resume(checkpoint, "--kafka", kafka.bootstrapServers()).source()))
        .contains("KAFKA_TOPIC_GONE");

    kafka.create(topic, 1);
    Thread.sleep(2); // Times have milliseconds.
    send(new ArrayList<>(), topic, 0, 50);
    Answer answer = resume(checkpoint, "--kafka", kafka.bootstrapServers());
    assertThat(answer.exit).isEqualTo(3);
    assertThat(codes(answer.source())).contains("KAFKA_TOPIC_RESET");
    assertThat(answer.source().path("options").path("startingOffsets").asText())
        .isEqualTo("{\"%s\":{\"0\":0}}".formatted(topic));
  }

  @Test
  void aBrokerThatDoesNotAnswerIsOneSentence() throws Exception {
    Answer answer =
        resume(
            checkpoint("{\"t\":{\"0\":5}}", now()),
            "--kafka",
            "127.0.0.1:1",
            "--kafka-config",
            Files.writeString(
                    directory.resolve("client.properties"),
                    "request.timeout.ms=500\ndefault.api.timeout.ms=1000\n")
                .toString());
    assertThat(answer.exit).isEqualTo(1);
    assertThat(answer.err)
        .contains("the Kafka cluster at 127.0.0.1:1 does not answer")
        .doesNotContain("\tat ");
  }

  private static String topic(TestInfo test) {
    return test.getTestMethod().orElseThrow().getName();
  }

  private static long now() {
    return System.currentTimeMillis();
  }

  private static void send(List<String> sent, String topic, int partition, int count) {
    List<String> values =
        IntStream.range(0, count).mapToObj(i -> partition + "-" + (sent.size() + i)).toList();
    kafka.send(topic, partition, values);
    sent.addAll(values);
  }

  private Path checkpoint(String offset, long batchTimestampMs) throws IOException {
    Path checkpoint = Files.createDirectories(directory.resolve("checkpoint"));
    Files.writeString(
        checkpoint.resolve("metadata"), "{\"id\":\"11111111-2222-4333-8444-555555555555\"}");
    Files.createDirectories(checkpoint.resolve("offsets"));
    Files.createDirectories(checkpoint.resolve("commits"));
    Files.writeString(
        checkpoint.resolve("offsets/0"),
        "v1\n{\"batchWatermarkMs\":0,\"batchTimestampMs\":%d,\"conf\":{}}\n%s"
            .formatted(batchTimestampMs, offset));
    Files.writeString(checkpoint.resolve("commits/0"), "v1\n{\"nextBatchWatermarkMs\":0}");
    return checkpoint;
  }

  private static void drain(Path checkpoint, Path sink, String startingOffsets) throws Exception {
    SparkSession spark = LocalSpark.open("tests", DemoScene.SESSION);
    StreamingQuery query =
        spark
            .readStream()
            .format("kafka")
            .option("kafka.bootstrap.servers", kafka.bootstrapServers())
            .option("subscribe", "orders")
            .option("startingOffsets", startingOffsets)
            .load()
            .selectExpr("cast(value as string) as value")
            .writeStream()
            .format("delta")
            .option("checkpointLocation", checkpoint.toString())
            .trigger(Trigger.AvailableNow())
            .start(sink.toString());
    query.awaitTermination();
  }

  private static List<String> values(Path sink) {
    return LocalSpark.open("tests", Map.of())
        .read()
        .format("delta")
        .load(sink.toString())
        .as(Encoders.STRING())
        .collectAsList();
  }

  private record Answer(int exit, String text, String err, JsonNode json) {
    JsonNode source() {
      return json.path("sources").path(0);
    }
  }

  private static List<String> codes(JsonNode source) {
    List<String> codes = new ArrayList<>();
    source
        .path("findings")
        .forEach(
            finding -> {
              String code = finding.path("code").asText();
              if (!code.equals("SOURCE_TYPE_AMBIGUOUS")) {
                codes.add(code);
              }
            });
    return codes;
  }

  private static Answer resume(Path checkpoint, String... options) throws IOException {
    List<String> args = new ArrayList<>(List.of("resume", checkpoint.toString(), "-o", "json"));
    args.addAll(List.of(options));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int exit =
        Cli.run(
            args,
            new PrintStream(out, true, UTF_8),
            new PrintStream(err, true, UTF_8),
            CliContext.ofProcess());
    String text = out.toString(UTF_8);
    return new Answer(exit, text + err.toString(UTF_8), err.toString(UTF_8), MAPPER.readTree(text));
  }
}
