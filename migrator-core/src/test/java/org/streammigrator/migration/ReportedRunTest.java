package org.streammigrator.migration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.streammigrator.storage.ForwardingStore;
import org.streammigrator.storage.LocalStore;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;

/** {@code apply --report} and {@code prove --report}, over checkpoints that real queries wrote. */
class ReportedRunTest {
  @TempDir private Path directory;
  private Console console;
  private String printed;

  @BeforeEach
  void openConsole() {
    console = new Console(directory);
  }

  private void fixture(String name, String... lines) throws IOException {
    Trees.copy(Path.of("../src-test-fixtures/checkpoints").resolve(name), directory);
    plan(lines);
  }

  private void plan(String... lines) throws IOException {
    Files.writeString(
        directory.resolve("plan.yaml"),
        "version: 1\nname: p\nstreams:\n  - name: s\n    strategy: relocate\n"
            + "    checkpoint: {from: checkpoint, to: new}\n"
            + String.join("\n", lines).indent(4));
  }

  private int run(String... arguments) {
    int exit = console.run(arguments);
    printed = console.printed();
    return exit;
  }

  private Document page() throws IOException {
    return Jsoup.parse(Files.readString(directory.resolve("r.html")));
  }

  private Map<String, String> world() throws IOException {
    return Trees.bytesAndTimes(directory);
  }

