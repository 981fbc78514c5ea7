package org.streammigrator.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.streammigrator.job.InvalidJobSpecException;
import org.streammigrator.job.JobDirectory;
import org.streammigrator.job.JobJson;
import org.streammigrator.job.JobLauncher;
import org.streammigrator.job.LocalJobRunner;
import org.streammigrator.job.LocalLauncher;
import org.streammigrator.job.RepartitionResult;
import org.streammigrator.job.RepartitionSpec;
import org.streammigrator.job.RunnerSpec;
import org.streammigrator.job.SourceSpec;
import org.streammigrator.job.SparkJvm;
import org.streammigrator.job.ValidateResult;
import org.streammigrator.job.ValidateSpec;
import org.streammigrator.jobs.demo.DemoScene;
import org.streammigrator.jobs.session.LocalSpark;

@Tag("spark")
class JobMainTest {
  @TempDir static Path directory;
  private static Path few;
  private static Path many;

  private record Outcome(int exit, String out, String err) {}

  @BeforeAll
  static void makeTables() {
    SparkSession spark = LocalSpark.open("tests", DemoScene.SESSION);
    few = directory.resolve("few");
    many = directory.resolve("many");
    spark.range(0, 10, 1, 1).write().format("delta").save(few.toString());
    spark.range(0, 12, 1, 1).write().format("delta").save(many.toString());
  }

  @Test
  void resultGoesToStdoutAndToItsFile() throws IOException {
    Path file = directory.resolve("result.json");
    Outcome outcome = run(JobJson.write(spec(few, few, file.toString())));
    assertThat(outcome.exit()).isZero();
    assertThat(outcome.out().lines()).hasSize(1);
    assertThat(outcome.out().strip()).isEqualTo(Files.readString(file).strip());
    assertThat(outcome.out())
        .startsWith(
            "{\"schema\":\"migrator/job-result/1\",\"job\":\"validate\",\"ok\":true,"
                + "\"expectedRows\":10,\"actualRows\":10,\"missing\":0,\"extra\":0,"
                + "\"duplicateKeys\":0,\"nullKeys\":0,\"lateRows\":null,"
                + "\"examples\":{\"missing\":[],\"extra\":[],\"nullKeys\":[],\"late\":[]},"
                + "\"source\":{\"version\":1,\"index\":-1},\"durationMs\":");
    assertThat(outcome.err()).isEmpty();
  }

  @Test
  void disagreementEndsWithSix() {
    Outcome outcome = run(JobJson.write(spec(few, many, null)));
    assertThat(outcome.exit()).isEqualTo(6);
    ValidateResult result =
        JobJson.readResult(outcome.out(), ValidateSpec.JOB, ValidateResult.class);
    assertThat(result.extra()).isEqualTo(2);
    assertThat(result.examples().extra()).containsExactly("{\"id\":10}", "{\"id\":11}");
  }

  @Test
  void refusalEndsWithThreeAndSaysWhatToDo() {
    Path hdfs = Path.of("../src-test-fixtures/checkpoints/window-hdfs/checkpoint").toAbsolutePath();
    Outcome outcome =
        run(
            JobJson.write(
                RepartitionSpec.of(hdfs.toString(), directory.resolve("moved").toString(), 7)));
    assertThat(outcome.exit()).isEqualTo(3);
    assertThat(
            JobJson.readResult(outcome.out(), RepartitionSpec.JOB, RepartitionResult.class)
                .status())
        .isEqualTo("refused");
    assertThat(outcome.err()).contains("NOT_AVAILABLE: state/0", "HDFS-backed", "replay");
    assertThat(directory.resolve("moved")).doesNotExist();
  }

