package org.streammigrator.jobs.restart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.streammigrator.cli.Cli;
import org.streammigrator.cli.CliContext;
import org.streammigrator.copy.CopyProgress;
import org.streammigrator.job.CopyResult;
import org.streammigrator.job.CopySpec;
import org.streammigrator.jobs.MemoryDirectory;
import org.streammigrator.jobs.copy.CopyJob;
import org.streammigrator.jobs.demo.DemoScene;
import org.streammigrator.jobs.session.LocalSpark;

/**
 * Real queries with state go on from checkpoints that executors copied: the sink holds everything
 * once, and the bytes are those that the program's own copy has.
 */
@Tag("spark")
class CopiedByExecutorsTest {
  @TempDir(factory = MemoryDirectory.class)
  Path directory;

  private static SparkSession spark;

  @BeforeAll
  static void open() {
    spark = LocalSpark.open("tests", DemoScene.SESSION);
  }

  @ParameterizedTest
  @CsvSource({"HDFS, live", "HDFS, all", "ROCKSDB, live", "CHANGELOG, live", "FORMAT_2, live"})
  void queryGoesOn(OldQuery query, String scope) throws IOException {
    Path old = directory.resolve("old");
    for (int number = 0; number < OldQuery.BATCHES; number++) {
      query.addInput(spark, input(), number);
    }
    RestartRun before = run(query, old);
    before.closeState(old, OldQuery.PARTITIONS, false);
    Path moved = directory.resolve("moved");

    CopyResult result =
        CopyJob.run(
            spark, spec(old, moved, scope), directory, Clock.systemUTC(), CopyProgress.NONE);

    assertThat(result.ok()).as(result.toString()).isTrue();
    assertThat(result.status()).isEqualTo("done");
    assertThat(result.tasks()).isPositive();
    Path own = directory.resolve("own");
    migrate(old, own, scope);
    assertThat(tree(moved)).isEqualTo(tree(own)).hasSize(result.files().intValue());
    assertThat(cli("verify", moved.toString())).contains("0: ");
    assertThat(besides(moved)).containsExactlyInAnyOrder("manifest.json", "journal");

    query.addInput(spark, input(), OldQuery.BATCHES);
    RestartRun after = run(query, moved);
    after.closeState(moved, OldQuery.PARTITIONS, false);
    assertThat(after.failure()).isEmpty();
    Map<Long, List<String>> sink = new TreeMap<>(before.batches());
    sink.putAll(after.batches());
    assertThat(after.batches().keySet()).allMatch(batch -> batch >= OldQuery.BATCHES);
    assertThat(query.sink(sink)).isEqualTo(query.everything());
  }

  private RestartRun run(OldQuery query, Path checkpoint) {
    return RestartRun.of(
        spark,
        query.rows(spark, input()),
        "update",
        checkpoint,
        query.conf(),
        Trigger.AvailableNow());
  }

  private Path input() {
    return directory.resolve("input");
  }

  private static CopySpec spec(Path from, Path to, String scope) {
    return new CopySpec(
        from.toString(),
        to.toString(),
        scope,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null);
  }

  private void migrate(Path from, Path to, String scope) throws IOException {
    Path plan =
        Files.writeString(
            directory.resolve("plan.yaml"),
            """
            version: 1
            name: own
            streams:
              - strategy: relocate
                copy: %s
                checkpoint: {from: %s, to: %s}
            """
                .formatted(scope, from, to));
    assertThat(cli("apply", plan.toString())).startsWith("0: ");
  }

  private static String cli(String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream print = new PrintStream(out, true, StandardCharsets.UTF_8);
    int exit = Cli.run(List.of(arguments), print, print, CliContext.ofProcess());
    return exit + ": " + out.toString(StandardCharsets.UTF_8);
  }

  /** What lies beside a copy for it. */
  private static List<String> besides(Path copy) throws IOException {
    String mark = "." + copy.getFileName() + ".migrator-";
    try (Stream<Path> files = Files.list(copy.getParent())) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.startsWith(mark))
          .map(name -> name.substring(mark.length()))
          .toList();
    }
  }

  /** Every file with its time and its bytes. */
  private static Map<String, String> tree(Path root) throws IOException {
    Map<String, String> tree = new TreeMap<>();
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        tree.put(
            root.relativize(file).toString(),
            Files.getLastModifiedTime(file)
                + " "
                + new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
      }
    }
    return tree;
  }
}
