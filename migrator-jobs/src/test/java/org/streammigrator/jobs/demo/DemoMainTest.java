package org.streammigrator.jobs.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.streammigrator.jobs.session.LocalSpark;

class DemoMainTest {
  @TempDir Path directory;

  private record Outcome(int exit, String out, String err) {}

  @Test
  void usedDirectoriesAreRefused() throws IOException {
    Path file = Files.writeString(directory.resolve("mine"), "mine");
    Outcome notEmpty = run(directory.toString());
    assertThat(notEmpty.exit()).isEqualTo(2);
    assertThat(notEmpty.err()).contains(directory + " is not empty").hasLineCount(1);
    Outcome notDirectory = run(file.toString());
    assertThat(notDirectory.exit()).isEqualTo(2);
    assertThat(notDirectory.err()).contains(file + " is not a directory");
    assertThat(run("--fast").exit()).isEqualTo(2);
    assertThat(run("a", "b").exit()).isEqualTo(2);
    assertThat(directory).isDirectoryContaining(path -> path.equals(file));
    assertThat(file).hasContent("mine");
  }

  @Test
  @Tag("spark")
  void bothStreamsMoveAndAreProved() throws IOException {
    LocalSpark.open("tests", DemoScene.SESSION);
    DemoScene scene = new DemoScene(directory.resolve("a demo"));
    Outcome outcome = run(scene.directory().toString());
    assertThat(outcome.exit()).as(outcome.out() + outcome.err()).isZero();
    assertThat(outcome.out())
        .contains("orders_bronze: PROVED", "orders_5min: PROVED", "25 rows lost, 0 repeated")
        .contains(
            "0 too many, 0 orders missing", "after backfill (scratch/straddling/backfill.json): 0");
    assertThat(outcome.out().lines().filter(line -> line.startsWith("  ./migrator "))).hasSize(3);
    assertThat(scene.readme()).content().contains("version 9", "25 rows short");

    BatchEnd pending = BatchEnd.newestPlanned(scene.oldBronze());
    assertThat(pending).isEqualTo(new BatchEnd(DemoScene.BRONZE_PENDING_BATCH, 8, 2));
    assertThat(BatchEnd.newestCommitted(scene.oldBronze())).isEqualTo(new BatchEnd(5, 7, 1));
    assertThat(scene.newBronze().resolve("metadata"))
        .hasSameBinaryContentAs(scene.oldBronze().resolve("metadata"));
    BatchEnd drained = new BatchEnd(12, DemoScene.COMMITS, -1);
    assertThat(BatchEnd.newestCommitted(scene.newBronze())).isEqualTo(drained);
  }

  private static Outcome run(String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int exit =
        DemoMain.run(
            List.of(arguments),
            new PrintStream(out, true, UTF_8),
            new PrintStream(err, true, UTF_8));
    return new Outcome(exit, out.toString(UTF_8), err.toString(UTF_8));
  }
}
