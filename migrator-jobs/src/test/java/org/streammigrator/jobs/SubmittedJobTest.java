package org.streammigrator.jobs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.streammigrator.cli.Cli;
import org.streammigrator.cli.CliContext;
import org.streammigrator.databricks.Volumes;
import org.streammigrator.databricks.VolumesServer;
import org.streammigrator.databricks.WorkspaceServer;
import org.streammigrator.job.SparkJvm;
import org.streammigrator.jobs.demo.DemoScene;
import org.streammigrator.jobs.session.LocalSpark;
import org.streammigrator.storage.LocalStore;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;

/** A job that is submitted to a workspace, whose cluster is a real process with Spark in it. */
@Tag("spark")
class SubmittedJobTest {
  @TempDir private Path directory;

  @Test
  void removesDuplicatesOnACluster() throws IOException {
    SparkSession spark = LocalSpark.open("tests", DemoScene.SESSION);
    Path table = directory.resolve("orders");
    for (int commit = 0; commit < 2; commit++) {
      spark.range(0, 10, 1, 1).write().format("delta").mode("append").save(table.toString());
    }
    List<String> own = new ArrayList<>();
    List<String> runtime = runtime(own);
    try (WorkspaceServer server = new WorkspaceServer()) {
      Store volume =
          new Volumes(name -> Optional.empty())
              .make(Location.parse(VolumesServer.VOLUME, Path.of("/")), server.settings());
      server.execute(new LocalCluster(volume, directory.resolve("mount"), runtime));

      JsonNode result = run(server, table, String.join(File.pathSeparator, own));

      assertThat(result.path("status").asText()).isEqualTo("done");
      assertThat(result.path("rowsRemoved").asLong()).isEqualTo(10);
      assertThat(server.runs().get(0).settings().at("/tasks/0/libraries"))
          .as("the jobs and this program, and nothing that the runtime has")
          .hasSize(2);
    }
    assertThat(
            spark
                .sql("select count(*), count(distinct id) from delta.`%s`".formatted(table))
                .collectAsList())
        .hasToString("[[10,10]]");
  }

  private JsonNode run(WorkspaceServer server, Path table, String classPath) throws IOException {
    Files.writeString(
        directory.resolve("workspaces.yaml"),
        "workspaces:\n  ops: {host: \"%s\", token: \"${env:OPS_TOKEN}\"}\nstorage: {}\n"
            .formatted(server.host()));
    Files.writeString(
        directory.resolve("dedup.json"),
        """
        {"schema":"migrator/job/1","job":"dedup","table":"%s","keys":["id"],
         "runner":{"kind":"databricks","workspace":"ops","volume":"%s/migrator",
          "sparkVersion":"17.3.x-scala2.13","nodeType":"m5d.large"}}
        """
            .formatted(table, VolumesServer.VOLUME));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    String before = System.getProperty(SparkJvm.CLASS_PATH);
    System.setProperty(SparkJvm.CLASS_PATH, classPath);
    try {
      int exit =
          Cli.run(
              List.of("job", "run", "dedup.json", "--storage", "workspaces.yaml", "-o", "json"),
              new PrintStream(out, true, UTF_8),
              new PrintStream(err, true, UTF_8),
              new CliContext(
                  directory,
                  name ->
                      Optional.of(name).filter("OPS_TOKEN"::equals).map(n -> VolumesServer.TOKEN),
                  new LocalStore(),
                  Clock.systemUTC(),
                  UUID::randomUUID,
                  () -> {
                    throw new AssertionError("nothing runs here");
                  }));
      assertThat(exit).as(err.toString(UTF_8)).isZero();
    } finally {
      if (before == null) {
        System.clearProperty(SparkJvm.CLASS_PATH);
      } else {
        System.setProperty(SparkJvm.CLASS_PATH, before);
      }
    }
    return new ObjectMapper().readTree(out.toString(UTF_8));
  }

  /** What a cluster has; the jars of this program, which it has not, go into a list. */
  private List<String> runtime(List<String> own) throws IOException {
    List<String> runtime = new ArrayList<>();
    String classPath =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    for (String entry : classPath.split(File.pathSeparator)) {
      Path path = Path.of(entry);
      if (Files.isDirectory(path) && path.endsWith("target/classes")) {
        boolean jobs = Files.exists(path.resolve("org/streammigrator/jobs"));
        Path jar = directory.resolve(jobs ? "migrator-jobs-1.jar" : "migrator-core-1.jar");
        pack(path, jar);
        own.add(jobs ? 0 : own.size(), jar.toString());
      } else if (path.getFileName().toString().matches("migrator-.*\\.jar")) {
        own.add(entry);
      } else {
        runtime.add(entry);
      }
    }
    return runtime;
  }

  private static void pack(Path classes, Path jar) throws IOException {
    try (OutputStream out = Files.newOutputStream(jar);
        JarOutputStream packed = new JarOutputStream(out);
        Stream<Path> files = Files.walk(classes)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        packed.putNextEntry(new JarEntry(classes.relativize(file).toString()));
        Files.copy(file, packed);
      }
    }
  }
}
