package org.streammigrator.jobs.restart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.streammigrator.jobs.demo.DemoScene;
import org.streammigrator.jobs.session.LocalSpark;

/**
 * Restarts copies of the checkpoints that Spark keeps for its own tests, from 2.1 on, with the
 * queries of Spark's test suites, and compares with what the reader says.
 */
@Tag("spark")
class SparkCheckpointRestartTest {
  private static final String FOLDER = "structured-streaming/";

  @TempDir static Path unpacked;
  private static SparkSession spark;

  @BeforeAll
  static void unpack() throws IOException {
    spark = LocalSpark.open("tests", DemoScene.SESSION);
    try (ZipFile jar = new ZipFile(System.getProperty("migrator.spark.tests"))) {
      for (ZipEntry entry : jar.stream().toList()) {
        if (!entry.isDirectory() && entry.getName().startsWith(FOLDER)) {
          Path file = unpacked.resolve(entry.getName().substring(FOLDER.length()));
          Files.createDirectories(file.getParent());
          try (InputStream in = jar.getInputStream(entry)) {
            Files.copy(in, file);
          }
        }
      }
    }
  }

  static List<SparkRestarts.Restart> restarts() {
    return SparkRestarts.all();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("restarts")
  void sparkDoesWhatTheReaderSays(SparkRestarts.Restart restart) throws IOException {
    Damaged copy =
        Damaged.copy(
            unpacked.resolve(restart.path()),
            Files.createTempDirectory(unpacked, "copy").resolve("c"));
    Answer answer = Answer.of(copy.path());
    SparkQuery query = restart.query().in(spark);
    RestartRun run =
        RestartRun.of(
            spark, query.rows(), query.mode(), copy.path(), query.conf(), query.trigger());

    String shown = run.restarts() ? "restarts" : "fails with " + run.reason();
    assertThat(run.restarts()).as(shown).isEqualTo(restart.restarts());
    assertThat(answer.inspection().restartable()).as(shown).isEqualTo(restart.said());
    if (restart.restarts()) {
      answer.compare(run, shown);
      assertThat(
              run.batches().entrySet().stream()
                  .filter(batch -> batch.getKey() > answer.inspection().batches().lastPlanned())
                  .map(Map.Entry::getValue)
                  .flatMap(Collection::stream)
                  .sorted())
          .as(shown)
          .containsExactlyElementsOf(restart.rows());
    }
  }
}