  @Test
  void anApplyIsReportedInEveryFormatThatIsAskedFor() throws Exception {
    fixture("delta-version-boundary", "sink: {delta: sink}");
    Map<String, String> old = Trees.bytesAndTimes(directory.resolve("checkpoint"));
    assertThat(
            run(
                "apply",
                "plan.yaml",
                "--report",
                "r.html",
                "--report",
                "r.md",
                "--report",
                "R.XML"))
        .as(printed)
        .isZero();

    Document page = page();
    assertThat(page.title()).isEqualTo("p: apply, done");
    assertThat(page.select("h3").text()).isEqualTo("s");
    assertThat(page.text())
        .contains(
            "the new query has run no batch yet", "not known yet", "exact: no gap, no overlap")
        .contains("files are as they were written", "It would remove: file:");
    assertThat(page.select("svg.lane")).hasSize(1);
    long batches = batches("checkpoint").count();
    assertThat(dots(page, "dot-old")).isEqualTo(batches);
    assertThat(Files.readString(directory.resolve("r.md")))
        .contains("# ✓ p", "| relocate | done |");
    assertThat(Files.readString(directory.resolve("R.XML")))
        .contains("<testsuite name=\"s\"", "failures=\"0\"", "name=\"step publish\"");
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files.map(path -> path.getFileName().toString()))
          .noneMatch(name -> name.endsWith("-tmp"));
    }
    assertThat(Trees.bytesAndTimes(directory.resolve("checkpoint"))).isEqualTo(old);
  }

  private Stream<Path> batches(String checkpoint) throws IOException {
    return Files.list(directory.resolve(checkpoint + "/offsets"))
        .filter(path -> path.getFileName().toString().matches("[0-9]+"));
  }

  private static long dots(Document page, String style) {
    return page.select("svg.lane path." + style).attr("d").chars().filter(c -> c == 'M').count();
  }

  @Test
  void aProofIsReportedWithTheNewQuerysBatches() throws Exception {
    fixture("delta-version-boundary", "sink: {delta: sink}");
    assertThat(run("apply", "plan.yaml")).as(printed).isZero();
    assertThat(run("prove", "plan.yaml", "--report", "r.html", "--report", "r.xml")).isEqualTo(7);
    assertThat(page().title()).isEqualTo("p: prove, waiting");
    assertThat(Files.readString(directory.resolve("r.xml"))).contains("<skipped message=\"waiting");

    long last = runOneBatch();
    assertThat(run("prove", "plan.yaml", "--report", "r.html", "--report", "r.xml"))
        .as(printed)
        .isZero();
    assertThat(page().title()).isEqualTo("p: prove, proved");
    assertThat(page().text())
        .contains(
            "cut at the end of batch " + (last - 1) + "; new query: batch " + last,
            "yes: the new query began exactly there",
            "A plain rollback is refused",
            "NEW_BATCHES_LOST",
            "rollback --forward");
    assertThat(dots(page(), "dot-new")).isEqualTo(1);
    assertThat(Files.readString(directory.resolve("r.xml")))
        .contains("source 0 (delta): old and new meet")
        .doesNotContain("<skipped", "<failure");
  }

  /** One more committed batch, as a query would leave it. */
  private long runOneBatch() throws IOException {
    long last = 0;
    while (Files.exists(directory.resolve("new/offsets/" + (last + 1)))) {
      last++;
    }
    for (String log : List.of("offsets", "commits")) {
      Path logs = directory.resolve("new").resolve(log);
      Files.copy(logs.resolve("" + last), logs.resolve("" + (last + 1)));
    }
    return last + 1;
  }

  @Test
  void anOldCheckpointThatGrewIsReportedAsNotProved() throws Exception {
    fixture("delta-version-boundary", "sink: {delta: sink}");
    assertThat(run("apply", "plan.yaml")).as(printed).isZero();
    runOneBatch();
    Files.writeString(directory.resolve("checkpoint/offsets/99"), "v1\n{}\n-");
    assertThat(run("prove", "plan.yaml", "--report", "r.xml", "--report", "r.html")).isEqualTo(6);
    assertThat(Files.readString(directory.resolve("r.xml")))
        .contains("<failure", "type=\"OLD_CHECKPOINT_GROWS\"");
    assertThat(page().title()).isEqualTo("p: prove, not proved");
  }

  @Test
  void everyPartitionOfKafkaHasItsPicture() throws Exception {
    Path checkpoint = Files.createDirectories(directory.resolve("checkpoint"));
    Files.writeString(
        checkpoint.resolve("metadata"), "{\"id\":\"11111111-2222-4333-8444-555555555555\"}");
    for (int batch = 0; batch < 4; batch++) {
      Files.createDirectories(checkpoint.resolve("offsets"));
      Files.createDirectories(checkpoint.resolve("commits"));
      Files.writeString(
          checkpoint.resolve("offsets/" + batch),
          "v1\n{\"batchWatermarkMs\":0,\"batchTimestampMs\":1,\"conf\":{}}\n"
              + "{\"orders\":{\"0\":%d,\"1\":7,\"10\":5,\"2\":9},\"clicks\":{\"0\":%1$d}}"
                  .formatted(batch * 10));
      Files.writeString(checkpoint.resolve("commits/" + batch), "v1\n{\"nextBatchWatermarkMs\":0}");
    }
    plan();
    assertThat(run("apply", "plan.yaml", "--report", "r.html")).as(printed).isZero();
    assertThat(page().select("td[data-label=Partition]").eachText())
        .containsExactly("clicks/0", "orders/0", "orders/1", "orders/2", "orders/10");
    assertThat(page().select("svg.lane")).hasSize(5);
    assertThat(page().select("td[data-label=Oldest kept, batch 0]").eachText())
        .containsExactly("0", "0", "7", "9", "5");
    assertThat(page().select("td[data-label=Cut, batch 3]").eachText())
        .containsExactly("30", "30", "7", "9", "5");
  }

  @Test
  void batchesThatArePlannedOnlyAndCarriedAlongAreNotTakenForTheNewQuerys() throws Exception {
    fixture("delta-pending-in-sink", "sink: {delta: sink}");
    assertThat(run("apply", "plan.yaml", "--report", "r.html")).as(printed).isZero();
    assertThat(page().text()).contains("the new query has run no batch yet");
  }

  @Test
  void whatIsAskedForWronglyIsRefusedBeforeAnythingIsDone() throws Exception {
    fixture("delta-version-boundary");
    Files.writeString(directory.resolve("notes.md"), "# mine\n");
    Files.createDirectory(directory.resolve("d.html"));
    Map<String, String> before = world();
    Map<String, String> mistakes =
        Map.of(
            "r.pdf", ".html, .md and .xml",
            "report", ".html, .md and .xml",
            "d.html", "directory",
            "notes.md", "no report",
            "checkpoint/r.html", "inside of the checkpoint",
            "new/r.html", "inside of the checkpoint",
            "s3a://bucket/r.html", "local file");
    for (Map.Entry<String, String> mistake : mistakes.entrySet()) {
      for (String command : List.of("apply", "prove")) {
        assertThat(run(command, "plan.yaml", "--report", "ok.html", "--report", mistake.getKey()))
            .as(mistake.getKey() + printed)
            .isEqualTo(2);
        assertThat(printed).contains(mistake.getValue());
        assertThat(world()).isEqualTo(before);
      }
    }
  }

  @Test
  void aReportThatCannotBeWrittenNeitherUndoesNorHidesTheApply() throws Exception {
    fixture("delta-version-boundary");
    assertThat(run("apply", "plan.yaml", "--report", "r.html", "--report", "nowhere/r.html"))
        .isEqualTo(1);
    assertThat(printed)
        .contains(
            "p: 1 of 1 streams are migrated",
            "the report " + directory.resolve("nowhere/r.html") + " could not be written",
            "there is no directory " + directory.resolve("nowhere"),
            "apply itself ended as said above, well");
    assertThat(directory.resolve("new/metadata")).exists();
    assertThat(page().title()).isEqualTo("p: apply, done");

    // What another command ended with is not hidden either.
    assertThat(run("prove", "plan.yaml", "--report", "nowhere/r.html")).isEqualTo(7);
    assertThat(printed).contains("could not be written", "with exit code 7");
  }

  @Test
  void aStoreThatIsGoneAfterwardsDoesNotHideTheApplyEither() throws Exception {
    fixture("delta-version-boundary");
    Store noJournalAfterwards =
        new ForwardingStore(new LocalStore()) {
          private int listed;

          @Override
          public List<StoreEntry> list(Location location) throws IOException {
            if (location.name().equals("p.journal") && ++listed > 1) {
              throw new IOException("the store does not answer");
            }
            return super.list(location);
          }
        };
    assertThat(console.run(noJournalAfterwards, "apply", "plan.yaml", "--report", "r.html"))
        .isEqualTo(1);
    assertThat(console.printed())
        .contains("1 of 1 streams are migrated", "does not answer", "apply itself ended");
    assertThat(directory.resolve("r.html")).doesNotExist();
  }

  @Test
  void aLaterRunReplacesAReportAndABrokenOneLeavesIt() throws Exception {
    fixture("delta-version-boundary");
    assertThat(run("apply", "plan.yaml", "--report", "r.html")).isZero();
    assertThat(page().select(".pill").eachText()).contains("✓ done");
    assertThat(run("apply", "plan.yaml", "--report", "r.html")).as(printed).isZero();
    assertThat(page().select(".pill").eachText()).contains("✓ unchanged");
    String report = Files.readString(directory.resolve("r.html"));
    assertThat(run("apply", "plan.yaml", "--report", "r.html")).isZero();
    assertThat(directory.resolve("r.html")).hasContent(report);

    Files.createDirectory(directory.resolve(".r.html.migrator-tmp"));
    assertThat(run("apply", "plan.yaml", "--report", "r.html")).isEqualTo(1);
    assertThat(directory.resolve("r.html")).hasContent(report);
  }

  @Test
  void aRefusedStreamIsReportedWithItsFinding() throws Exception {
    fixture("delta-pending-in-sink");
    String plan = Files.readString(directory.resolve("plan.yaml"));
    Files.writeString(directory.resolve("plan.yaml"), plan.replace("relocate", "seed"));
    assertThat(run("apply", "plan.yaml", "--report", "r.html", "--report", "r.xml")).isEqualTo(3);
    assertThat(page().title()).isEqualTo("p: apply, refused");
    assertThat(page().text())
        .contains("PENDING_BATCH", "no cut, since nothing was applied", "There is nothing to undo");
    assertThat(Files.readString(directory.resolve("r.xml"))).contains("type=\"PENDING_BATCH\"");
    assertThat(directory.resolve("p.journal")).doesNotExist();
  }

  @Test
  void secretsOfThePlanAreInNoReport() throws Exception {
    fixture("delta-version-boundary");
    String plan = Files.readString(directory.resolve("plan.yaml"));
    Files.writeString(
        directory.resolve("plan.yaml"),
        plan.replace("name: s\n", "name: s-hunter2hunter2\n")
            + "storage:\n  \"s3a://ops\": {fs.s3a.secret.key: hunter2hunter2}\n");
    assertThat(
            run(
                "apply",
                "plan.yaml",
                "--report",
                "r.html",
                "--report",
                "r.md",
                "--report",
                "r.xml"))
        .as(printed)
        .isZero();
    for (String report : List.of("r.html", "r.md", "r.xml")) {
      assertThat(Files.readString(directory.resolve(report))).doesNotContain("hunter2hunter2");
    }
  }

  @Test
  void anOldCheckpointThatIsGoneIsSaidToBeNotKnown() throws Exception {
    fixture("delta-version-boundary");
    assertThat(run("apply", "plan.yaml")).isZero();
    Files.move(directory.resolve("checkpoint"), directory.resolve("elsewhere"));
    assertThat(run("apply", "plan.yaml", "--report", "r.html")).as(printed).isZero();
    assertThat(page().text()).contains("The old checkpoint is not at file:");
    assertThat(page().text()).contains("exact: no gap, no overlap");
  }
}
