package org.streammigrator.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.streammigrator.copy.Copies;
import org.streammigrator.job.BackfillResult;
import org.streammigrator.job.BackfillSpec;
import org.streammigrator.job.CopyResult;
import org.streammigrator.job.CopySpec;
import org.streammigrator.job.DedupResult;
import org.streammigrator.job.DedupSpec;
import org.streammigrator.job.JobJson;
import org.streammigrator.job.JobProcess;
import org.streammigrator.job.JobSpec;
import org.streammigrator.job.RunnerSpec;
import org.streammigrator.job.SourceSpec;
import org.streammigrator.job.SparkJvm;
import org.streammigrator.job.SparkSubmitLauncher;
import org.streammigrator.jobs.demo.DemoScene;
import org.streammigrator.jobs.session.LocalSpark;
import org.streammigrator.storage.LocalStore;
import org.streammigrator.storage.Location;

/**
 * Jobs through Spark's own SparkSubmit: the installation has Spark's jars only, and is sent the
 * others.
 */
@Tag("spark")
class SparkSubmitTest {
  private static final Path REAL =
      Path.of("../src-test-fixtures/checkpoints/window-rocksdb/checkpoint");

  /** One worker with one processor and 500 MB. */
  private static final String CLUSTER = "local-cluster[1,1,500]";

  @TempDir(factory = MemoryDirectory.class)
  Path directory;

  @Test
  void copiesACheckpoint() throws IOException {
    List<String> progress = new ArrayList<>();

    JobProcess.Ended ended =
        submit(
            "local[2,4]",
            CopySpec.of(REAL.toAbsolutePath().normalize().toString(), "to"),
            line -> line.startsWith("{\"event\"") && progress.add(line));

    assertThat(ended.exit()).as(String.join("\n", ended.errors())).isZero();
    CopyResult result =
        JobJson.readResult(ended.result().orElseThrow(), CopySpec.JOB, CopyResult.class);
    assertThat(result.status()).isEqualTo("done");
    assertThat(result.tasks()).isPositive();
    Location copy = Location.parse(directory.resolve("to").toString(), Path.of("/"));
    assertThat(Copies.verify(new LocalStore(), copy).damage()).isEmpty();
    assertThat(progress).anyMatch(line -> line.contains("\"phase\":\"copy\""));
    assertThat(Files.readString(directory.resolve("spark/called")))
        .contains("--jars")
        .contains("snakeyaml")
        .doesNotContain("spark-core");
  }

  /** On a standalone cluster, whose executor is a JVM of its own that is sent the jars. */
  @Test
  @EnabledIfSystemProperty(
      named = "soak",
      matches = "[0-9]+",
      disabledReason = "starts a cluster twice, a minute of two processors; run by -Psoak")
  void computesAndRemovesOnACluster() throws IOException {
    SparkSession spark = LocalSpark.open("tests", DemoScene.SESSION);
    String orders = directory.resolve("orders").toString();
    String gold = directory.resolve("gold").toString();
    for (int commit = 0; commit < 2; commit++) {
      spark.range(0, 10, 1, 1).write().format("delta").mode("append").save(orders);
    }
    BackfillSpec backfill =
        new BackfillSpec(
            List.of(SourceSpec.delta("orders", orders)),
            "select id % 5 as k, sum(id) as total from orders group by 1",
            null,
            null,
            new BackfillSpec.Sink(gold, List.of("k"), null, null, null, null, true, null),
            null,
            null,
            null,
            null,
            null);
    JobProcess.Ended computed = submit(CLUSTER, backfill, line -> false);
    assertThat(computed.exit()).as(String.join("\n", computed.errors())).isZero();
    assertThat(
            JobJson.readResult(
                    computed.result().orElseThrow(), BackfillSpec.JOB, BackfillResult.class)
                .inserted())
        .isEqualTo(5);
    assertThat(spark.sql("select * from delta.`%s` order by k".formatted(gold)).collectAsList())
        .hasToString("[[0,10], [1,14], [2,18], [3,22], [4,26]]");

    DedupSpec dedup =
        new DedupSpec(orders, List.of("id"), null, null, null, null, null, null, null, null);
    JobProcess.Ended removed = submit(CLUSTER, dedup, line -> false);
    assertThat(removed.exit()).as(String.join("\n", removed.errors())).isZero();
    assertThat(
            JobJson.readResult(removed.result().orElseThrow(), DedupSpec.JOB, DedupResult.class)
                .rowsRemoved())
        .isEqualTo(10);
    assertThat(
            spark
                .sql("select count(*), count(distinct id) from delta.`%s`".formatted(orders))
                .collectAsList())
        .hasToString("[[10,10]]");
  }

