package org.streammigrator.cases;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs every directory of {@code cases/}: {@code tree.txt} describes what is on disk ({@link
 * TreeFile}) and {@code expected.json} holds runs of the program with what they have to give:
 * {@code args} ({@code ROOT} stands for the tree's root), {@code exit}, a subset of the printed
 * {@code json}, {@code findings} that have to be there ({@code CODE} or {@code CODE:severity}) and
 * those that must not ({@code absent}), texts in {@code out} and {@code err}, and texts that the
 * output is {@code without}.
 */
class CasesTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  @TempDir private Path root;

  static List<String> cases() throws IOException {
    try (Stream<Path> directories = Files.list(Path.of("src/test/resources/cases"))) {
      return directories.map(path -> path.getFileName().toString()).sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void holds(String name) throws IOException {
    Path directory = Path.of("src/test/resources/cases", name);
    TreeFile.expand(Files.readString(directory.resolve("tree.txt")), root);
    JsonNode runs = MAPPER.readTree(Files.readString(directory.resolve("expected.json")));
    assertThat(runs).isNotEmpty();
    for (JsonNode run : runs) {
      check(run);
    }
  }

  private void check(JsonNode run) throws IOException {
    List<String> args = new ArrayList<>();
    run.path("args").forEach(arg -> args.add(arg.asText().replace("ROOT", root.toString())));
    CommandRun result = CommandRun.of(root, args);
    String shown = args + " printed " + result.out() + result.err();
    assertThat(result.exit()).as(shown).isEqualTo(run.path("exit").asInt());
    if (args.contains("json") && !result.out().isEmpty()) {
      JsonNode json = MAPPER.readTree(result.out());
      if (run.has("json")) {
        JsonNode expected =
            MAPPER.readTree(run.get("json").toString().replace("ROOT", root.toString()));
        assertThat(JsonSubset.differences(expected, json)).as(shown).isEmpty();
      }
      for (JsonNode code : run.path("findings")) {
        assertThat(JsonSubset.findings(json)).as(shown).contains(code.asText());
      }
      for (JsonNode code : run.path("absent")) {
        assertThat(JsonSubset.findings(json)).as(shown).doesNotContain(code.asText());
      }
    } else {
      assertThat(run.has("json")).as(shown).isFalse();
    }
    for (JsonNode text : run.path("out")) {
      assertThat(result.out()).as(shown).contains(text.asText().replace("ROOT", root.toString()));
    }
    for (JsonNode text : run.path("without")) {
      assertThat(result.out()).as(shown).doesNotContain(text.asText());
    }
    for (JsonNode text : run.path("err")) {
      assertThat(result.err()).as(shown).contains(text.asText().replace("ROOT", root.toString()));
    }
  }
}
