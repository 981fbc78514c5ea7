package org.streammigrator.migration;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.streammigrator.cli.Cli;
import org.streammigrator.cli.CliContext;

/** A saved plan does what it says, or says why not. */
class SavedPlanTest {
  @TempDir private Path directory;

  private String out;
  private String err;

  @BeforeEach
  void copyCheckpoint() throws IOException {
    Trees.copy(Path.of("../src-test-fixtures/checkpoints/delta-version-boundary"), directory);
    plan("relocate", "");
  }

  @Test
  void isAppliedWhateverBecameOfThePlanFile() throws IOException {
    assertThat(run("plan", "plan.yaml", "--out", "saved.json")).as(err).isZero();
    assertThat(directory.resolve("p.journal")).doesNotExist();
    plan("seed", "copy: nonsense");
    Path elsewhere = Files.createDirectories(directory.resolve("elsewhere"));
    Files.move(directory.resolve("saved.json"), elsewhere.resolve("saved.json"));

    assertThat(run("plan", "elsewhere/saved.json", "--detailed-exitcode")).as(err).isEqualTo(10);
    assertThat(run("apply", "elsewhere/saved.json")).as(err).isZero();
    assertThat(directory.resolve("new/metadata")).exists();
    assertThat(directory.resolve("p.journal")).isDirectory();
    assertThat(run("apply", "elsewhere/saved.json")).as(err).isZero();
    assertThat(out).contains("unchanged");
    assertThat(run("show", "elsewhere/saved.json")).isZero();
    assertThat(out).contains("It still fits");
    assertThat(run("status", "elsewhere/saved.json")).isZero();
    assertThat(out).contains("done");
  }

  @Test
  void isNotOverwritten() throws IOException {
    assertThat(run("plan", "plan.yaml", "--out", "saved.json")).isZero();
    assertThat(run("plan", "plan.yaml", "--out", "saved.json")).as("the same again").isZero();
    plan("seed", "");
    assertThat(run("plan", "plan.yaml", "--out", "saved.json")).isEqualTo(2);
    assertThat(err).contains("is there already");
  }

  @Test
  void isStaleWhenTheQueryIsAnother() throws IOException {
    assertThat(run("plan", "plan.yaml", "--out", "saved.json")).isZero();
    String id =
        new ObjectMapper()
            .readTree(directory.resolve("checkpoint/metadata").toFile())
            .path("id")
            .asText();
    String other = "11111111-2222-4333-8444-555555555555";
    Files.writeString(directory.resolve("checkpoint/metadata"), "{\"id\":\"" + other + "\"}");
    Map<String, String> before = Trees.bytesAndTimes(directory);

    assertThat(run("apply", "saved.json")).isEqualTo(4);
    assertThat(err).contains("the query id was " + id + ", is " + other);
    assertThat(Trees.bytesAndTimes(directory)).isEqualTo(before);
    assertThat(run("plan", "saved.json")).isEqualTo(4);
    assertThat(out).contains("relocate");
    assertThat(run("plan", "saved.json", "-o", "json")).isEqualTo(4);
    assertThat(new ObjectMapper().readTree(out).path("stale")).hasSize(1);
    assertThat(run("show", "saved.json")).isZero();
    assertThat(out).contains("STALE").contains(other);
    assertThat(run("show", "saved.json", "-o", "json")).isZero();
    assertThat(new ObjectMapper().readTree(out).path("stale").asBoolean()).isTrue();
  }

  @Test
  void isStaleWhenTheSinkOrTheTargetIsAnother() throws IOException {
    plan("relocate", "sink: {delta: sink}");
    assertThat(run("plan", "plan.yaml", "--out", "saved.json")).as(err).isZero();
    Files.createDirectories(directory.resolve("new/offsets"));
    Trees.copy(directory.resolve("sink"), directory.resolve("old-sink"));
    for (String file : List.of("sink/_delta_log")) {
      try (var files = Files.list(directory.resolve(file))) {
        for (Path log : files.filter(f -> f.toString().endsWith(".json")).toList()) {
          String text = Files.readString(log);
          Files.writeString(
              log, text.replaceAll("(\"metaData\":\\{\"id\":\")[0-9a-f]{8}", "$100000000"));
        }
      }
    }

    assertThat(run("apply", "saved.json")).isEqualTo(4);
    assertThat(err).contains("what is at the target was absent, is occupied").contains("sink");
  }

