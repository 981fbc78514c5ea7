package org.streammigrator.cases;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.streammigrator.checkpoint.source.FilesOffset;
import org.streammigrator.checkpoint.source.PartitionedOffset;
import org.streammigrator.checkpoint.source.SourceKind;
import org.streammigrator.checkpoint.source.SourceOffset;
import org.streammigrator.checkpoint.source.SourceOffsets;
import org.streammigrator.facts.FileSinks;
import org.streammigrator.storage.LocalStore;
import org.streammigrator.storage.Location;

/**
 * Reads the checkpoints that Spark keeps for its own tests, from 2.1 to 4.2. {@code
 * spark-checkpoints/expected.json} says what is in them, written from the files: {@code path} names
 * a checkpoint; {@code tree} puts one together from single files, or from a text after {@code =};
 * {@code findings} are all that {@code inspect} may have but for {@link #NOT_COMPARED}.
 */
class SparkCheckpointsTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** What the text of a memory source's offset is, and that the tests run below a tmp directory. */
  private static final Set<String> NOT_COMPARED =
      Set.of("SOURCE_UNKNOWN", "SOURCE_TYPE_AMBIGUOUS", "TEMPORARY_LOCATION");

  @TempDir private static Path unpacked;
  @TempDir private Path assembled;

  @BeforeAll
  static void unpack() throws IOException {
    SparkCheckpoints.unpack(unpacked);
  }

  static List<Named<JsonNode>> expectations() throws IOException {
    List<Named<JsonNode>> expectations = new ArrayList<>();
    Path file = Path.of("src/test/resources/spark-checkpoints/expected.json");
    for (JsonNode one : MAPPER.readTree(Files.readString(file))) {
      expectations.add(Named.of(one.path("path").asText(one.path("name").asText()), one));
    }
    return expectations;
  }

  @ParameterizedTest
  @MethodSource("expectations")
  void isReadAsItStands(JsonNode expected) throws IOException {
    Path checkpoint = place(expected);
    CommandRun inspect = CommandRun.of(unpacked, args("inspect", checkpoint));
    assertThat(inspect.exit()).as(inspect.err()).isEqualTo(expected.path("exit").asInt(0));
    JsonNode json = MAPPER.readTree(inspect.out());
    assertThat(JsonSubset.differences(expected.get("inspect"), json)).isEmpty();
    assertThat(findings(json)).as(inspect.out()).isEqualTo(texts(expected.get("findings")));
    if (expected.has("resume")) {
      CommandRun resume = CommandRun.of(unpacked, args("resume", checkpoint));
      assertThat(resume.exit()).as(resume.out()).isEqualTo(expected.get("resumeExit").asInt());
      assertThat(JsonSubset.differences(expected.get("resume"), MAPPER.readTree(resume.out())))
          .isEmpty();
    }
  }

  private static List<String> args(String command, Path checkpoint) {
    return List.of(command, checkpoint.toString(), "-o", "json");
  }

  private Path place(JsonNode expected) throws IOException {
    if (expected.has("path")) {
      return unpacked.resolve(expected.get("path").asText());
    }
    for (Map.Entry<String, JsonNode> entry : expected.get("tree").properties()) {
      Path file = assembled.resolve(entry.getKey());
      Files.createDirectories(file.getParent());
      String from = entry.getValue().asText();
      if (from.startsWith("=")) {
        Files.writeString(file, from.substring(1));
      } else {
        Files.copy(unpacked.resolve(from), file);
      }
    }
    return assembled;
  }

  private static Set<String> findings(JsonNode inspection) {
    Set<String> found = new TreeSet<>();
    for (JsonNode finding : inspection.get("findings")) {
      if (!NOT_COMPARED.contains(finding.get("code").asText())) {
        found.add(finding.get("code").asText() + ":" + finding.get("severity").asText());
      }
    }
    return found;
  }

  private static Set<String> texts(JsonNode array) {
    Set<String> texts = new TreeSet<>();
    array.forEach(text -> texts.add(text.asText()));
    return texts;
  }

  @Test
  void everyCheckpointOfSparkIsExpected() throws IOException {
    Set<String> expected = new TreeSet<>();
    expectations().forEach(one -> expected.add(one.getPayload().path("path").asText()));
    try (Stream<Path> walk = Files.walk(unpacked)) {
      assertThat(
              walk.filter(path -> Files.isDirectory(path.resolve("offsets")))
                  .map(path -> unpacked.relativize(path).toString()))
          .hasSize(40)
          .allMatch(expected::contains);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"json", "long"})
  void fileSourceOffsetsOfSpark21(String form) throws IOException {
    Path file = unpacked.resolve("file-source-offset-version-2.1.0-" + form + ".txt");
    assertThat(decode(file, SourceKind.FILES)).isEqualTo(new FilesOffset(345));
  }

  @Test
  void kafkaSourceOffsetOfSpark21() throws IOException {
    SourceOffset offset =
        decode(unpacked.resolve("kafka/kafka-source-offset-version-2.1.0.txt"), SourceKind.KAFKA);
    assertThat(offset).isInstanceOf(PartitionedOffset.class);
    assertThat(((PartitionedOffset) offset).next())
        .isEqualTo(Map.of("topic1", Map.of(0, 456L, 1, 789L), "topic2", Map.of(0, 0L)));
  }

  private static SourceOffset decode(Path file, SourceKind told) throws IOException {
    return SourceOffsets.decode(Files.readString(file).strip(), Optional.of(told));
  }

  @Test
  void fileSinkLogOfSpark21() throws IOException {
    Path log = assembled.resolve("_spark_metadata");
    Files.createDirectories(log);
    for (String name : List.of("7.compact", "8", "9")) {
      Files.copy(unpacked.resolve("file-sink-log-version-2.1.0").resolve(name), log.resolve(name));
    }
    assertThat(new FileSinks(new LocalStore()).lastBatch(Location.of(assembled)))
        .isEqualTo(OptionalLong.of(9));
  }
}