  @Test
  void badSpecsEndWithTwoAndOneLine() {
    assertBad("{", "no JSON", "line 1");
    assertBad("{\"schema\":\"migrator/job/1\",\"job\":\"mend\"}", "job", "mend");
    assertBad(
        "{\"schema\":\"migrator/job/1\",\"job\":\"validate\",\"source\":{\"name\":\"a\",\"delta\":\"/a\"}}",
        "sink");
    assertBad(
        "{\"schema\":\"migrator/job/1\",\"job\":\"validate\",\"source\":{\"name\":\"a\",\"delta\":\"/a\","
            + "\"till\":1},\"sink\":{\"delta\":\"/b\"}}",
        "source.till: unknown key",
        "name");
    assertBad(
        "{\"schema\":\"migrator/job/1\",\"job\":\"validate\",\"source\":{\"name\":\"a\",\"delta\":\"/a\","
            + "\"to\":{\"version\":-3,\"index\":0}},\"sink\":{\"delta\":\"/b\"}}",
        "version -3");
    assertBad(
        "{\"schema\":\"migrator/job/1\",\"job\":\"validate\",\"source\":{\"name\":\"a\",\"delta\":\"/a\"},"
            + "\"sink\":{\"delta\":\"/b\"},\"windows\":{\"column\":\"w\",\"from\":\"today\"}}",
        "windows.from",
        "today");
    assertBad(JobJson.write(spec(directory.resolve("none"), many, null)), "no Delta table");
  }

  @Test
  void runnerUsesAJvmOfItsOwn() {
    SparkJvm jvm =
        new SparkJvm(
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
            List.of("-Xmx1g", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    LocalJobRunner runner = new LocalJobRunner(jvm, jvm);
    RunnerSpec here = RunnerSpec.of(RunnerSpec.LOCAL);
    assertThat(runner.validate(spec(few, many, null), here).extra()).isEqualTo(2);
    assertThatThrownBy(() -> runner.validate(spec(directory.resolve("none"), many, null), here))
        .isInstanceOf(InvalidJobSpecException.class)
        .hasMessageContaining("there is no Delta table at");
  }

  /** A job must not write after its starter was killed, when something else may be decided. */
  @Test
  void jobEndsWithItsStarter() throws Exception {
    Process starter = new ProcessBuilder("sleep", "1").start();
    Path files = Files.createDirectory(directory.resolve("late"));
    Path spec = Files.writeString(files.resolve("spec.json"), JobJson.write(spec(few, many, null)));
    SparkJvm jvm =
        new SparkJvm(
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
            List.of(
                "-Xmx1g",
                "-XX:TieredStopAtLevel=1",
                "-D" + LocalLauncher.PARENT + "=" + starter.pid(),
                "-D" + JobDirectory.PROPERTY + "=" + files));
    Process job =
        new ProcessBuilder(
                jvm.command(files.resolve("java.args"), JobLauncher.MAIN, List.of(spec.toString())))
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("late.out").toFile())
            .start();
    assertThat(job.waitFor()).isEqualTo(137);
    assertThat(Files.readString(directory.resolve("late.out"))).doesNotContain("job-result");
    assertThat(files).doesNotExist();
  }

  private static void assertBad(String spec, String... parts) {
    Outcome outcome = run(spec);
    assertThat(outcome.exit()).isEqualTo(2);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.err().lines()).hasSize(1);
    assertThat(outcome.err()).contains(parts);
  }

  private static ValidateSpec spec(Path source, Path sink, String result) {
    return new ValidateSpec(
        SourceSpec.delta("numbers", source.toString(), null, null),
        new ValidateSpec.Sink(sink.toString()),
        List.of("id"),
        null,
        null,
        null,
        null,
        null,
        result);
  }

  private static Outcome run(String spec) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    try {
      Path file = Files.writeString(directory.resolve("spec.json"), spec);
      int exit =
          JobMain.run(
              List.of(file.toString()),
              new PrintStream(out, true, StandardCharsets.UTF_8),
              new PrintStream(err, true, StandardCharsets.UTF_8));
      return new Outcome(
          exit, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