  private JobProcess.Ended submit(String master, JobSpec spec, Predicate<String> taken)
      throws IOException {
    List<String> own = new ArrayList<>();
    Path home = install(own);
    RunnerSpec runner =
        new RunnerSpec(
            RunnerSpec.SPARK_SUBMIT,
            master,
            home.toString(),
            null,
            "700m",
            List.of("--conf", "spark.ui.enabled=false"),
            Map.of(
                "spark.driver.host", "127.0.0.1",
                "spark.driver.bindAddress", "127.0.0.1",
                "spark.executor.memory", "500m",
                "spark.executor.extraJavaOptions", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
                "spark.sql.shuffle.partitions", "2",
                "spark.sql.codegen.wholeStage", "false",
                "spark.sql.codegen.factoryMode", "NO_CODEGEN",
                "spark.sql.adaptive.enabled", "false",
                "spark.databricks.delta.snapshotPartitions", "2"));
    SparkSubmitLauncher launcher =
        SparkSubmitLauncher.find(runner, String.join(":", own), name -> Optional.empty());
    return new JobProcess(launcher, directory).run(spec, taken);
  }

  /**
   * Makes an installation with the jars of this class path's Spark by name; tells what is not part
   * of it.
   */
  private Path install(List<String> own) throws IOException {
    Path home = directory.resolve("spark");
    boolean isThere = Files.exists(home);
    Files.createDirectories(home.resolve("bin"));
    Path jars = Files.createDirectories(home.resolve("jars"));
    String classPath =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    List<String> spark = new ArrayList<>();
    for (String entry : classPath.split(":")) {
      Path path = Path.of(entry);
      if (Files.isDirectory(path) && path.endsWith("target/classes")) {
        boolean jobs = Files.exists(path.resolve("org/streammigrator/jobs"));
        Path jar = directory.resolve(jobs ? "migrator-jobs-1.jar" : "migrator-core-1.jar");
        pack(path, jar);
        own.add(jobs ? 0 : own.size(), jar.toString());
      } else if (path.getFileName().toString().matches("migrator-.*\\.jar")) {
        own.add(entry);
      } else if (entry.matches(".*/(software/amazon|org/yaml|info/picocli|io/delta)/.*\\.jar")) {
        own.add(entry);
      } else if (entry.endsWith(".jar")) {
        if (!isThere) {
          Files.createSymbolicLink(jars.resolve(path.getFileName()), path.toAbsolutePath());
        }
        spark.add(entry);
      }
    }
    Files.writeString(home.resolve("classpath"), "-cp " + String.join(":", spark));
    Path submit = home.resolve("bin/spark-submit");
    Files.writeString(
        submit,
        """
        #!/bin/sh
        printf '%%s\\n' "$@" > '%1$s/called'
        export SPARK_HOME='%1$s' SPARK_SCALA_VERSION=2.13
        exec '%2$s/bin/java' %3$s -Xmx700m -XX:TieredStopAtLevel=1 '@%1$s/classpath' org.apache.spark.deploy.SparkSubmit "$@"
        """
            .formatted(home, System.getProperty("java.home"), options()));
    Files.setPosixFilePermissions(submit, PosixFilePermissions.fromString("rwxr-xr-x"));
    return home;
  }

  private static String options() {
    try (var in = SparkJvm.class.getResourceAsStream("spark-jvm.options")) {
      return new String(in.readAllBytes()).strip().replaceAll("\\s+", " ");
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
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
