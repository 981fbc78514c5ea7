package org.streammigrator.jobs.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.job.InvalidJobSpecException;
import org.streammigrator.job.JobRefusedException;
import org.streammigrator.job.SourceSpec;
import org.streammigrator.jobs.demo.DemoScene;
import org.streammigrator.jobs.session.LocalSpark;

@Tag("spark")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class FileRangeTest {
  private static final String SCHEMA = "id bigint, text string";
  private static final List<String> NAMES =
      List.of("a.json", "b c.json", "d%20e.json", "f[1].json", "g{x}.json", "h+i.json", "ä*.json");

  @TempDir private static Path directory;
  private static SparkSession spark;
  private static RecordedStream stream;

  @BeforeAll
  static void runStream() throws Exception {
    spark = LocalSpark.open("tests", DemoScene.SESSION);
    spark.conf().set("spark.sql.streaming.fileSource.log.compactInterval", "3");
    Files.createDirectories(input());
    for (int i = 0; i < NAMES.size(); i++) {
      Path file = Files.writeString(input().resolve(NAMES.get(i)), row(i) + row(i + 100));
      Files.setLastModifiedTime(file, FileTime.from(time(i)));
    }
    stream =
        RecordedStream.run(
            spark
                .readStream()
                .schema(SCHEMA)
                .option("maxFilesPerTrigger", 1)
                .json(input().toString()),
            directory.resolve("chk"),
            new RecordedStream(List.of(), List.of(), null));
  }

  @AfterAll
  static void restoreSettings() {
    spark.conf().unset("spark.sql.streaming.fileSource.log.compactInterval");
  }

  private static Path input() {
    return directory.resolve("in");
  }

  private static String row(int id) {
    return "{\"id\":" + id + ",\"text\":\"row " + id + "\"}\n";
  }

  private static Instant time(int file) {
    return Instant.parse("2026-03-27T10:00:00Z").plusSeconds(60L * file);
  }

  @Test
  @Order(1)
  void rangesOfTheLogAreWhatTheStreamRead() {
    assertThat(stream.last()).isEqualTo(NAMES.size() - 1);
    assertThat(directory.resolve("chk/sources/0/2.compact")).exists();
    for (int through = 0; through <= stream.last(); through++) {
      for (int after = -1; after <= through; after++) {
        JsonNode from = after < 0 ? null : place(after);
        SourceRead read = Sources.open(spark, spec(log(), null, from, place(through)));
        assertThat(RecordedStream.text(read.rows()))
            .as("after %d through %d", after, through)
            .isEqualTo(stream.between(after, through));
      }
    }
  }

  @Test
  @Order(2)
  void rangesOfTimeAreOpenAtTheBeginning() {
    SourceRead read = Sources.open(spark, spec(null, null, modified(time(1)), modified(time(3))));
    assertThat(read.files()).hasValue(2);
    assertThat(read.rows().select("id").collectAsList())
        .extracting(row -> row.getLong(0))
        .containsExactlyInAnyOrder(2L, 102L, 3L, 103L);
  }

  @Test
  @Order(3)
  void filesThatTheLogDoesNotListAreTheGap() throws IOException {
    Files.writeString(input().resolve("new [2].json"), row(500));
    SourceRead read = Sources.open(spark, spec(null, log(), null, null));
    assertThat(RecordedStream.text(read.rows())).containsExactly(row(500).strip());
    Files.delete(input().resolve("new [2].json"));
    assertThat(Sources.open(spark, spec(null, log(), null, null)).rows().count()).isZero();
  }

  @Test
  @Order(4)
  void filesThatChangedOrAreGoneAreRefused() throws IOException {
    Path file = input().resolve(NAMES.get(4));
    Files.setLastModifiedTime(file, FileTime.from(time(100)));
    assertRefused(FindingCode.FILE_CHANGED_IN_PLACE, place(3), place(4));
    Files.delete(file);
    assertRefused(FindingCode.SOURCE_NOT_FOUND, place(3), place(4));
    assertThat(Sources.open(spark, spec(log(), null, place(4), place(5))).rows().count())
        .isEqualTo(2);
  }

  @Test
  @Order(5)
  void logsWithoutAnEntryAreRefused() throws IOException {
    Files.delete(directory.resolve("chk/sources/0/6"));
    assertInvalid(spec(log(), null, place(3), place(6)), "the log ends with 5");
    Files.delete(directory.resolve("chk/sources/0/5.compact"));
    Files.writeString(directory.resolve("chk/sources/0/7"), "v1\n");
    assertRefused(FindingCode.SOURCE_LOG_INCOMPLETE, place(3), place(7));
    assertInvalid(spec(input().toString(), null, null, null), "no file source's log");
    assertInvalid(spec(null, null, place(1), null), "needs log");
    assertInvalid(spec(log(), null, modified(time(1)), null), "logOffset");
  }

  @Test
  @Order(6)
  void directoriesAreColumnsAndHiddenFilesAreLeftOutAsByAStream() throws Exception {
    Path days = directory.resolve("days ä");
    for (String file :
        List.of(
            "day=1/a.json",
            "day=2/b.json",
            "_part=1/day=3/c.json",
            "_tmp/d.json",
            "day=1/.e.json",
            "day=1/f.json._COPYING_")) {
      Files.createDirectories(days.resolve(file).getParent());
      Files.writeString(days.resolve(file), row(file.charAt(file.length() - 6)));
    }
    Files.delete(days.resolve("_part=1/day=3/c.json"));
    String schema = SCHEMA + ", day int";
    RecordedStream read =
        RecordedStream.run(
            spark.readStream().schema(schema).json(days.toString()),
            directory.resolve("chk-days"),
            new RecordedStream(List.of(), List.of(), null));
    String log = directory.resolve("chk-days/sources/0").toString();
    for (String byLog : new String[] {log, null}) {
      SourceSpec spec = SourceSpec.files("s", days.toString(), "json").schema(schema).log(byLog);
      assertThat(RecordedStream.text(Sources.open(spark, spec).rows()))
          .as("by the log: %s", byLog != null)
          .isEqualTo(read.between(-1, read.last()))
          .hasSize(2)
          .allMatch(row -> row.contains("\"day\":"));
    }
  }

  private static String log() {
    return directory.resolve("chk/sources/0").toString();
  }

  private static JsonNode place(long logOffset) {
    return JsonNodeFactory.instance.objectNode().put("logOffset", logOffset);
  }

  private static JsonNode modified(Instant time) {
    return JsonNodeFactory.instance.objectNode().put("modified", time.toString());
  }

  private static SourceSpec spec(String log, String notIn, JsonNode from, JsonNode to) {
    return SourceSpec.files("s", input().toString(), "json")
        .schema(SCHEMA)
        .log(log)
        .notIn(notIn)
        .from(from)
        .to(to);
  }

  private static void assertRefused(FindingCode code, JsonNode from, JsonNode to) {
    assertThatThrownBy(() -> Sources.open(spark, spec(log(), null, from, to)))
        .isInstanceOfSatisfying(
            JobRefusedException.class,
            refused -> assertThat(refused.finding().code()).isEqualTo(code));
  }

  private static void assertInvalid(SourceSpec spec, String part) {
    assertThatThrownBy(() -> Sources.open(spark, spec))
        .isInstanceOf(InvalidJobSpecException.class)
        .hasMessageContaining(part);
  }
}
