package org.streammigrator.migration;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.databricks.sdk.service.jobs.RunResultState;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.streammigrator.cli.Cli;
import org.streammigrator.cli.CliContext;
import org.streammigrator.databricks.PassingTime;
import org.streammigrator.databricks.SimulatedRun;
import org.streammigrator.databricks.VolumesServer;
import org.streammigrator.databricks.WorkspaceServer;
import org.streammigrator.storage.LocalStore;
import org.streammigrator.storage.Store;

/**
 * Two workspaces, a query that runs in the old one, and a plan that moves it to the new one. The
 * runs of both jobs really write batches into the checkpoint that they are told.
 */
final class JobsHome implements AutoCloseable {
  static final String OLD_JOB =
      "{'name':'orders','continuous':{'pause_status':'UNPAUSED','task_retry_mode':'NEVER'},"
          + "'parameters':[{'name':'checkpoint','default':'OLD'}],"
          + "'tasks':[{'task_key':'stream','notebook_task':{'notebook_path':'/n'}}]}";
  static final String NEW_JOB =
      "{'name':'orders new','schedule':{'quartz_cron_expression':'0 0 * * * ?',"
          + "'timezone_id':'UTC','pause_status':'PAUSED'},'tags':{'team':'x'},"
          + "'parameters':[{'name':'a','default':'1'},{'name':'checkpoint','default':'/nowhere'}],"
          + "'tasks':[{'task_key':'stream','notebook_task':{'notebook_path':'/n'}}]}";
  static final String STOP = "job: {workspace: old, id: ID, stop: cancel, settle: 10s}";
  static final String CUTOVER =
      "cutover: {workspace: new, name: orders new, parameter: checkpoint, start: true}";

  final Path directory;
  final WorkspaceServer old = new WorkspaceServer();
  final WorkspaceServer next = new WorkspaceServer();
  final PassingTime time = new PassingTime();
  final long oldJob;
  final long newJob;
  private String printed = "";

  JobsHome(Path directory) throws IOException {
    this.directory = directory;
    oldJob = old.addJob(json(OLD_JOB.replace("OLD", directory.resolve("v1").toString())));
    newJob = next.addJob(json(NEW_JOB));
    old.query(oldJob, JobsHome::batch);
    next.query(newJob, JobsHome::batch);
    write("v1/metadata", "{\"id\":\"11111111-2222-4333-8444-555555555555\"}");
    for (int batch = 0; batch < 3; batch++) {
      writeBatch(directory.resolve("v1"), batch);
    }
  }

  static String json(String text) {
    return text.replace('\'', '"');
  }

  /** A query that commits a batch every other request. */
  static Optional<RunResultState> batch(SimulatedRun run) throws IOException {
    if (run.requests() % 2 == 0) {
      Path checkpoint = checkpoint(run.settings());
      writeBatch(checkpoint, newest(checkpoint.resolve("offsets")) + 1);
    }
    return Optional.empty();
  }

  /** A query that has something to do once. */
  static Optional<RunResultState> once(SimulatedRun run) throws IOException {
    batch(run);
    return run.requests() >= 4 ? Optional.of(RunResultState.SUCCESS) : Optional.empty();
  }

  static Path checkpoint(ObjectNode settings) {
    for (var parameter : settings.path("parameters")) {
      if (parameter.path("name").asText().equals("checkpoint")) {
        return Path.of(parameter.path("default").asText().replaceFirst("^file:", ""));
      }
    }
    throw new AssertionError("the job has no parameter checkpoint");
  }

