package org.streammigrator.migration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.streammigrator.cli.Cli;
import org.streammigrator.storage.Content;
import org.streammigrator.storage.ForwardingStore;
import org.streammigrator.storage.LocalStore;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Receipt;

/**
 * A rehearsal writes in its scratch place only, runs the query there, ends it, and tells whether
 * its first batch was as planned. Shell programs stand for the query: they write plans and commits
 * as Spark does.
 */
@Timeout(120)
class RehearsalTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** Runs a batch: `run N VERSION` plans it up to before a version of the table, and commits it. */
  private static final String RUN =
      """
      run() {
        last=$(ls "$MIGRATOR_CHECKPOINT/offsets" | sort -n | tail -1)
        if [ ! -e "$MIGRATOR_CHECKPOINT/offsets/$1" ]; then
          sed 's/"reservoirVersion":[0-9]*/"reservoirVersion":'$2/ "$MIGRATOR_CHECKPOINT/offsets/$last" > planned
          mv planned "$MIGRATOR_CHECKPOINT/offsets/$1"
        fi
        mkdir -p "$MIGRATOR_SINK/_delta_log"
        echo data > "$MIGRATOR_SINK/part-$1.parquet"
        echo '{"add":{"path":"part-'$1'.parquet","stats":"{\\"numRecords\\":10}"}}' \\
          > "$MIGRATOR_SINK/_delta_log/0000000000000000000$1.json"
        printf 'v1\\n{"nextBatchWatermarkMs":0}' > committed
        mv committed "$MIGRATOR_CHECKPOINT/commits/$1"
      }
      """;

  @TempDir private Path root;

  /** Where the old query and the plan are: with a blank and a letter that is not ASCII. */
  private Path directory;

  private Map<String, String> before;
  private Console console;
  private JsonNode rehearsal;

  @BeforeEach
  void begin() throws IOException {
    directory = Files.createDirectory(root.resolve("the plän"));
    Trees.copy(Path.of("../src-test-fixtures/checkpoints/delta-version-boundary"), directory);
    console = new Console(directory);
  }

  @Test
  void theQueryRunsFromTheScratchCopyAndNothingElseIsWritten() throws IOException {
    query("run 3 5\nrun 4 6\nwhile :; do sleep 0.05; done");
    plan("relocate", "sink: {delta: sink}");
    assertThat(rehearse("--batches", "2")).as(console.printed()).isZero();
    assertThat(rehearsal.path("status").asText()).isEqualTo("rehearsed");
    assertThat(rehearsal.path("exactness").asText()).isEqualTo("EXACT");
    assertThat(rehearsal.path("batch").asLong()).isEqualTo(3);
    assertThat(rehearsal.path("batches").asLong()).isEqualTo(2);
    JsonNode source = rehearsal.at("/sources/0");
    assertThat(source.path("asPlanned").asBoolean()).isTrue();
    assertThat(source.path("at").asText()).isEqualTo("start");
    assertThat(source.path("planned").asText()).contains("\"reservoirVersion\":3,");
    assertThat(source.path("start").asText()).isEqualTo(source.path("planned").asText());
    assertThat(source.path("end").asText()).contains("\"reservoirVersion\":5,");
    assertThat(rehearsal.at("/sinks/0/rows").asLong()).isEqualTo(20);
    assertThat(rehearsal.at("/sinks/0/files").asLong()).isEqualTo(2);
    assertThat(rehearsal.at("/query/ended").asText()).isEqualTo("after-batches");
    assertThat(rehearsal.at("/query/killed").asBoolean()).isFalse();
    assertThat(rehearsal.path("kept").asBoolean()).isFalse();
    assertThat(Path.of(rehearsal.path("scratch").asText().replace("file:", ""))).doesNotExist();
    assertThat(console.run("rehearse", "plan.yaml")).as(console.printed()).isZero();
    assertThat(console.printed())
        .contains("batch 3 read source 0 from version 2 to version 4, as planned")
        .contains("rows in")
        .contains("the scratch copy is removed")
        .contains("p: 1 of 1 streams are rehearsed");
  }

  @Test
  void theScratchPlaceIsGivenAndKept() throws IOException {
    query("run 3 5; env > \"$MIGRATOR_SCRATCH/told\"");
    plan("seed", "identity: new\n    sink: [{delta: sink}, {kafka: 'h:1', topic: t}]");
    Path place = root.resolve("scratch é x");
    Files.createDirectory(place);
    Files.writeString(place.resolve("another's"), "");
    assertThat(rehearse("--scratch", place.toString(), "--keep")).as(console.printed()).isZero();
    assertThat(rehearsal.path("kept").asBoolean()).isTrue();
    Path scratch = Path.of(rehearsal.path("scratch").asText().replace("file:", ""));
    assertThat(scratch.getParent()).isEqualTo(place);
    assertThat(place.resolve("another's")).exists();
    assertThat(Files.readAllLines(scratch.resolve("told")))
        .contains(
            "MIGRATOR_CHECKPOINT=" + scratch.resolve("checkpoint"),
            "MIGRATOR_SINK=" + scratch.resolve("sink"),
            "MIGRATOR_SINK_0=" + scratch.resolve("sink"),
            "MIGRATOR_SINK_1=" + scratch.resolve("sink-1"),
            "MIGRATOR_STREAM=s",
            "MIGRATOR_BATCHES=1");
    assertThat(scratch.resolve("journal")).isDirectory();
    assertThat(Files.readString(scratch.resolve("checkpoint/metadata")))
        .isNotEqualTo(Files.readString(directory.resolve("checkpoint/metadata")));
    assertThat(rehearse("--scratch", place.toString(), "--keep")).as(console.printed()).isZero();
    assertThat(rehearsal.path("scratch").asText()).isNotEqualTo("file:" + scratch);
  }

  @Test
  void withoutACommandTheCopyIsWrittenAndVerified() throws IOException {
    Files.writeString(
        directory.resolve("plan.yaml"),
        """
        version: 1
        name: p
        streams:
          - name: s
            strategy: relocate
            checkpoint: {from: checkpoint, to: copy}
            archive: {to: archive}
            sink: {delta: sink}
        """);
    before = world();
    assertThat(rehearse()).as(console.printed()).isZero();
    assertThat(rehearsal.path("status").asText()).isEqualTo("written");
    assertThat(rehearsal.path("message").asText()).contains("rehearse.command");
    assertThat(console.printed()).contains("\"kind\":\"archive\"").contains("\"kind\":\"publish\"");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "echo it broke; echo password=hunter2 at $HOME; exit 3 | exit code 3        | it broke",
        "run 3 5; echo late; exit 4                            | (ignored)          | ",
        "run 3 5; run 4 6; exit 9                              | after 2 of 3       | ",
        "exit 0                                                | MIGRATOR_CHECKPOINT | ",
        "nosuchprogram_x                                       | did not find       | not found",
        "echo hanging; sleep 300                               | after 3 seconds    | hanging",
      })
  void aQueryThatDoesNotCommitItsBatchesFails(String does, String said, String line)
      throws IOException {
    query(does + "\n");
    plan("relocate", "sink: {delta: sink}");
    boolean isGood = said.equals("(ignored)");
    int exit = rehearse("--timeout", "3s", "--batches", said.contains("of 3") ? "3" : "1");
    assertThat(exit).as(console.printed()).isEqualTo(isGood ? 0 : 6);
    if (isGood) {
      return;
    }
    assertThat(rehearsal.path("status").asText()).isEqualTo("failed");
    assertThat(rehearsal.at("/findings/0/code").asText()).isEqualTo("REHEARSAL_FAILED");
    assertThat(rehearsal.path("findings").toString()).contains(said);
    assertThat(rehearsal.at("/query/lines").toString())
        .contains(line == null ? "" : line)
        .doesNotContain("hunter2");
    assertThat(rehearsal.path("kept").asBoolean()).isTrue();
    Trees.delete(Path.of(rehearsal.path("scratch").asText().replace("file:", "")));
  }

  @Test
  void valuesFromTheEnvironmentAreMasked() throws IOException {
    String home = System.getenv("HOME");
    query("echo the value is $1; exit 1");
    planWith("relocate", "sink: {delta: sink}", "[sh, query.sh, '${env:HOME}']");
    assertThat(rehearse()).isEqualTo(6);
    assertThat(rehearsal.at("/query/lines").toString())
        .contains("the value is ***")
        .doesNotContain("value is " + home);
    Trees.delete(Path.of(rehearsal.path("scratch").asText().replace("file:", "")));
  }

  @Test
  void aProgramThatIsNotThereFailsTheRehearsal() throws IOException {
    planWith("relocate", "sink: {delta: sink}", "[no/such, program]");
    before = world();
    assertThat(rehearse()).as(console.printed()).isEqualTo(6);
    assertThat(rehearsal.path("status").asText()).isEqualTo("failed");
    assertThat(rehearsal.at("/findings/0/message").asText())
        .contains("`rehearse.command` cannot be started");
    Trees.delete(Path.of(rehearsal.path("scratch").asText().replace("file:", "")));
    assertThat(world()).isEqualTo(before);
  }

  /** A commit without its plan tells nothing of where the batch began. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "echo v1 > \"$MIGRATOR_CHECKPOINT/commits/3\"; sleep 9",
        "echo v1 > \"$MIGRATOR_CHECKPOINT/commits/999999999999999999\"; sleep 9",
        "echo x > \"$MIGRATOR_CHECKPOINT/offsets/3\"; echo v1 > \"$MIGRATOR_CHECKPOINT/commits/3\"; sleep 9",
      })
  void aBatchWhosePlanIsNotThereIsNotAsPlanned(String does) throws IOException {
    query(does);
    plan("relocate", "sink: {delta: sink}");
    assertThat(rehearse()).as(console.printed()).isEqualTo(6);
    assertThat(rehearsal.path("batches").asLong()).isEqualTo(1);
    assertThat(rehearsal.at("/findings/0/message").asText())
        .contains("nobody knows where it began");
    Trees.delete(Path.of(rehearsal.path("scratch").asText().replace("file:", "")));
  }

  @ParameterizedTest
  @CsvSource({"--timeout, 0s", "--timeout, 200000d", "--scratch, other/chk/x", "--batches, 0"})
  void whatCannotBeRehearsedIsRefusedBeforeAnythingIsWritten(String option, String value)
      throws IOException {
    query("touch ran");
    plan("relocate", "sink: {delta: sink}");
    Files.writeString(
        directory.resolve("plan.yaml"),
        "  - {name: t, strategy: relocate, checkpoint: {from: other/chk, to: other/new}}\n",
        java.nio.file.StandardOpenOption.APPEND);
    before = world();
    int exit = console.run("rehearse", "plan.yaml", "--stream", "s", option, value);
    assertThat(exit).as(console.printed()).isEqualTo(2);
    assertThat(directory.resolve("ran")).doesNotExist();
    assertThat(world()).isEqualTo(before);
  }

  /** One stream whose scratch place does not answer is told, and the result comes all the same. */
  @Test
  void aScratchPlaceThatCannotBeMadeStopsItsStreamAlone() throws IOException {
    query("touch ran");
    plan("relocate", "sink: {delta: sink}");
    Files.writeString(root.resolve("file"), "");
    assertThat(rehearse("--scratch", root.resolve("file/x").toString()))
        .as(console.printed())
        .isEqualTo(5);
    assertThat(rehearsal.path("status").asText()).isEqualTo("stopped");
  }

  /** What the query put in the place of its scratch directory is not followed. */
  @Test
  void aScratchPlaceThatBecameALinkIsLeft() throws IOException {
    Path precious = Files.createDirectories(root.resolve("precious"));
    Files.writeString(precious.resolve("f"), "");
    query(
        "run 3 5; mv \"$MIGRATOR_SCRATCH\" '"
            + root.resolve("away")
            + "'; ln -s '"
            + precious
            + "' \"$MIGRATOR_SCRATCH\"");
    plan("relocate", "sink: {delta: sink}");
    rehearse("--scratch", root.resolve("scr").toString());
    assertThat(precious.resolve("f")).as(console.printed()).exists();
    assertThat(rehearsal.path("kept").asBoolean()).isTrue();
  }

  @Test
  void aQueryThatWritesAtTheRealTargetFails() throws IOException {
    query("run 3 5; mkdir -p copy/commits; touch copy/commits/3");
    plan("relocate", "sink: {delta: sink}");
    int exit = console.run("rehearse", "plan.yaml", "-o", "json");
    assertThat(exit).as(console.printed()).isEqualTo(6);
    assertThat(console.printed()).contains("copy got commits while the query was rehearsed");
    Trees.delete(directory.resolve("copy"));
  }

  @Test
  void whatTheRealSinkGotMeanwhileIsTold() throws IOException {
    query("run 3 5; mkdir -p sink/_delta_log; touch sink/_delta_log/x.json");
    plan("relocate", "sink: {delta: sink}");
    int exit = console.run("rehearse", "plan.yaml", "-o", "json");
    assertThat(exit).as(console.printed()).isZero();
    assertThat(console.printed())
        .contains("TWO_WRITERS_SUSPECTED")
        .contains("sink/_delta_log got x.json while the query was rehearsed");
  }

  @Test
  void aQueryWhoseSourcesChangedPlacesFails() throws IOException {
    query(
        "sed 's/\"reservoirId\":\"[^\"]*\"/\"reservoirId\":\"another\"/'"
            + " \"$MIGRATOR_CHECKPOINT/offsets/2\" > other; mv other"
            + " \"$MIGRATOR_CHECKPOINT/offsets/3\"; run 3 5");
    plan("relocate", "sink: {delta: sink}");
    assertThat(rehearse("--batches", "1")).as(console.printed()).isEqualTo(6);
    assertThat(rehearsal.path("findings").toString()).contains("another order");
    Trees.delete(Path.of(rehearsal.path("scratch").asText().replace("file:", "")));
  }

  @ParameterizedTest
  @CsvSource({"offsets/2,started", "offsets/3,ended"})
  void aFirstBatchThatIsNotThePlannedOneIsToldWithExit6(String file, String how)
      throws IOException {
    // Batch 3 is pending: its end is planned, too.
    Files.writeString(
        directory.resolve("checkpoint/offsets/3"),
        Files.readString(directory.resolve("checkpoint/offsets/2"))
            .replace("\"reservoirVersion\":3", "\"reservoirVersion\":4"));
    query("run 3 9");
    plan("relocate", "sink: {delta: sink}");
    assertThat(rehearse()).as(console.printed()).isZero();
    assertThat(rehearsal.at("/sources/0/end").asText()).contains("\"reservoirVersion\":4,");
    query(
        "sed 's/\"reservoirVersion\":[0-9]*/\"reservoirVersion\":1/' \"$MIGRATOR_CHECKPOINT/"
            + file
            + "\" > other; mv other \"$MIGRATOR_CHECKPOINT/"
            + file
            + "\"; run 3 9");
    assertThat(rehearse()).as(how).isEqualTo(6);
    assertThat(rehearsal.at("/findings/0/code").asText()).isEqualTo("INEXACT_POSITION");
    assertThat(rehearsal.at("/sources/0/asPlanned").asBoolean()).isFalse();
    Trees.delete(Path.of(rehearsal.path("scratch").asText().replace("file:", "")));
  }

  @Test
  void whatApplyWouldRefuseIsNotRehearsed() throws IOException {
    query("run 3 5; touch ran");
    plan("relocate", "sink: {delta: sink}");
    Files.createDirectory(directory.resolve("copy"));
    Files.writeString(directory.resolve("copy/there"), "");
    before = world();
    assertThat(rehearse()).isEqualTo(3);
    assertThat(console.printed()).contains("TARGET_NOT_EMPTY");
    assertThat(rehearsal.path("status").asText()).isEqualTo("refused");
    assertThat(directory.resolve("ran")).doesNotExist();
  }

  @Test
  void whatIsAppliedNeedsNoRehearsalAndABackfillHasNone() throws IOException {
    query("run 3 5; touch ran");
    plan("relocate", "sink: {delta: sink}");
    assertThat(console.run("apply", "plan.yaml")).as(console.printed()).isZero();
    assertThat(rehearse()).as(console.printed()).isZero();
    assertThat(rehearsal.path("status").asText()).isEqualTo("unchanged");
    plan(
        "backfill",
        "sources: [{delta: source, name: t, eventTime: e}]\n"
            + "    sink: {delta: sink, keys: [w]}\n"
            + "    query: {outputMode: append, operators: [{kind: window, size: 5m, delay: 5m}]}\n"
            + "    backfill: {sql: select 1, window: {column: w, size: 5m, delay: 5m}}");
    assertThat(rehearse()).as(console.printed()).isEqualTo(3);
    assertThat(rehearsal.at("/findings/0/code").asText()).isEqualTo("NOT_AVAILABLE");
    assertThat(directory.resolve("ran")).doesNotExist();
  }

  /** A production query runs on while its checkpoint is copied to be rehearsed. */
  @Test
  void theOldQueryMayGoOnMeanwhile() throws IOException {
    query("run 3 5");
    plan("relocate", "sink: {delta: sink}");
    Path later = directory.resolve("checkpoint/offsets/3");
    LocalStore local = new LocalStore();
    int exit =
        console.run(
            new ForwardingStore(local) {
              @Override
              public Receipt write(Location file, Content content, Optional<Instant> modified)
                  throws IOException {
                if (file.toString().contains("staging") && !Files.exists(later)) {
                  Files.copy(directory.resolve("checkpoint/offsets/2"), later);
                }
                return super.write(file, content, modified);
              }
            },
            "rehearse",
            "plan.yaml");
    assertThat(exit).as(console.printed()).isZero();
    assertThat(later).exists();
    assertThat(console.printed()).contains("OLD_CHECKPOINT_GROWS").contains("rehearsed:");
  }

  /** Spark compacts the log of a file sink, and wants every batch before. */
  @Test
  void theScratchCopyOfAFileSinkKnowsTheBatchesBefore() throws IOException {
    Path log = Files.createDirectories(directory.resolve("out/_spark_metadata"));
    for (int batch = 0; batch <= 2; batch++) {
      Files.writeString(log.resolve("" + batch), "v1");
    }
    query(
        "cat \"$MIGRATOR_SINK/_spark_metadata/0\"; ls \"$MIGRATOR_SINK/_spark_metadata\"; exit 1");
    plan("relocate", "sink: {files: out}");
    assertThat(rehearse()).isEqualTo(6);
    assertThat(rehearsal.at("/query/lines"))
        .extracting(JsonNode::asText)
        .containsExactly("v1" + "0", "1", "2");
    Trees.delete(Path.of(rehearsal.path("scratch").asText().replace("file:", "")));
  }

  /** Ctrl-C ends the query with the rehearsal, and it is said what is left. */
  @Test
  void anInterruptEndsTheQuery() throws Exception {
    query("echo $$ > pid; touch up; while :; do sleep 0.1; done");
    plan("relocate", "sink: {delta: sink}");
    Path said = root.resolve("said");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                Cli.class.getName(),
                "rehearse",
                "plan.yaml",
                "--scratch",
                root.resolve("scratch").toString())
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start();
    try {
      Path up = directory.resolve("up");
      while (!Files.exists(up)) {
        assertThat(process.isAlive()).as(Files.readString(said)).isTrue();
        Thread.sleep(20);
      }
      long query = Long.parseLong(Files.readString(directory.resolve("pid")).strip());
      // Not SIGINT, which a process ignores that was started from a shell's background job.
      process.destroy();
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isEqualTo(143);
      assertThat(Files.readString(said))
          .contains("interrupted; the rehearsed query is ended")
          .contains(root.resolve("scratch").toString())
          .doesNotContain("failed:");
      assertThat(ProcessHandle.of(query).filter(ProcessHandle::isAlive)).isEmpty();
    } finally {
      process.destroyForcibly();
    }
  }

  /** A rehearsal writes into nothing that the real query reads or writes. */
  @ParameterizedTest
  @ValueSource(strings = {"checkpoint", "checkpoint/state", "copy", "sink/data", "link/x"})
  void scratchPlaceInWhatThePlanUsesIsRefused(String place) throws IOException {
    query("exit 0");
    plan("relocate", "sink: {delta: sink}");
    Files.createSymbolicLink(directory.resolve("link"), directory.resolve("checkpoint"));
    Map<String, String> before = Trees.bytesAndTimes(directory);
    assertThat(console.run("rehearse", "plan.yaml", "--scratch", place))
        .as(console.printed())
        .isEqualTo(2);
    assertThat(console.printed().replaceAll("\\s+", " ")).contains("which the plan uses");
    assertThat(Trees.bytesAndTimes(directory)).isEqualTo(before);
  }

  private void query(String text) throws IOException {
    Files.writeString(directory.resolve("query.sh"), RUN + text);
  }

  private void plan(String strategy, String more) throws IOException {
    planWith(strategy, more, "[sh, query.sh]");
  }

  private void planWith(String strategy, String more, String command) throws IOException {
    Files.writeString(
        directory.resolve("plan.yaml"),
        """
        version: 1
        name: p
        streams:
          - name: s
            strategy: %s
            checkpoint: {from: checkpoint, to: copy}
            rehearse: {command: %s}
            %s
        """
            .formatted(strategy, command, more));
    before = null;
  }

  /** Rehearses, reads what it says of the stream, and looks that nothing else was changed. */
  private int rehearse(String... options) throws IOException {
    if (before == null) {
      before = world();
    }
    List<String> arguments = new ArrayList<>(List.of("rehearse", "plan.yaml", "-o", "json"));
    arguments.addAll(List.of(options));
    int exit = console.run(arguments.toArray(String[]::new));
    String last = "";
    for (String line : console.printed().lines().toList()) {
      last = line.startsWith("{") ? line : last;
    }
    JsonNode result = MAPPER.readTree(last);
    assertThat(result.path("event").asText()).as(console.printed()).isEqualTo("result");
    assertThat(result.path("ok").asBoolean()).isEqualTo(exit == 0);
    assertThat(result.path("exitCode").asInt()).isEqualTo(exit);
    rehearsal = result.at("/streams/0");
    assertThat(world()).isEqualTo(before);
    return exit;
  }

  /** All files of the old query and the plan, but what the programs leave where they run. */
  private Map<String, String> world() throws IOException {
    Map<String, String> files = new TreeMap<>(Trees.bytesAndTimes(directory));
    files.keySet().removeAll(List.of("planned", "committed", "other", "query.sh"));
    try (Stream<Path> places = Files.list(directory)) {
      places
          .filter(place -> !place.getFileName().toString().matches("planned|committed|other"))
          .forEach(place -> files.put("/" + place.getFileName(), ""));
    }
    return files;
  }
}
