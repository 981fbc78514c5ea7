package org.streammigrator.jobs.versions;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.tools.ToolProvider;
import org.streammigrator.job.SparkJvm;

/** A version of Spark on a class path of its own, whose process runs {@link VersionStreams}. */
enum SparkVersion {
  SPARK_3_5("3.5"),
  SPARK_4_0("4.0"),
  SPARK_4_1("4.1"),
  SPARK_4_2("4.2");

  private static final Path SOURCES = Path.of("src").toAbsolutePath();
  private static final List<String> COMPILED =
      List.of(
          "test/java/org/streammigrator/jobs/versions/VersionEvents.java",
          "test/java/org/streammigrator/jobs/versions/VersionStreams.java",
          "main/java/org/streammigrator/jobs/session/LocalSpark.java",
          "main/java/org/streammigrator/jobs/session/NioLocalFileSystem.java",
          "main/java/org/streammigrator/jobs/session/NioLocalFs.java",
          "main/java/org/streammigrator/jobs/session/NioRawLocalFileSystem.java");
  private static final int MINUTES = 30;

  private final String label;

  SparkVersion(String label) {
    this.label = label;
  }

  @Override
  public String toString() {
    return label;
  }

  /** Whether state may have checkpoint format 2 (Spark 4.0 and later). */
  boolean hasFormat2() {
    return this != SPARK_3_5;
  }

  /** Runs tasks; returns what became of each stream, by name. */
  Map<String, String> run(Path directory, List<String> tasks) throws Exception {
    Files.createDirectories(directory);
    Path file = Files.write(directory.resolve("tasks"), tasks);
    Path log = directory.resolve("log");
    List<String> options =
        new ArrayList<>(List.of("-Xmx1g", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(argument -> argument.startsWith("--add-opens"))
        .forEach(options::add);
    List<String> command =
        new SparkJvm(
                String.join(
                    File.pathSeparator,
                    compiled(directory).toString(),
                    SOURCES.resolve("main/resources").toString(),
                    classPath()),
                options)
            .command(
                directory.resolve("java.args"),
                VersionStreams.class.getName(),
                List.of(file.toString()));
    Process process =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try {
      assertThat(process.waitFor(MINUTES, TimeUnit.MINUTES)).as("%s ends in time", log).isTrue();
      assertThat(process.exitValue()).as("%s", log).isZero();
    } finally {
      process.destroyForcibly();
    }
    Map<String, String> results = new HashMap<>();
    for (String line : Files.readAllLines(directory.resolve("tasks.results"))) {
      results.put(line.substring(0, line.indexOf(' ')), line.substring(line.indexOf(' ') + 1));
    }
    return results;
  }

  private String classPath() throws IOException {
    return Files.readString(
            Path.of(System.getProperty("migrator.matrix"), label, "target", "spark.classpath"))
        .strip();
  }

  private Path compiled(Path directory) throws IOException {
    Path classes = Files.createDirectories(directory.resolve("classes"));
    List<String> words =
        new ArrayList<>(
            List.of(
                "--release",
                "17",
                "-proc:none",
                "-nowarn",
                "-cp",
                classPath(),
                "-d",
                classes.toString()));
    COMPILED.forEach(source -> words.add(SOURCES.resolve(source).toString()));
    int failed =
        ToolProvider.getSystemJavaCompiler().run(null, null, null, words.toArray(String[]::new));
    assertThat(failed).as("compiled for Spark %s", label).isZero();
    return classes;
  }
}
