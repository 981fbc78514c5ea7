package org.streammigrator.migration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.streammigrator.cases.CommandRun;

/** What a dry run promises of damaged or doubtful checkpoints: never more than what was proved. */
class PlanLabelTest {
  private static final String DELTA_SINK = "sink: {delta: sink}";

  @TempDir private Path directory;

  @Test
  void anEmptyNewestPlanIsNotRelocatedAsIfItCouldRun() throws IOException {
    fixture("delta-pending-not-in-sink");
    Files.writeString(directory.resolve("checkpoint/offsets/2"), "");

    JsonNode stream = plan("relocate", DELTA_SINK, 3);

    assertThat(errors(stream)).contains("OFFSETS_EMPTY");
  }

  @Test
  void aTruncatedNewestPlanIsNotRelocatedAsIfItCouldRun() throws IOException {
    fixture("delta-pending-in-sink");
    Path newest = directory.resolve("checkpoint/offsets/2");
    Files.writeString(newest, Files.readString(newest).substring(0, 40));

    JsonNode stream = plan("relocate", DELTA_SINK, 3);

    assertThat(errors(stream)).contains("OFFSETS_CORRUPT");
  }

  private void fixture(String name) throws IOException {
    Trees.copy(Path.of("../src-test-fixtures/checkpoints").resolve(name), directory);
  }

  /** The only stream of a plan that moves the fixture. */
  private JsonNode plan(String strategy, String lines, int exit) throws IOException {
    Files.writeString(
        directory.resolve("plan.yaml"),
        "version: 1\nname: p\nstreams:\n  - name: s\n    strategy: "
            + strategy
            + "\n    checkpoint: {from: checkpoint, to: new}\n"
            + lines.indent(4));
    CommandRun run = CommandRun.of(directory, List.of("plan", "plan.yaml", "-o", "json"));
    assertThat(run.exit()).as(run.out() + run.err()).isEqualTo(exit);
    return new ObjectMapper().readTree(run.out()).path("streams").get(0);
  }

  private static List<String> errors(JsonNode stream) {
    List<String> codes = new ArrayList<>();
    for (JsonNode finding : stream.path("findings")) {
      if (finding.path("severity").asText().equals("error")) {
        codes.add(finding.path("code").asText());
      }
    }
    return codes;
  }
}
