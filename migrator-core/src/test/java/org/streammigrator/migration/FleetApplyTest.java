package org.streammigrator.migration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.streammigrator.storage.FaultStore;
import org.streammigrator.storage.LocalStore;

/** Many streams in one plan: several at a time, in waves, each alone with its failure. */
class FleetApplyTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final Path FIXTURES = Path.of("../src-test-fixtures/checkpoints");
  private static final List<String> KINDS =
      List.of("rate", "rate-micro-batch", "delta-version-boundary", "files-json");

  @TempDir private Path directory;

  private String printed;

  @Test
  void threeOfTwoHundredFailAloneAndTheRerunIsOfTheseOnly() throws IOException {
    List<String> names = checkpoints(200);
    List<String> broken = List.of(names.get(7), names.get(100), names.get(199));
    for (String name : broken) {
      Files.move(chk(name).resolve("metadata"), directory.resolve(name + ".metadata"));
    }
    template("{parallelism: 4}");
    Map<String, String> old = Trees.bytesAndTimes(directory.resolve("chk"));

    assertThat(run("apply", "plan.yaml", "-o", "json")).as(tail()).isEqualTo(5);
    JsonNode result = result();
    assertThat(result.path("exitCode").asInt()).isEqualTo(5);
    assertThat(result.path("summary").path("streams").asInt()).isEqualTo(200);
    assertThat(result.path("summary").path("outcomes").path("done").asInt()).isEqualTo(197);
    assertThat(result.path("summary").path("outcomes").path("refused").asInt()).isEqualTo(3);
    assertThat(result.path("streams"))
        .as("in the order of the plan")
        .extracting(stream -> stream.path("name").asText())
        .containsExactlyElementsOf(names);
    assertThat(ended("refused")).containsExactlyElementsOf(broken);
    long files = 0;
    long bytes = 0;
    for (Map.Entry<String, String> file : written().entrySet()) {
      files++;
      bytes += Files.size(directory.resolve("new").resolve(file.getKey()));
    }
    assertThat(result.path("summary").path("files").asLong()).isEqualTo(files);
    assertThat(result.path("summary").path("bytes").asLong()).isEqualTo(bytes);
    for (String name : names) {
      assertThat(Files.exists(directory.resolve("new").resolve(name)))
          .as(name)
          .isEqualTo(!broken.contains(name));
    }
    assertThat(Trees.bytesAndTimes(directory.resolve("chk"))).isEqualTo(old);
    assertThat(eventsOf(names.get(0)))
        .as("each line says whose it is, and the order within a stream is kept")
        .containsExactly(
            "step-started write",
            "step-done write",
            "step-started verify",
            "step-done verify",
            "step-started publish",
            "step-done publish");

    Map<String, String> before = Trees.bytesAndTimes(directory.resolve("new"));
    for (String name : broken) {
      Files.move(directory.resolve(name + ".metadata"), chk(name).resolve("metadata"));
    }
    assertThat(run("apply", "plan.yaml")).as(tail()).isZero();
    assertThat(printed)
        .contains("p: 200 of 200 streams are migrated\n  3 done, 197 unchanged; ")
        .doesNotContain(names.get(0) + "  write");
    assertThat(printed.lines().filter(line -> line.contains("  write: "))).hasSize(3);
    Map<String, String> after = new TreeMap<>(Trees.bytesAndTimes(directory.resolve("new")));
    after.keySet().removeIf(path -> broken.stream().anyMatch(path::contains));
    assertThat(after).isEqualTo(before);
    assertThat(run("status", "plan.yaml")).isZero();
    assertThat(printed.lines().filter(line -> line.contains("  done"))).hasSize(200);
  }

  @Test
  void aFleetThatWasKilledEndsInTheSameBytes() throws IOException {
    List<String> names = checkpoints(24);
    template("{parallelism: 4}");
    assertThat(run("apply", "plan.yaml")).as(tail()).isZero();
    final Map<String, String> reference = written();
    assertThat(run("rollback", "plan.yaml")).as(tail()).isZero();
    assertThat(written()).isEmpty();
    FaultStore counting = FaultStore.counting(new LocalStore());
    assertThat(run(counting, "apply", "plan.yaml")).isZero();
    int calls = counting.calls();
    assertThat(run("rollback", "plan.yaml")).isZero();

    for (int part = 1; part <= 7; part++) {
      FaultStore dying =
          FaultStore.crashingAt(calls * part / 8, FaultStore.Fault.BEFORE, new LocalStore());
      assertThat(run(dying, "apply", "plan.yaml")).as(tail()).isEqualTo(5);
      assertThat(dying.crashed()).isTrue();
      for (String name : names) {
        Path target = directory.resolve("new").resolve(name);
        assertThat(!Files.exists(target) || Files.exists(target.resolve("metadata")))
            .as("%s is whole or not there", name)
            .isTrue();
      }
      assertThat(run("apply", "plan.yaml")).as("after %d/8: %s", part, tail()).isZero();
      assertThat(written()).isEqualTo(reference);
      assertThat(run("rollback", "plan.yaml")).as(tail()).isZero();
    }
  }

  @Test
  void severalAtATimeWriteWhatOneAfterTheOtherDoes() throws IOException {
    checkpoints(12);
    template("{parallelism: 1}");
    assertThat(run("apply", "plan.yaml", "-o", "json")).as(tail()).isZero();
    final JsonNode one = result();
    final Map<String, String> reference = written();
    assertThat(run("rollback", "plan.yaml")).isZero();
    template("{parallelism: 8}");
    assertThat(run("apply", "plan.yaml", "-o", "json")).as(tail()).isZero();
    assertThat(result()).isEqualTo(one);
    assertThat(written()).isEqualTo(reference);
    List<JsonNode> journal = journal();
    assertThat(journal).hasSizeGreaterThan(12 * 5);
    Map<String, List<String>> ofStreams = new HashMap<>();
    journal.forEach(
        entry ->
            ofStreams
                .computeIfAbsent(entry.path("stream").asText(), name -> new ArrayList<>())
                .add(entry.path("event").asText()));
    assertThat(ofStreams).hasSize(12);
    assertThat(new ArrayList<>(ofStreams.values()).stream().distinct())
        .as("the same events in the same order for each stream")
        .hasSize(1);
  }

  @Test
  void wavesComeOneAfterTheOtherAndCanBeAppliedOneByOne() throws IOException {
    checkpoints(4);
    streams("{parallelism: 4}", "s000, after: [s003]", "s001", "s002, after: [s000, s001]", "s003");
    assertThat(run("apply", "plan.yaml", "--wave", "2")).as(printed).isEqualTo(7);
    assertThat(printed).contains("s000  waiting: it waits for s003").doesNotContain("s001");
    assertThat(directory.resolve("new")).doesNotExist();
    assertThat(run("apply", "plan.yaml", "--wave", "1")).as(printed).isZero();
    assertThat(printed).contains("p: 2 of 2");
    assertThat(directory.resolve("new/s000")).doesNotExist();
    assertThat(run("apply", "plan.yaml", "--wave", "4")).isEqualTo(2);
    assertThat(printed).contains("the plan has the waves 1 to 3");
    assertThat(run("apply", "plan.yaml", "--wave", "1", "--stream", "s000")).isEqualTo(2);
    assertThat(run("apply", "plan.yaml")).as(printed).isZero();

    List<String> order = new ArrayList<>();
    for (JsonNode entry : journal()) {
      if (entry.path("event").asText().equals("finished")) {
        order.add(entry.path("stream").asText());
      }
    }
    assertThat(order.subList(0, 2)).containsExactlyInAnyOrder("s001", "s003");
    assertThat(order.subList(2, 4)).containsExactly("s000", "s002");
  }

  @Test
  void aFailureStopsWhatHasNotBegunWhereThePlanSaysSo() throws IOException {
    checkpoints(4);
    Files.delete(chk("s000").resolve("metadata"));
    streams("{parallelism: 1, onFailure: stop}", "s000", "s001", "s002", "s003, after: s000");
    assertThat(run("apply", "plan.yaml")).as(printed).isEqualTo(3);
    assertThat(printed)
        .contains("0 of 4 streams are migrated\n  1 refused, 3 waiting; 0 files, 0 bytes written")
        .contains("  refused: s000\n  waiting: s001, s002, s003\n")
        .contains("s003  waiting: it waits for s000, which is not done");
    assertThat(directory.resolve("new")).doesNotExist();

    streams("{parallelism: 1}", "s000", "s001", "s002", "s003, after: s000");
    assertThat(run("apply", "plan.yaml")).as(printed).isEqualTo(5);
    assertThat(printed).contains("2 done, 1 refused, 1 waiting");
  }

  @Test
  void streamsOfOneOldCheckpointComeOneAfterTheOther() throws IOException {
    checkpoints(1);
    StringBuilder plan = new StringBuilder("version: 1\nname: p\nrun: {parallelism: 8}\n");
    plan.append("defaults: {archive: {to: archives}}\nstreams:\n");
    for (int i = 0; i < 8; i++) {
      plan.append("  - {name: a%d, strategy: relocate, ".formatted(i));
      plan.append("checkpoint: {from: chk/s000, to: new/a%d}}\n".formatted(i));
    }
    Files.writeString(directory.resolve("plan.yaml"), plan);
    assertThat(run("apply", "plan.yaml")).as(printed).isZero();
    assertThat(printed).contains("8 of 8");
    try (var archives = Files.list(directory.resolve("archives"))) {
      assertThat(archives).hasSize(1);
    }
  }

  private List<String> checkpoints(int number) throws IOException {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      String name = String.format(Locale.ROOT, "s%03d", i);
      Trees.copy(
          FIXTURES.resolve(KINDS.get(i % KINDS.size())).resolve("checkpoint"),
          Files.createDirectories(chk(name)));
      names.add(name);
    }
    return names;
  }

  private Path chk(String name) {
    return directory.resolve("chk").resolve(name);
  }

  private void template(String run) throws IOException {
    Files.writeString(
        directory.resolve("plan.yaml"),
        """
        version: 1
        name: p
        run: %s
        streams:
          - foreach: {glob: chk/*}
            strategy: relocate
            checkpoint: {from: "${path}", to: "new/${name}"}
        """
            .formatted(run));
  }

  private void streams(String run, String... streams) throws IOException {
    StringBuilder plan = new StringBuilder("version: 1\nname: p\nrun: " + run + "\nstreams:\n");
    for (String stream : streams) {
      String name = stream.substring(0, 4);
      plan.append("  - {name: ").append(stream).append(", strategy: relocate, checkpoint: {from: ");
      plan.append("chk/" + name + ", to: new/" + name + "}}\n");
    }
    Files.writeString(directory.resolve("plan.yaml"), plan);
  }

  /** Files of new checkpoints; their manifests are beside them. */
  private Map<String, String> written() throws IOException {
    if (!Files.exists(directory.resolve("new"))) {
      return Map.of();
    }
    Map<String, String> files = new TreeMap<>(Trees.bytesAndTimes(directory.resolve("new")));
    files.keySet().removeIf(path -> path.endsWith("-manifest.json"));
    assertThat(files.keySet()).noneMatch(path -> path.contains(".migrator-"));
    return files;
  }

  private List<JsonNode> journal() throws IOException {
    List<JsonNode> entries = new ArrayList<>();
    try (var files = Files.list(directory.resolve("p.journal"))) {
      for (Path file : files.sorted().toList()) {
        entries.add(MAPPER.readTree(file.toFile()));
      }
    }
    return entries.stream()
        .skip(
            1
                + entries.stream()
                    .map(entry -> entry.path("event").asText())
                    .toList()
                    .lastIndexOf("rolled-back"))
        .toList();
  }

  /** Every line is one whole event. */
  private List<JsonNode> events() throws IOException {
    List<JsonNode> events = new ArrayList<>();
    for (String line : printed.lines().toList()) {
      JsonNode event = MAPPER.readTree(line);
      assertThat(event.path("event").isTextual()).as(line).isTrue();
      events.add(event);
    }
    return events;
  }

  private JsonNode result() throws IOException {
    List<JsonNode> events = events();
    return events.get(events.size() - 1);
  }

  private List<String> ended(String status) throws IOException {
    List<String> names = new ArrayList<>();
    for (JsonNode stream : result().path("streams")) {
      if (stream.path("status").asText().equals(status)) {
        names.add(stream.path("name").asText());
      }
    }
    return names;
  }

  private List<String> eventsOf(String stream) throws IOException {
    return events().stream()
        .filter(event -> event.path("stream").asText().equals(stream))
        .filter(event -> event.path("event").asText().startsWith("step-"))
        .map(
            event ->
                event.path("event").asText()
                    + " "
                    + event.path("kind").asText(event.path("step").path("kind").asText()))
        .toList();
  }

  private String tail() {
    return printed.substring(Math.max(0, printed.length() - 1500));
  }

  private int run(String... arguments) {
    return run(new LocalStore(), arguments);
  }

  private int run(org.streammigrator.storage.Store store, String... arguments) {
    Console console = new Console(directory);
    int exit = console.run(store, arguments);
    printed = console.printed();
    return exit;
  }
}
