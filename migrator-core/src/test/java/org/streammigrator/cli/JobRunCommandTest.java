package org.streammigrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.streammigrator.job.SparkJvm;
import org.streammigrator.storage.LocalStore;

/** {@code job run} with a spark-submit that writes down how it was called. */
class JobRunCommandTest {
  private static final String RESULT =
      "{\"schema\":\"migrator/job-result/1\",\"job\":\"copy\",\"ok\":true}";

  @TempDir Path directory;
  private Path home;
  private String before;

  private record Outcome(int exit, String out, String err) {}

  @BeforeEach
  void installSpark() throws IOException {
    home = Files.createDirectories(directory.resolve("spark home"));
    Files.createDirectories(home.resolve("bin"));
    Files.createDirectories(home.resolve("jars"));
    for (String jar : List.of("spark-core_2.13-4.0.0.jar", "jackson-databind-2.15.jar")) {
      Files.createFile(home.resolve("jars").resolve(jar));
    }
    before = System.getProperty(SparkJvm.CLASS_PATH);
    System.setProperty(
        SparkJvm.CLASS_PATH,
        "/m/migrator-jobs-0.1.0.jar:/m/org/apache/spark/spark-core_2.13-4.1.0.jar"
            + ":/m/migrator-core-0.1.0.jar:/m/jackson-databind-2.20.1.jar:/m/zstd-jni-1.5.jar");
  }

  @AfterEach
  void restore() {
    if (before == null) {
      System.clearProperty(SparkJvm.CLASS_PATH);
    } else {
      System.setProperty(SparkJvm.CLASS_PATH, before);
    }
  }

