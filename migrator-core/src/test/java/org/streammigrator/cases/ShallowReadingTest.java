package org.streammigrator.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.streammigrator.storage.FaultSample;

/**
 * Of every checkpoint of {@code cases/}, the search says what {@code inspect} says, although it
 * sees only a part of the files: all but what only the state tells. By default a sample of them,
 * all with the profile {@code faults}.
 */
class ShallowReadingTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** What {@code inspect} says of places, and of checkpoints below this one, which are listed. */
  private static final Set<String> NOT_OF_THE_LOGS =
      Set.of("TEMPORARY_LOCATION", "NESTED_CHECKPOINT", "UNREADABLE");

  @TempDir private Path root;

  static List<String> cases() throws IOException {
    return FaultSample.of(CasesTest.cases(), 80);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void agreesWithInspect(String name) throws IOException {
    Path directory = Path.of("src/test/resources/cases", name);
    TreeFile.expand(Files.readString(directory.resolve("tree.txt")), root);
    JsonNode inspected = run("inspect", "chk");
    assumeTrue(
        inspected.path("restartable").isBoolean()
            && !codes(inspected).contains("NOT_A_CHECKPOINT"));
    JsonNode found = run("discover", "chk").path("checkpoints").path(0);
    if (!found.path("relative").asText().equals(".")) {
      // Fewer signs than a search asks for: inspect was told that this is one.
      assertThat(inspected.at("/batches/lastPlanned").isNull()).as(name).isTrue();
      return;
    }

    assertThat(found.get("queryId")).isEqualTo(inspected.get("queryId"));
    assertThat(found.get("batches")).isEqualTo(inspected.get("batches"));
    assertThat(found.get("watermarkMs")).isEqualTo(inspected.get("watermarkMs"));
    for (int i = 0; i < inspected.get("sources").size(); i++) {
      JsonNode expected = inspected.get("sources").get(i);
      JsonNode source = found.get("sources").get(i);
      assertThat(source.get("type")).isEqualTo(expected.get("type"));
      assertThat(source.get("position")).isEqualTo(expected.get("committed"));
      assertThat(source.get("consumedThrough")).isEqualTo(expected.get("consumedThrough"));
    }
    assertThat(codes(found)).isEqualTo(codes(inspected));
    // State without any batch forbids a restart, and discover does not look into the state.
    boolean stateAlone =
        inspected.at("/batches/lastPlanned").isNull()
            && Files.exists(root.resolve("chk").resolve("state"));
    if (!stateAlone && codes(inspected).equals(allCodes(inspected))) {
      assertThat(found.get("restartable")).isEqualTo(inspected.get("restartable"));
    }
  }

  private JsonNode run(String command, String path) throws IOException {
    CommandRun run = CommandRun.of(root, List.of(command, path, "-o", "json"));
    return MAPPER.readTree(run.out().isEmpty() ? "{}" : run.out());
  }

  private static Set<String> codes(JsonNode result) {
    Set<String> codes = new TreeSet<>();
    for (JsonNode finding : result.path("findings")) {
      String code = finding.path("code").asText();
      boolean ofState =
          code.startsWith("STATE_") || finding.path("subject").asText().startsWith("state/");
      if (!ofState && !NOT_OF_THE_LOGS.contains(code)) {
        codes.add(code);
      }
    }
    return codes;
  }

  private static Set<String> allCodes(JsonNode result) {
    Set<String> codes = new TreeSet<>();
    for (JsonNode finding : result.path("findings")) {
      codes.add(finding.path("code").asText());
    }
    return codes;
  }
}
