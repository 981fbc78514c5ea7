package org.streammigrator.jobs.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.job.InvalidJobSpecException;
import org.streammigrator.job.JobRefusedException;
import org.streammigrator.job.SourceSpec;
import org.streammigrator.jobs.demo.DemoScene;
import org.streammigrator.jobs.session.LocalSpark;
import org.streammigrator.jobs.source.EventTimes;
import org.streammigrator.jobs.source.SourceRead;
import org.streammigrator.jobs.source.Sources;

@Tag("spark")
class KafkaRangeTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  @TempDir private static Path directory;
  private static SparkSession spark;
  private static EmbeddedKafka kafka;

  @BeforeAll
  static void startBroker() throws Exception {
    spark = LocalSpark.open("tests", DemoScene.SESSION);
    kafka = EmbeddedKafka.start(directory);
  }

  @AfterAll
  static void stopBroker() {
    kafka.close();
  }

  @Test
  void rangeEndsBeforeItsEnd() {
    kafka.create("plain", 2);
    kafka.send("plain", 0, List.of("a0", "a1", "a2", "a3"));
    kafka.send("plain", 1, List.of("b0", "b1"));
    assertThat(values("plain", "{\"0\":1,\"1\":0}", "{\"0\":3,\"1\":0}"))
        .containsExactly("a1", "a2");
    assertThat(values("plain", null, null)).hasSize(6);
    assertThat(values("plain", "{\"0\":-2,\"1\":2}", null)).containsExactly("a0", "a1", "a2", "a3");
    SourceRead open = Sources.open(spark, spec("plain", "{\"0\":4,\"1\":1}", null));
    assertThat(open.to()).hasToString("{\"0\":4,\"1\":2}");
    assertThat(open.rows().count()).isEqualTo(1);
  }

  @Test
  void newPartitionsAreReadFromTheirFirstRecord() {
    kafka.create("grown", 1);
    kafka.send("grown", 0, List.of("a0", "a1"));
    kafka.grow("grown", 3);
    kafka.send("grown", 1, List.of("b0"));
    kafka.send("grown", 2, List.of("c0", "c1"));
    assertThat(values("grown", "{\"0\":1}", null)).containsExactly("a1", "b0", "c0", "c1");
    assertThat(values("grown", "{\"0\":1}", "{\"0\":2,\"2\":1}")).containsExactly("a1", "c0");
    kafka.forget("grown", 1, 1);
    assertRefused("grown", "{\"0\":1}", null, FindingCode.KAFKA_RETENTION_LOSS, "0 to 0");
  }

  @Test
  void recordsThatAreGoneAreRefused() {
    kafka.create("old", 1);
    kafka.send("old", 0, List.of("a0", "a1", "a2", "a3"));
    kafka.forget("old", 0, 3);
    assertRefused(
        "old", "{\"0\":1}", null, FindingCode.KAFKA_RETENTION_LOSS, "1 to 2", "2 records");
    assertThat(values("old", "{\"0\":3}", null)).containsExactly("a3");
    assertThat(values("old", null, null)).containsExactly("a3");
    assertRefused("old", null, "{\"0\":2}", FindingCode.KAFKA_RETENTION_LOSS, "0 to 1");
    assertRefused("old", "{\"0\":-2}", "{\"0\":2}", FindingCode.KAFKA_RETENTION_LOSS, "0 to 1");
    assertRefused("old", "{\"0\":3}", "{\"0\":9}", FindingCode.KAFKA_TOPIC_RESET, "ends with 4");
    assertRefused("old", null, "{\"5\":1}", FindingCode.KAFKA_PARTITION_GONE, "no such partition");
  }

  @Test
  void eventTimesAreMeasuredAndTellWhatIsGone() {
    kafka.create("timed", 1);
    kafka.send(
        "timed",
        0,
        List.of("2026-03-27T10:00:00Z", "2026-03-27T12:00:00Z", "2026-03-27T11:00:00Z"));
    EventTimes whole = timed().eventTimes().orElseThrow();
    assertThat(whole.measure().newest()).isEqualTo("2026-03-27T12:00:00Z");
    assertThat(whole.measure().records()).hasValue(3);
    assertThat(whole.oldest()).as("nothing is gone").isNull();
    assertThat(timed().rows().count()).isEqualTo(2);

    Instant before = Instant.now().minusSeconds(600);
    kafka.forget("timed", 0, 1);
    assertThat(timed().eventTimes().orElseThrow().oldest()).isBetween(before, Instant.now());
    kafka.forget("timed", 0, 3);
    assertThat(timed().eventTimes().orElseThrow().measure().newest()).isNull();
    assertThat(timed().eventTimes().orElseThrow().oldest()).isAfter(before);
  }

  private static SourceRead timed() {
    SourceSpec all = spec("timed", null, null);
    return Sources.open(
        spark,
        SourceSpec.kafka(all.name(), all.kafka(), all.topic())
            .eventTime(
                new SourceSpec.EventTime(
                    "cast(cast(value as string) as timestamp)",
                    Instant.parse("2026-03-27T11:00:00Z"))));
  }

  @Test
  void recordsOfTransactionsAreCountedAndTheirMarksAreNot() {
    kafka.create("transactions", 1);
    kafka.transact("transactions", List.of("a0", "a1"), true); // 0, 1, and a mark
    kafka.transact("transactions", List.of("b0"), false); // 3, and a mark
    kafka.transact("transactions", List.of("c0", "c1", "c2"), true); // 5 to 7, and a mark
    Map<String, String> committed = Map.of("kafka.isolation.level", "read_committed");
    assertThat(values("transactions", committed, null, null))
        .containsExactly("a0", "a1", "c0", "c1", "c2");
    assertThat(values("transactions", committed, "{\"0\":1}", "{\"0\":6}"))
        .containsExactly("a1", "c0");
    assertThat(values("transactions", committed, "{\"0\":8}", "{\"0\":9}"))
        .as("nothing but a mark")
        .isEmpty();
    assertThat(values("transactions", null, "{\"0\":2}", "{\"0\":6}"))
        .as("what was aborted is read, as a stream reads it that is not told otherwise")
        .containsExactly("b0", "c0");
    assertThat(Sources.open(spark, spec("transactions", null, null)).to()).hasToString("{\"0\":9}");
  }

  @Test
  void whatCompactionHasRemovedIsNoLoss() throws InterruptedException {
    kafka.create(
        "compacted",
        1,
        Map.of(
            "cleanup.policy", "compact",
            "segment.bytes", "200",
            "min.cleanable.dirty.ratio", "0.01"));
    for (int round = 0; round < 5; round++) {
      kafka.sendKeyed("compacted", Map.of("one", "1-" + round, "two", "2-" + round));
    }
    long limit = System.nanoTime() + 60_000_000_000L;
    while (values("compacted", null, "{\"0\":8}").size() > 6) {
      assertThat(System.nanoTime()).isLessThan(limit);
      Thread.sleep(50);
    }
    List<String> all = values("compacted", null, null);
    assertThat(all).contains("1-4", "2-4").doesNotContain("1-0", "2-0");
    assertThat(values("compacted", "{\"0\":1}", "{\"0\":10}")).isEqualTo(all);
    assertThat(values("compacted", "{\"0\":8}", "{\"0\":10}")).containsExactly("1-4", "2-4");
  }

  @Test
  void wrongSpecsSayWhatIsWrong() {
    kafka.create("specs", 1);
    assertInvalid(() -> open("none", null, null), "no topic none");
    assertInvalid(() -> open("specs", "{\"3\":0}", null), "no partition 3");
    assertInvalid(() -> open("specs", "{\"0\":-1}", null), "-1 is no offset");
    assertInvalid(() -> open("specs", "[1]", null), "an object such as");
    kafka.send("specs", 0, List.of("a", "b"));
    assertInvalid(() -> open("specs", "{\"0\":2}", "{\"0\":1}"), "is before from");
    assertInvalid(
        () ->
            Sources.open(
                spark,
                SourceSpec.kafka("s", kafka.bootstrapServers(), "specs")
                    .options(Map.of("startingOffsets", "latest"))),
        "startingOffsets is set by the range itself");
  }

  private static void open(String topic, String from, String to) {
    Sources.open(spark, spec(topic, from, to));
  }

  private static List<String> values(String topic, String from, String to) {
    return values(topic, null, from, to);
  }

  private static List<String> values(
      String topic, Map<String, String> options, String from, String to) {
    return Sources.open(spark, spec(topic, options, from, to))
        .rows()
        .selectExpr("cast(value as string)")
        .collectAsList()
        .stream()
        .map(row -> row.getString(0))
        .sorted()
        .toList();
  }

  private static SourceSpec spec(String topic, String from, String to) {
    return spec(topic, null, from, to);
  }

  private static SourceSpec spec(
      String topic, Map<String, String> options, String from, String to) {
    return SourceSpec.kafka("s", kafka.bootstrapServers(), topic)
        .options(options)
        .from(json(from))
        .to(json(to));
  }

  private static JsonNode json(String text) {
    try {
      return text == null ? null : MAPPER.readTree(text);
    } catch (JsonProcessingException invalid) {
      throw new IllegalArgumentException(invalid);
    }
  }

  private static void assertRefused(
      String topic, String from, String to, FindingCode code, String... parts) {
    assertThatThrownBy(() -> open(topic, from, to))
        .isInstanceOfSatisfying(
            JobRefusedException.class,
            refused -> {
              assertThat(refused.finding().code()).isEqualTo(code);
              assertThat(refused.finding().message()).contains(parts);
            });
  }

  private static void assertInvalid(Runnable action, String part) {
    assertThatThrownBy(action::run)
        .isInstanceOfAny(InvalidJobSpecException.class, IllegalArgumentException.class)
        .hasMessageContaining(part);
  }
}