  @Test
  void isStaleWhenTheSourceIsAnotherTable() throws IOException {
    assertThat(run("plan", "plan.yaml", "--out", "saved.json")).isZero();
    String table = "35fdce90-78ec-497d-8126-acd986f594fb";
    Path offset = directory.resolve("checkpoint/offsets/2");
    Files.writeString(offset, Files.readString(offset).replace(table, table.replace('3', '4')));
    Files.delete(directory.resolve("checkpoint/offsets/.2.crc"));

    assertThat(run("apply", "saved.json")).as(err).isEqualTo(4);
    assertThat(err).contains("source 0 was delta table " + table);
  }

  @Test
  void isNotStaleWhenTheQueryWentOn() throws IOException {
    assertThat(run("plan", "plan.yaml", "--out", "saved.json")).isZero();
    long last = 0;
    while (Files.exists(directory.resolve("checkpoint/offsets/" + (last + 1)))) {
      last++;
    }
    for (String log : List.of("offsets", "commits")) {
      Path logs = directory.resolve("checkpoint").resolve(log);
      Files.copy(logs.resolve("" + last), logs.resolve("" + (last + 1)));
    }

    assertThat(run("apply", "saved.json")).as(err).isZero();
    assertThat(directory.resolve("new/commits/" + (last + 1))).exists();
  }

  @Test
  void isShownWhenNothingIsThereAnyMore() throws IOException {
    assertThat(run("plan", "plan.yaml", "--out", "saved.json")).isZero();
    Files.move(directory.resolve("checkpoint"), directory.resolve("gone"));

    assertThat(run("show", "saved.json")).as(err).isZero();
    assertThat(out).contains("relocate").contains("is not there");
    assertThat(run("apply", "saved.json")).isEqualTo(4);
  }

  @Test
  void holdsReferencesAndNoSecrets() throws IOException {
    String storage = "storage:\n  \"s3a://ops\": {fs.s3a.secret.key: %s}\n";
    Path plan = directory.resolve("plan.yaml");
    String text = Files.readString(plan);
    Files.writeString(plan, text + storage.formatted("\"${env:KEY}\""));

    assertThat(run("plan", "plan.yaml", "--out", "saved.json")).as(err).isZero();
    assertThat(Files.readString(directory.resolve("saved.json")))
        .contains("${env:KEY}")
        .doesNotContain("open sesame");
    Files.writeString(plan, text + storage.formatted("literally"));
    assertThat(run("plan", "plan.yaml", "--out", "other.json")).isEqualTo(2);
    assertThat(err).contains("${env:NAME}").doesNotContain("literally");
    assertThat(directory.resolve("other.json")).doesNotExist();
  }

  @Test
  void holdsNothingOfWhatTheCommentsSay() throws IOException {
    Path plan = directory.resolve("plan.yaml");
    Files.writeString(plan, Files.readString(plan) + "# hunter2\n");
    assertThat(run("plan", "plan.yaml", "--out", "saved.json")).as(err).isZero();
    assertThat(directory.resolve("saved.json")).content().doesNotContain("hunter2");
    assertThat(run("apply", "saved.json")).as(err).isZero();
  }

  @Test
  void aCutOneIsNotTakenForAPlanFile() throws IOException {
    assertThat(run("plan", "plan.yaml", "--out", "saved.json")).isZero();
    String text = Files.readString(directory.resolve("saved.json"));
    Files.writeString(directory.resolve("cut.json"), text.substring(0, text.length() / 2));

    assertThat(run("apply", "cut.json")).isEqualTo(2);
    assertThat(err).contains("cut short");
    assertThat(run("show", "plan.yaml")).isEqualTo(2);
  }

  private void plan(String strategy, String more) throws IOException {
    Files.writeString(
        directory.resolve("plan.yaml"),
        "version: 1\nname: p\nstreams:\n  - name: s\n    strategy: "
            + strategy
            + "\n    checkpoint: {from: checkpoint, to: new}\n"
            + more.indent(4));
  }

  private int run(String... args) {
    ByteArrayOutputStream o = new ByteArrayOutputStream();
    ByteArrayOutputStream e = new ByteArrayOutputStream();
    CliContext process = CliContext.ofProcess();
    CliContext context =
        new CliContext(
            directory,
            name -> java.util.Optional.of("open sesame"),
            process.store(),
            process.clock(),
            process.ids(),
            process.jobs());
    int exit =
        Cli.run(
            List.of(args),
            new PrintStream(o, true, UTF_8),
            new PrintStream(e, true, UTF_8),
            context);
    out = o.toString(UTF_8);
    err = e.toString(UTF_8);
    return exit;
  }
}