  static long newest(Path log) throws IOException {
    try (Stream<Path> files = Files.list(log)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.matches("[0-9]+"))
          .mapToLong(Long::parseLong)
          .max()
          .orElse(-1);
    }
  }

  static void writeBatch(Path checkpoint, long batch) throws IOException {
    Files.createDirectories(checkpoint.resolve("offsets"));
    Files.createDirectories(checkpoint.resolve("commits"));
    Files.writeString(
        checkpoint.resolve("offsets/" + batch),
        "v1\n{\"batchWatermarkMs\":0,\"batchTimestampMs\":1,\"conf\":{}}\n{\"t\":{\"0\":"
            + 10 * (batch + 1)
            + "}}");
    Files.writeString(checkpoint.resolve("commits/" + batch), "v1\n{\"nextBatchWatermarkMs\":0}");
  }

  /** Writes the plan; {@code ID} stands for the old job's id. */
  void plan(String job, String cutover) throws IOException {
    write(
        "plan.yaml",
        "version: 1\nname: orders\nworkspaces:\n  old: {host: \""
            + old.host()
            + "\", token: \"${env:OLD_TOKEN}\"}\n  new: {host: \""
            + next.host()
            + "\", token: \"${env:NEW_TOKEN}\"}\nstreams:\n  - strategy: relocate\n"
            + "    checkpoint: {from: v1, to: v2}\n    "
            + job.replace("ID", Long.toString(oldJob))
            + "\n    "
            + cutover
            + "\n");
  }

  private void write(String name, String text) throws IOException {
    Path file = directory.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  int run(String... arguments) {
    return run(new LocalStore(), arguments);
  }

  int run(Store store, String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream both = new PrintStream(out, true, UTF_8);
    AtomicLong ids = new AtomicLong();
    CliContext context =
        new CliContext(
                directory,
                name ->
                    name.equals("WRONG_TOKEN")
                        ? Optional.of("dapiSTRANGER")
                        : name.endsWith("_TOKEN")
                            ? Optional.of(VolumesServer.TOKEN)
                            : Optional.empty(),
                store,
                time,
                () -> new UUID(0x4000L, ids.incrementAndGet()),
                () -> {
                  throw new AssertionError("no Spark job was to be run");
                })
            .withWaits(time);
    int exit;
    try {
      exit = Cli.run(List.of(arguments), both, both, context);
    } finally {
      printed = out.toString(UTF_8);
    }
    return exit;
  }

  String printed() {
    return printed;
  }

  /** The same in one line, as it was before it was wrapped. */
  String said() {
    return printed.replaceAll("\\n(v1)?\\s+", " ");
  }

  /** Every file of a checkpoint that is not of a batch after the given one, with its text. */
  Map<String, String> upTo(String checkpoint, long batch) throws IOException {
    Map<String, String> files = new TreeMap<>();
    Path root = directory.resolve(checkpoint);
    if (!Files.exists(root)) {
      return files;
    }
    try (Stream<Path> all = Files.walk(root)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        String name = file.getFileName().toString();
        if (!name.matches("[0-9]+") || Long.parseLong(name) <= batch) {
          files.put(root.relativize(file).toString(), Files.readString(file));
        }
      }
    }
    return files;
  }

  /** The requests of a workspace that change something. */
  static List<String> changes(WorkspaceServer server) {
    return server.requests().stream().filter(line -> line.startsWith("POST")).toList();
  }

  /** Lets every request fail from the given one on, counted from now over both workspaces. */
  void breakFrom(int request, boolean afterwards) {
    AtomicLong left = new AtomicLong(request);
    for (WorkspaceServer server : Arrays.asList(old, next)) {
      server.breakIf(
          () -> {
            long now = left.decrementAndGet();
            return now > 0 ? 0 : now == 0 && afterwards ? 1 : 2;
          });
    }
  }

  void mend() {
    old.breakIf(() -> 0);
    next.breakIf(() -> 0);
  }

  int requests() {
    return old.requests().size() + next.requests().size();
  }

  List<String> events() throws IOException {
    List<String> events = new ArrayList<>();
    Path journal = directory.resolve("orders.journal");
    try (Stream<Path> files = Files.list(journal)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".json")).sorted().toList()) {
        events.add(Files.readString(file).replaceAll(".*\"event\":\"([a-z-]+)\".*", "$1"));
      }
    }
    return events;
  }

  @Override
  public void close() {
    old.close();
    next.close();
  }
}
