package org.streammigrator.migration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.streammigrator.facts.DeltaTables;
import org.streammigrator.storage.LocalStore;
import org.streammigrator.storage.Location;

/** A stream that reads what another one writes comes after it. */
class FleetOrderTest {
  private static final Path FIXTURE =
      Path.of("../src-test-fixtures/checkpoints/delta-version-boundary");
  private static final String READER = "11111111-2222-4333-8444-555555555555";

  @TempDir private Path directory;

  private String printed;

  /** The fixture's query reads raw and writes bronze; a second one reads bronze. */
  @BeforeEach
  void build() throws IOException {
    Trees.copy(FIXTURE.resolve("source"), Files.createDirectories(directory.resolve("lake/raw")));
    Trees.copy(FIXTURE.resolve("sink"), Files.createDirectories(directory.resolve("lake/bronze")));
    Trees.copy(FIXTURE.resolve("checkpoint"), Files.createDirectories(chk("writer")));
    Trees.copy(FIXTURE.resolve("checkpoint"), Files.createDirectories(chk("a_reader")));
    Files.writeString(chk("a_reader").resolve("metadata"), "{\"id\":\"" + READER + "\"}");
    String raw = tableId("lake/raw");
    String bronze = tableId("lake/bronze");
    try (Stream<Path> offsets = Files.list(chk("a_reader").resolve("offsets"))) {
      for (Path file : offsets.toList()) {
        if (file.getFileName().toString().endsWith(".crc")) {
          Files.delete(file);
        } else {
          Files.writeString(file, Files.readString(file).replace(raw, bronze));
        }
      }
    }
    Files.deleteIfExists(chk("a_reader").resolve(".metadata.crc"));
  }

  @Test
  void discoverWritesTheOrderAndWhy() throws IOException {
    assertThat(run("discover", ".", "--write-plan", "fleet.yaml", "--to", "new")).isZero();
    assertThat(Files.readString(directory.resolve("fleet.yaml")))
        .containsSubsequence(
            "name: \"chk.a_reader\"",
            "# it reads the table file:" + directory + "/lake/bronze after chk.writer, which",
            "    after: [\"chk.writer\"]\n",
            "name: \"chk.writer\"")
        .containsOnlyOnce("after:");
    assertThat(run("validate", "fleet.yaml")).as(printed).isZero();
    assertThat(run("plan", "fleet.yaml", "-o", "json")).as(printed).isZero();
    assertThat(new ObjectMapper().readTree(printed).path("streams"))
        .extracting(stream -> stream.path("name").asText())
        .containsExactly("chk.writer", "chk.a_reader");
  }

  @Test
  void aCycleIsToldAndLeftOpen() throws IOException {
    Path log = directory.resolve("lake/raw/_delta_log");
    long next;
    try (Stream<Path> files = Files.list(log)) {
      next = files.filter(file -> file.toString().matches(".*/[0-9]{20}\\.json")).count();
    }
    Files.writeString(
        log.resolve("%020d.json".formatted(next)),
        "{\"commitInfo\":{\"timestamp\":1,\"operation\":\"STREAMING UPDATE\"}}\n"
            + "{\"txn\":{\"appId\":\"%s\",\"version\":0,\"lastUpdated\":1}}\n".formatted(READER));

    assertThat(run("discover", ".", "--write-plan", "fleet.yaml", "--to", "new")).isZero();
    assertThat(Files.readString(directory.resolve("fleet.yaml")))
        .contains("/lake/raw, which is written by chk.a_reader, which waits for this one already")
        .containsOnlyOnce("after:");
  }

  @Test
  void planWarnsOfAnOrderAgainstTheTables() throws IOException {
    String sink = "sink: {delta: lake/bronze}";
    plan("after: [reader], " + sink, "conf: {}");
    assertThat(warnings()).as("by the table's id").containsExactly("writer");
    plan("after: [reader], " + sink, "sources: [{delta: lake/bronze}]");
    assertThat(warnings()).as("by the place").containsExactly("writer");
    plan("after: [between], " + sink, "sources: [{delta: lake/bronze}]");
    assertThat(warnings()).as("through another stream").containsExactly("writer");
    plan(sink, "after: [writer]");
    assertThat(warnings()).isEmpty();
    plan(sink, "conf: {}");
    assertThat(warnings()).as("no order at all").isEmpty();
  }

  private List<String> warnings() throws IOException {
    run("plan", "plan.yaml", "-o", "json");
    return new ObjectMapper()
        .readTree(printed).path("streams").findParents("findings").stream()
            .filter(
                one -> one.path("findings").findValuesAsText("code").contains("ORDER_AGAINST_DATA"))
            .map(stream -> stream.path("name").asText())
            .filter(name -> !name.isEmpty())
            .toList();
  }

  private void plan(String writer, String reader) throws IOException {
    String between =
        writer.contains("between")
            ? "  - {name: between, strategy: relocate, after: [reader],"
                + " checkpoint: {from: chk/writer, to: new/between}}\n"
            : "";
    Files.writeString(
        directory.resolve("plan.yaml"),
        """
        version: 1
        name: p
        streams:
          - {name: writer, strategy: relocate, checkpoint: {from: chk/writer, to: new/w}, %s}
          - {name: reader, strategy: relocate, checkpoint: {from: chk/a_reader, to: new/r}, %s}
        %s"""
            .formatted(writer, reader, between));
  }

  private Path chk(String name) {
    return directory.resolve("chk").resolve(name);
  }

  private String tableId(String table) throws IOException {
    return new DeltaTables(new LocalStore())
        .read(Location.of(directory.resolve(table)))
        .tableId()
        .orElseThrow();
  }

  private int run(String... arguments) {
    Console console = new Console(directory);
    int exit = console.run(arguments);
    printed = console.printed();
    return exit;
  }
}