  @Test
  void sparkSubmitGetsTheJobAndWhatItLacks() throws IOException {
    submit("echo '" + RESULT + "'");
    Outcome outcome =
        run(
            """
            {"kind":"spark-submit","sparkHome":"%s","master":"yarn","memory":"6g",
             "arguments":["--queue","night shift"],"conf":{"spark.b":"2","spark.a":"1 1"}}
            """
                .formatted(home),
            Map.of());
    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.exit()).isZero();
    List<String> called = Files.readAllLines(home.resolve("called"));
    assertThat(called.subList(0, called.size() - 2))
        .containsExactly(
            "--class",
            "org.streammigrator.jobs.JobMain",
            "--name",
            "migrator",
            "--master",
            "yarn",
            "--driver-memory",
            "6g",
            "--conf",
            "spark.a=1 1",
            "--conf",
            "spark.b=2",
            "--queue",
            "night shift",
            "--jars",
            "/m/migrator-core-0.1.0.jar,/m/zstd-jni-1.5.jar",
            "/m/migrator-jobs-0.1.0.jar");
    assertThat(called.get(called.size() - 2)).endsWith("/spec.json");
    assertThat(called).endsWith("--progress");
    assertThat(Files.readString(home.resolve("spec")))
        .startsWith("{\"schema\":\"migrator/job/1\",\"job\":\"copy\",\"from\":\"/a\"")
        .doesNotContain("runner");
    assertThat(outcome.out()).contains("\"ok\" : true");
  }

  @Test
  void sparkSubmitIsFoundBySparkHomeOrOnThePath() throws IOException {
    submit("echo 'INFO noise'; echo '" + RESULT + "'; echo 'noise' >&2");
    for (Map<String, String> environment :
        List.of(
            Map.of("SPARK_HOME", home.toString()),
            Map.of("PATH", directory + ":" + home.resolve("bin")))) {
      Files.deleteIfExists(home.resolve("called"));
      Outcome outcome = run("\"spark-submit\"", environment, "-o", "json");
      assertThat(outcome.exit()).as(outcome.err()).isZero();
      assertThat(outcome.out()).isEqualTo(RESULT + "\n");
      assertThat(outcome.err()).isEmpty();
      assertThat(home.resolve("called")).exists();
    }
    Outcome missing = run("\"spark-submit\"", Map.of("PATH", directory.toString()));
    assertThat(missing.exit()).isEqualTo(2);
    assertThat(missing.err()).contains("spark-submit is not found").contains("SPARK_HOME");
    Outcome wrong = run("\"spark-submit\"", Map.of("SPARK_HOME", "/none"));
    assertThat(wrong.exit()).isEqualTo(2);
    assertThat(wrong.err()).contains("there is no /none/bin/spark-submit");
  }

  @Test
  void exitCodesAndMessagesOfTheJobArePassedOn() throws IOException {
    Map<String, String> environment = Map.of("SPARK_HOME", home.toString());
    submit("echo 'refused: no' >&2; echo '" + RESULT.replace("true", "false") + "'; exit 3");
    Outcome refused = run("\"spark-submit\"", environment, "-o", "json");
    assertThat(refused.exit()).isEqualTo(3);
    assertThat(refused.err()).isEqualTo("migrator: refused: no\n");
    assertThat(refused.out()).contains("\"ok\":false");

    submit("echo 'Killed' >&2; exit 137");
    Outcome killed = run("\"spark-submit\"", environment);
    assertThat(killed.exit()).isEqualTo(5);
    assertThat(killed.err()).contains("Killed").contains("exit code 137; run it again");
    assertThat(killed.out()).isEmpty();

    submit("exit 0");
    Outcome silent = run("\"spark-submit\"", environment);
    assertThat(silent.exit()).isZero();
    assertThat(silent.err()).contains("gave no result on its stdout");
  }

  @Test
  void progressOfTheJobIsShownAndNotTakenForMessages() throws IOException {
    String event =
        "{\"event\":\"progress\",\"phase\":\"copy\",\"files\":%d,\"filesTotal\":9,\"bytes\":10,"
            + "\"bytesTotal\":90,\"retries\":0}";
    submit(
        "echo '"
            + event.formatted(4)
            + "' >&2; sleep 1; echo '"
            + event.formatted(5)
            + "' >&2; echo 'it broke' >&2; exit 1");
    Outcome outcome =
        run("\"spark-submit\"", Map.of("SPARK_HOME", home.toString()), new Terminal(true, 100));
    assertThat(outcome.exit()).isEqualTo(1);
    assertThat(outcome.err())
        .startsWith("\r\u001b[Kcopy  11% [")
        .contains("10 B of 90 B, 4 of 9 files")
        .contains("\r\u001b[Kmigrator: it broke\n")
        .doesNotContain("\"event\"");
  }

  @Test
  void placesThatCannotBeAreToldBeforeSparkIsStarted() throws IOException {
    Map<String, String> wrong =
        Map.of(
            "\"from\":\"/a\",\"to\":\"/a/b\"", "TARGET_INSIDE_SOURCE",
            "\"from\":\"/a/b\",\"to\":\"/a\"", "TARGET_INSIDE_SOURCE",
            "\"from\":\"/a\",\"to\":\"file:///a/\"", "SAME_LOCATION",
            "\"from\":\"none\",\"to\":\"copy\"", directory + "/none does not exist");
    for (Map.Entry<String, String> places : wrong.entrySet()) {
      Path spec =
          Files.writeString(
              directory.resolve("copy.json"),
              "{\"schema\":\"migrator/job/1\",\"job\":\"copy\"," + places.getKey() + "}");
      Outcome outcome = run(spec, Map.of(), Terminal.NONE);
      assertThat(outcome.exit()).as(outcome.err()).isEqualTo(2);
      assertThat(outcome.err()).contains("copy.json: ", places.getValue());
    }
  }

  @Test
  void databricksNeedsAVolumeAndAWorkspace() throws IOException {
    Outcome outcome = run("\"databricks\"", Map.of());
    assertThat(outcome.exit()).isEqualTo(2);
    assertThat(outcome.err()).contains("runner.volume is missing", "runner.cluster is missing");
  }

  @Test
  void invalidSpecsAreToldWhole() throws IOException {
    Path spec =
        Files.writeString(directory.resolve("spec.json"), "{\"job\":\"copy\",\"too\":\"/b\"}");
    Outcome outcome = run(spec, Map.of(), Terminal.NONE);
    assertThat(outcome.exit()).isEqualTo(2);
    assertThat(outcome.err().lines())
        .hasSize(5)
        .first()
        .isEqualTo("migrator: invalid job spec " + spec + ":");
    Outcome missing = run(directory.resolve("none.json"), Map.of(), Terminal.NONE);
    assertThat(missing.exit()).isEqualTo(2);
    assertThat(missing.err()).contains("none.json cannot be read");
  }

  private void submit(String body) throws IOException {
    Path script = home.resolve("bin/spark-submit");
    Files.deleteIfExists(script);
    Files.writeString(
        script,
        """
        #!/bin/sh
        printf '%%s\\n' "$@" > '%1$s/called'
        for word in "$@"; do case "$word" in */spec.json) cat "$word" > '%1$s/spec';; esac; done
        %2$s
        """
            .formatted(home, body));
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private Outcome run(String runner, Map<String, String> environment, String... options)
      throws IOException {
    return run(spec(runner), environment, Terminal.NONE, options);
  }

  private Outcome run(String runner, Map<String, String> environment, Terminal terminal)
      throws IOException {
    return run(spec(runner), environment, terminal);
  }

  private Path spec(String runner) throws IOException {
    return Files.writeString(
        directory.resolve("copy.json"),
        "{\"schema\":\"migrator/job/1\",\"job\":\"copy\",\"from\":\"/a\",\"to\":\"/b\",\"runner\":"
            + runner
            + "}");
  }

  private Outcome run(
      Path spec, Map<String, String> environment, Terminal terminal, String... options) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    List<String> arguments = new ArrayList<>(List.of("job", "run", spec.toString()));
    arguments.addAll(List.of(options));
    int exit =
        Cli.run(
            arguments,
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            new CliContext(
                directory,
                name -> Optional.ofNullable(environment.get(name)),
                new LocalStore(),
                Clock.systemUTC(),
                UUID::randomUUID,
                () -> {
                  throw new AssertionError("no job is run this way");
                },
                terminal));
    return new Outcome(
        exit, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }
}
