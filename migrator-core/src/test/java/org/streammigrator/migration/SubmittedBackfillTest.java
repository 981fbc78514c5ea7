package org.streammigrator.migration;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.streammigrator.cli.Cli;
import org.streammigrator.cli.CliContext;
import org.streammigrator.databricks.JarTask;
import org.streammigrator.databricks.PassingTime;
import org.streammigrator.databricks.Volumes;
import org.streammigrator.databricks.VolumesServer;
import org.streammigrator.databricks.WorkspaceServer;
import org.streammigrator.storage.Content;
import org.streammigrator.storage.LocalStore;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;

/** The jobs of a plan as runs in a workspace that the plan names. */
@Timeout(60)
class SubmittedBackfillTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Path FIXTURES = Path.of("../src-test-fixtures/demo");

  @TempDir private Path directory;
  private WorkspaceServer server;
  private Store volume;
  private String printed = "";

  @BeforeEach
  void begin() throws IOException {
    server = new WorkspaceServer();
    volume =
        new Volumes(name -> Optional.empty())
            .make(Location.parse(VolumesServer.VOLUME, Path.of("/")), server.settings());
    Trees.copy(FIXTURES.resolve("checkpoints/orders_5min_v1"), directory.resolve("v1"));
    Trees.copy(FIXTURES.resolve("lake/gold/orders_5min"), directory.resolve("gold"));
    Trees.copy(FIXTURES.resolve("lake/raw/orders"), directory.resolve("orders"));
    Files.write(directory.resolve("jobs.jar"), new byte[] {'P', 'K', 3, 4});
    Files.writeString(
        directory.resolve("plan.yaml"),
        """
        version: 1
        name: windows
        workspaces: {ops: {host: "%s", token: "${env:OPS_TOKEN}"}}
        streams:
          - name: windows
            strategy: backfill
            checkpoint: {from: v1, to: v2}
            sources: [{delta: orders, eventTime: event_time, name: orders}]
            sink: {delta: gold, keys: [window_start, product]}
            backfill: {window: {column: window_start, size: 5m}, sql: "select * from orders"}
            runner:
              kind: databricks
              workspace: ops
              volume: %s/ops
              jar: jobs.jar
              sparkVersion: 17.3.x-scala2.13
              nodeType: m5d.large
              workers: 2
        """
            .formatted(server.host(), VolumesServer.VOLUME));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private int run(String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream both = new PrintStream(out, true, UTF_8);
    int exit =
        Cli.run(
            List.of(arguments),
            both,
            both,
            new CliContext(
                    directory,
                    name ->
                        Optional.of(name)
                            .filter("OPS_TOKEN"::equals)
                            .map(token -> VolumesServer.TOKEN),
                    new LocalStore(),
                    Clock.systemUTC(),
                    UUID::randomUUID,
                    () -> {
                      throw new AssertionError("nothing runs here");
                    })
                .withWaits(new PassingTime()));
    printed = out.toString(UTF_8);
    return exit;
  }

  /** Answers as the job does that measures. */
  private void measure(JarTask.Submitted task) throws IOException {
    Location place = Location.parse(task.parameters().get(0), Path.of("/"));
    JsonNode spec = JSON.readTree(volume.readAll(place.child("spec.json")));
    assertThat(spec.path("dryRun").asBoolean()).isTrue();
    ObjectNode result = JSON.createObjectNode();
    result.put("schema", "migrator/job-result/1").put("job", "backfill").put("ok", true);
    result.put("dryRun", true).put("id", "measured").put("rowsRead", 300);
    ObjectNode source = result.putArray("sources").addObject();
    source.put("name", "orders").set("to", spec.at("/sources/0/to"));
    source.put("records", 300).put("newestEvent", "2026-03-27T10:11:57.213Z");
    source.putArray("beyond");
    result.putArray("chunks");
    result.put("versionBefore", 3).put("versionAfter", 3).put("durationMs", 5);
    ObjectNode outcome = JSON.createObjectNode();
    outcome.put("schema", "migrator/job-outcome/1").put("exit", 0);
    outcome.put("result", result.toString()).putArray("errors");
    volume.write(
        place.child("outcome.json"),
        Content.of((outcome + "\n").getBytes(UTF_8)),
        Optional.empty());
  }

  @Test
  void theBoundaryIsMeasuredByARunInTheWorkspace() {
    server.execute(this::measure);
    assertThat(run("plan", "plan.yaml")).as(printed).isZero();
    assertThat(printed)
        .contains("window.start >= timestamp '2026-03-27T10:15:00Z'")
        .contains("submitted run")
        .doesNotContain(VolumesServer.TOKEN);
    ObjectNode submitted = server.runs().get(0).settings();
    assertThat(submitted.at("/run_name").asText()).isEqualTo("migrator backfill");
    assertThat(submitted.at("/tasks/0/new_cluster/num_workers").asInt()).isEqualTo(2);
    assertThat(submitted.toString()).doesNotContain(VolumesServer.TOKEN);
    assertThat(run("plan", "plan.yaml")).isZero();
    assertThat(server.runs()).as("a measurement is taken anew").hasSize(2);
  }

  @Test
  void aRunThatFailsRefusesTheStreamWithWhatItsDriverSays() {
    server.execute(
        task -> {
          throw new IOException("java.lang.ClassNotFoundException: Orders");
        });
    assertThat(run("plan", "plan.yaml")).isEqualTo(3);
    assertThat(printed)
        .contains("UNREADABLE", "TERMINATED FAILED", "ClassNotFoundException: Orders")
        .contains(server.host() + "/?o=1#job/0/run/");
  }

  @Test
  void mistakesAreToldWithTheirLine() throws IOException {
    String plan = Files.readString(directory.resolve("plan.yaml"));
    Files.writeString(
        directory.resolve("plan.yaml"),
        plan.replace("nodeType: m5d.large", "timeout: soon")
            .replace("workspace: ops", "memory: 4g"));
    assertThat(run("validate", "plan.yaml")).isEqualTo(2);
    assertThat(printed)
        .contains("plan.yaml:13:7: ")
        .contains("runner.memory does nothing with databricks")
        .contains("runner.nodeType is missing")
        .contains("plan.yaml:17:7: ")
        .contains("runner.timeout is no length of time");
    Files.writeString(
        directory.resolve("plan.yaml"),
        plan.replace("workers: 2", "conf: {spark.key: \"${env:OPS_TOKEN}\"}"));
    assertThat(run("validate", "plan.yaml")).isEqualTo(2);
    assertThat(printed).contains("{{secrets/SCOPE/KEY}}").doesNotContain(VolumesServer.TOKEN);
    Files.writeString(
        directory.resolve("plan.yaml"), plan.replaceFirst("(?s)runner:.*", "runner: databricks\n"));
    assertThat(run("validate", "plan.yaml")).isEqualTo(2);
    assertThat(printed).contains("runner.volume is missing").contains("runner.cluster is missing");
  }
}
