package org.streammigrator.databricks;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import org.streammigrator.cli.Cli;
import org.streammigrator.cli.CliContext;
import org.streammigrator.storage.Content;
import org.streammigrator.storage.LocalStore;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;

/** A directory with a job spec, and a workspace whose clusters do with it what a test says. */
final class SubmittingHome implements AutoCloseable {
  static final String VOLUME = VolumesServer.VOLUME + "/ops";
  static final String DEDUP_RESULT =
      "{\"schema\":\"migrator/job-result/1\",\"job\":\"dedup\",\"ok\":true,\"status\":\"done\"}";
  private static final ObjectMapper JSON = new ObjectMapper();

  final WorkspaceServer server = new WorkspaceServer();
  final Store volume = VolumeStore.of(at(VOLUME), server.settings());
  final List<Duration> pauses = new CopyOnWriteArrayList<>();
  private final Path directory;
  private String out = "";
  private String err = "";

  SubmittingHome(Path directory) throws IOException {
    this.directory = directory;
    Files.write(directory.resolve("jobs.jar"), new byte[] {'P', 'K', 3, 4});
    Files.writeString(
        directory.resolve("workspaces.yaml"),
        "workspaces:\n  ops: {host: \""
            + server.host()
            + "\", token: \"${env:OPS_TOKEN}\"}\nstorage: {}\n");
  }

  static Location at(String path) {
    return Location.parse(path, Path.of("/"));
  }

  /** Writes a spec of the job dedup with such settings of its runner. */
  void dedup(String runner) throws IOException {
    spec("'job':'dedup','table':'/lake/orders','keys':['id']", runner);
  }

  /** Writes a spec; apostrophes stand for quotation marks. */
  void spec(String job, String runner) throws IOException {
    Files.writeString(
        directory.resolve("job.json"),
        ("{'schema':'migrator/job/1',"
                + job
                + ",'runner':{'kind':'databricks','workspace':'ops','volume':'"
                + VOLUME
                + "'"
                + runner
                + "}}")
            .replace('\'', '"'));
  }

  String jar() {
    return ",'jar':'" + directory.resolve("jobs.jar") + "'";
  }

  /** Runs the spec in this process; pauses are noted and short. */
  int run() {
    ByteArrayOutputStream results = new ByteArrayOutputStream();
    ByteArrayOutputStream messages = new ByteArrayOutputStream();
    Clock clock = Clock.systemUTC();
    CliContext context =
        new CliContext(
                directory,
                name ->
                    name.equals("OPS_TOKEN") ? Optional.of(VolumesServer.TOKEN) : Optional.empty(),
                new LocalStore(),
                clock,
                UUID::randomUUID,
                () -> {
                  throw new AssertionError("nothing runs here");
                })
            .withWaits(
                new Waits() {
                  @Override
                  public Instant now() {
                    return clock.instant();
                  }

                  @Override
                  public void pause(Duration duration) {
                    pauses.add(duration);
                    LockSupport.parkNanos(2_000_000);
                  }
                });
    int exit =
        Cli.run(
            arguments(),
            new PrintStream(results, true, UTF_8),
            new PrintStream(messages, true, UTF_8),
            context);
    out = results.toString(UTF_8);
    err = messages.toString(UTF_8);
    return exit;
  }

  private List<String> arguments() {
    return List.of(
        "job",
        "run",
        directory.resolve("job.json").toString(),
        "--storage",
        directory.resolve("workspaces.yaml").toString(),
        "-o",
        "json");
  }

  /** Starts the program as a process that runs the spec. */
  Process start() throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Cli.class.getName()));
    command.addAll(arguments());
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectOutput(directory.resolve("out").toFile())
            .redirectError(directory.resolve("err").toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("DATABRICKS_"));
    builder.environment().put("OPS_TOKEN", VolumesServer.TOKEN);
    return builder.start();
  }

  /** What a process has said so far. */
  String saidByProcess() throws IOException {
    return Files.readString(directory.resolve("err"));
  }

  String out() {
    return out;
  }

  String err() {
    return err;
  }

  /** What a task's main class does last. */
  void end(JarTask.Submitted task, int exit, String result, String... errors) throws IOException {
    ObjectNode outcome =
        JSON.createObjectNode().put("schema", "migrator/job-outcome/1").put("exit", exit);
    if (result != null) {
      outcome.put("result", result);
    }
    List.of(errors).forEach(outcome.withArray("errors")::add);
    write(task, "outcome.json", outcome + "\n");
  }

  /** Writes a file of a task's directory, over what is there. */
  void write(JarTask.Submitted task, String name, String content) throws IOException {
    Location place = at(task.parameters().get(0)).child(name);
    volume.delete(place);
    volume.write(place, Content.of(content.getBytes(UTF_8)), Optional.empty());
  }

  JsonNode spec(JarTask.Submitted task) throws IOException {
    return JSON.readTree(volume.readAll(at(task.parameters().get(0)).child("spec.json")));
  }

  /** All that lies in the volume, as text. */
  String everythingInTheVolume() throws IOException {
    StringBuilder all = new StringBuilder();
    for (StoreEntry entry : volume.walk(at(VOLUME))) {
      all.append(entry.location()).append('\n');
      if (!entry.isDirectory()) {
        all.append(new String(volume.readAll(entry.location()), UTF_8));
      }
    }
    return all.toString();
  }

  /** How many uploads there were of files whose paths hold a text. */
  long uploads(String part) {
    return server.volumes().requests().stream()
        .filter(line -> line.startsWith("PUT files/") && line.contains(part))
        .count();
  }

  @Override
  public void close() {
    server.close();
  }
}
