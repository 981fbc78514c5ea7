package org.streammigrator.migration;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.databricks.sdk.service.jobs.RunResultState;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.streammigrator.cli.Cli;
import org.streammigrator.cli.CliContext;
import org.streammigrator.databricks.PassingTime;
import org.streammigrator.databricks.SimulatedRun;
import org.streammigrator.databricks.Volumes;
import org.streammigrator.databricks.VolumesServer;
import org.streammigrator.databricks.WorkspaceServer;
import org.streammigrator.storage.StorageSettings;
import org.streammigrator.storage.Stores;

/** A running query moves from a volume of one workspace to a volume of another one, and back. */
@Timeout(60)
class JobsVolumesTest {
  private static final String OLD = VolumesServer.VOLUME + "/orders";
  private static final String NEW = "/Volumes/prod/ops/chk/orders";

  @TempDir private Path directory;
  private final PassingTime time = new PassingTime();
  private String printed = "";

  private void runs(int exit, String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream both = new PrintStream(out, true, UTF_8);
    CliContext context =
        new CliContext(
                directory,
                name -> Optional.of(VolumesServer.TOKEN).filter(token -> name.equals("TOKEN")),
                new Stores(
                    StorageSettings.NONE, Map.of("dbfs", new Volumes(name -> Optional.empty()))),
                time,
                () -> new UUID(1, 2),
                () -> {
                  throw new AssertionError("no Spark job was to be run");
                })
            .withWaits(time);
    int code = Cli.run(List.of(arguments), both, both, context);
    printed = out.toString(UTF_8);
    assertThat(code).as(printed).isEqualTo(exit);
  }

  private static Optional<RunResultState> batch(WorkspaceServer server, SimulatedRun run) {
    if (run.requests() % 2 == 0) {
      String checkpoint = run.settings().at("/parameters/0/default").asText();
      long last =
          server.volumes().names(checkpoint + "/offsets").stream()
              .filter(name -> name.matches("[0-9]+"))
              .mapToLong(Long::parseLong)
              .max()
              .orElse(-1);
      write(server, checkpoint, last + 1);
    }
    return Optional.empty();
  }

  private static void write(WorkspaceServer server, String checkpoint, long batch) {
    server
        .volumes()
        .put(
            checkpoint + "/offsets/" + batch,
            "v1\n{\"batchWatermarkMs\":0,\"batchTimestampMs\":1,\"conf\":{}}\n{\"t\":{\"0\":"
                + 10 * (batch + 1)
                + "}}");
    server.volumes().put(checkpoint + "/commits/" + batch, "v1\n{\"nextBatchWatermarkMs\":0}");
  }

  @Test
  void movesBetweenTheVolumesOfTwoWorkspaces() throws IOException {
    try (WorkspaceServer old = new WorkspaceServer();
        WorkspaceServer next = new WorkspaceServer("/Volumes/prod/ops/chk")) {
      old.volumes().put(OLD + "/metadata", "{\"id\":\"11111111-2222-4333-8444-555555555555\"}");
      for (int batch = 0; batch < 3; batch++) {
        write(old, OLD, batch);
      }
      String job =
          "{\"name\":\"orders\",\"continuous\":{\"pause_status\":\"%s\"},\"parameters\":"
              + "[{\"name\":\"checkpoint\",\"default\":\"%s\"}]}";
      long oldJob = old.addJob(job.formatted("UNPAUSED", OLD));
      long newJob = next.addJob(job.formatted("PAUSED", "/Volumes/prod/ops/chk/none"));
      var oldSettings = old.settings(oldJob);
      var newSettings = next.settings(newJob);
      old.query(oldJob, run -> batch(old, run));
      next.query(newJob, run -> batch(next, run));
      old.startRun(oldJob);
      Files.writeString(
          directory.resolve("plan.yaml"),
          """
          version: 1
          name: orders
          workspaces:
            old: {host: "%s", token: "${env:TOKEN}"}
            new: {host: "%s", token: "${env:TOKEN}"}
          storage:
            "/Volumes/main/ops/chk": {databricks.workspace: old}
            "/Volumes/prod/ops/chk": {databricks.workspace: new}
          streams:
            - strategy: relocate
              checkpoint: {from: %s, to: %s}
              job: {workspace: old, name: orders, stop: cancel}
              cutover: {workspace: new, name: orders, parameter: checkpoint, start: true}
          """
              .formatted(old.host(), next.host(), OLD, NEW));

      runs(0, "apply", "plan.yaml");

      assertThat(old.activeRuns(oldJob)).isEmpty();
      assertThat(next.activeRuns(newJob)).hasSize(1);
      assertThat(next.settings(newJob).at("/parameters/0/default").asText()).isEqualTo(NEW);
      List<String> stopped = old.volumes().names(OLD + "/offsets");
      long last = stopped.stream().mapToLong(Long::parseLong).max().orElseThrow();
      assertThat(next.volumes().text(NEW + "/offsets/" + last))
          .isEqualTo(old.volumes().text(OLD + "/offsets/" + last))
          .isNotNull();
      assertThat(next.volumes().text(NEW + "/commits/" + (last + 1))).isNotNull();

      runs(3, "rollback", "plan.yaml");
      runs(0, "rollback", "plan.yaml", "--accept", "NEW_BATCHES_LOST");
      assertThat(next.volumes().names(NEW)).isEmpty();
      assertThat(old.settings(oldJob)).isEqualTo(oldSettings);
      assertThat(next.settings(newJob)).isEqualTo(newSettings);
      assertThat(printed).doesNotContain(VolumesServer.TOKEN);
    }
  }
}
