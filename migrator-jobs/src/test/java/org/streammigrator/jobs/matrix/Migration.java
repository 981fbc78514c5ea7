package org.streammigrator.jobs.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.streaming.Trigger;
import org.streammigrator.cli.Cli;
import org.streammigrator.cli.CliContext;
import org.streammigrator.jobs.SessionJobRunner;
import org.streammigrator.jobs.matrix.Combination.Pending;
import org.streammigrator.jobs.matrix.Combination.Strategy;

/** Moves a stopped stream with a plan, and runs it to its end. */
final class Migration {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String OTHER_APP = "matrix-rewound";

  private final MatrixWorld world;
  private final Combination combination;
  private final OldStream old;
  private final Path directory;
  private final Path plan;
  private final boolean isDelta;

  Migration(
      MatrixWorld world, Combination combination, OldStream old, Path directory, boolean isDelta) {
    this.isDelta = isDelta;
    this.world = world;
    this.combination = combination;
    this.old = old;
    this.directory = directory;
    this.plan = directory.resolve("plan.yaml");
  }

  /**
   * What came of it.
   *
   * @param label what the plan called it; empty if it was refused
   * @param refusals the codes of the errors, without repetition
   * @param differences rows that are missing or too many; empty if it is exact
   */
  record Outcome(String label, List<String> refusals, List<String> differences) {
    boolean isRefused() {
      return !refusals.isEmpty();
    }
  }

  Outcome run() throws Exception {
    OldStream.Stopped stopped = old.stopped(combination.pending(), directory);
    MatrixOperator operator = combination.operator();
    MatrixSink sink = MatrixSink.of(world.spark(), operator, stopped.sink(), isDelta);
    Files.writeString(plan, plan(stopped));
    Answer planned = migrator("plan", "-o", "json");
    JsonNode stream = MAPPER.readTree(planned.out()).at("/streams/0");
    List<String> refusals = errors(stream);
    assertThat(planned.exit()).as(planned.text()).isEqualTo(refusals.isEmpty() ? 0 : 3);
    if (!refusals.isEmpty()) {
      return new Outcome("", refusals, List.of());
    }
    Path moved = directory.resolve("new");
    boolean isReplay = combination.strategy() == Strategy.REPLAY;
    Answer applied = migrator("apply");
    if (isReplay && stream.at("/replay/sink").asText().equals("SCRATCH")) {
      assertThat(applied.exit()).as(applied.text()).isEqualTo(7);
      MatrixSink.runOnceElsewhere(operator.after(old.feed()), operator, moved);
      applied = migrator("apply");
      if (applied.exit() == 6) {
        assertThat(applied.text()).contains("REPLAY_NOT_VERIFIED");
        return new Outcome("", List.of("REPLAY_NOT_VERIFIED"), List.of());
      }
    }
    assertThat(applied.exit()).as(applied.text()).isZero();
    if (isAnew(stopped)) {
      sink.merge(OTHER_APP);
    }
    List<String> there = sink.rows();
    sink.run(
        isReplay ? operator.after(old.feed()) : operator.before(old.feed()),
        moved,
        Trigger.AvailableNow());
    List<String> written = sink.rows();
    assertThat(written).as("something was left to write").isNotEqualTo(there);
    Answer proved = migrator("prove");
    assertThat(proved.exit()).as(proved.text()).isZero();
    return new Outcome(
        stream.path("exactness").asText(), List.of(), differences(old.rows(), written));
  }

  /** Whether the sink knows batches that are planned anew, so that the query needs another id. */
  private boolean isAnew(OldStream.Stopped stopped) {
    return combination.strategy() == Strategy.REWIND && combination.pending() != Pending.NOT_IN;
  }

  private String plan(OldStream.Stopped stopped) {
    boolean isAnew = isAnew(stopped);
    List<String> sinkKeys = new ArrayList<>(List.of("delta: \"" + stopped.sink() + "\""));
    if (combination.operator().isMerged()) {
      sinkKeys.add("txnAppId: " + (isAnew ? OTHER_APP : MatrixSink.APP));
    }
    if (isAnew || combination.operator().isMerged()) {
      sinkKeys.add("keys: " + combination.operator().keys());
    }
    String source = "{" + old.feed().plan() + "}";
    String text =
        """
        version: 1
        name: matrix
        streams:
          - name: events
            checkpoint: {from: "%s", to: "%s"}
            sources: [%s]
            sink: {%s}
        """
            .formatted(
                stopped.checkpoint(),
                directory.resolve("new"),
                combination.operator().isJoin() ? source + ", " + source : source,
                String.join(", ", sinkKeys));
    return text
        + switch (combination.strategy()) {
          case RELOCATE_LIVE -> "    strategy: relocate\n    copy: live\n";
          case RELOCATE_ALL -> "    strategy: relocate\n    copy: all\n";
          case REWIND ->
              "    strategy: rewind\n    batch: "
                  + (combination.pending() == Pending.NONE
                      ? stopped.committed() - 1
                      : stopped.committed())
                  + (isAnew ? "\n    identity: new\n" : "\n");
          case REPLAY ->
              "    strategy: replay\n    query: {outputMode: %s, operators: [%s]}\n"
                      .formatted(combination.operator().outputMode(), combination.operator().plan())
                  + (source.contains("delta") ? "" : "    replay: {skew: 0s}\n");
        };
  }

  private static List<String> errors(JsonNode stream) {
    List<String> codes = new ArrayList<>();
    for (JsonNode finding : stream.path("findings")) {
      if (finding.path("severity").asText().equalsIgnoreCase("error")
          && !codes.contains(finding.path("code").asText())) {
        codes.add(finding.path("code").asText());
      }
    }
    return codes;
  }

  private static List<String> differences(List<String> expected, List<String> actual) {
    List<String> missing = new ArrayList<>(expected.stream().sorted().toList());
    List<String> differences = new ArrayList<>();
    for (String row : actual.stream().sorted().toList()) {
      if (!missing.remove(row)) {
        differences.add("too many: " + row);
      }
    }
    missing.forEach(row -> differences.add("missing: " + row));
    return differences;
  }

  private record Answer(int exit, String out, String err) {
    private String text() {
      return out + err;
    }
  }

  private Answer migrator(String command, String... more) {
    List<String> line = new ArrayList<>(List.of(command, plan.toString()));
    line.addAll(List.of(more));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    CliContext process = CliContext.ofProcess();
    int exit =
        Cli.run(
            line,
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            new CliContext(
                process.directory(),
                process.environment(),
                process.store(),
                process.clock(),
                process.ids(),
                () -> new SessionJobRunner(world.spark())));
    return new Answer(
        exit, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }
}
