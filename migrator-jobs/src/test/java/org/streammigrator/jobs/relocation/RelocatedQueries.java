package org.streammigrator.jobs.relocation;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.DataStreamWriter;
import org.apache.spark.sql.streaming.StreamingQueryException;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.streammigrator.cli.Cli;
import org.streammigrator.cli.CliContext;
import org.streammigrator.jobs.demo.DemoScene;
import org.streammigrator.jobs.session.LocalSpark;

/** Queries over files that are run, moved and run again. */
abstract class RelocatedQueries {
  static SparkSession spark;

  @TempDir Path directory;
  private Path plan;

  @BeforeAll
  static void open() {
    spark = LocalSpark.open("tests", DemoScene.SESSION);
  }

  static Dataset<Row> json(Path input) {
    return spark
        .readStream()
        .schema("id long, k string")
        .option("maxFilesPerTrigger", "2")
        .json(input.toString());
  }

  static void run(
      Dataset<Row> rows, String format, Path checkpoint, Path sink, Map<String, String> conf)
      throws TimeoutException, StreamingQueryException {
    Map<String, String> settings = new HashMap<>(conf);
    settings.forEach(spark.conf()::set);
    try {
      DataStreamWriter<Row> writer =
          rows.writeStream()
              .format(format)
              .outputMode("append")
              .option("checkpointLocation", checkpoint.toString())
              .trigger(Trigger.AvailableNow());
      if (format.equals("parquet")) {
        writer = writer.partitionBy("k");
      }
      writer.start(sink.toString()).awaitTermination();
    } finally {
      settings.keySet().forEach(spark.conf()::unset);
    }
  }

  Path apply(String stream) throws IOException {
    plan = Files.createTempDirectory(directory, "plan").resolve("plan.yaml");
    Files.writeString(plan, "version: 1\nname: moved\nstreams:\n  -\n" + stream.indent(4), UTF_8);
    migrator("apply");
    String to = stream.replaceAll("(?s).*, to: \"([^\"]*)\"}\n(sources|sink).*", "$1");
    return Path.of(to);
  }

  /** Runs a command on the plan that was applied last. */
  void migrator(String command) {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(text, true, UTF_8);
    int exit = Cli.run(List.of(command, plan.toString()), out, out, CliContext.ofProcess());
    assertThat(exit).as(text.toString(UTF_8)).isZero();
  }

  /** File i holds the rows 2i and 2i + 1; its name is a hard one. */
  static void writeRows(Path input, int from, int to) throws IOException {
    Files.createDirectories(input);
    List<String> names =
        List.of("a b", "100%", "dt=1", "日本 é", "x#y", "p+q&r", "%20", "it's", "(1)");
    for (int i = from; i < to; i++) {
      Files.writeString(
          input.resolve(i + " " + names.get(i % names.size()) + ".json"),
          "{\"id\":%d,\"k\":\"x %%\"}\n{\"id\":%d,\"k\":\"é=\"}\n".formatted(2 * i, 2 * i + 1));
    }
  }

  static List<Long> ids(Dataset<Row> rows) {
    return rows.select("id").collectAsList().stream().map(row -> row.getLong(0)).sorted().toList();
  }

  static List<Long> upTo(long end) {
    return LongStream.range(0, end).boxed().toList();
  }

  static void rename(Path path) throws IOException {
    Files.move(path, path.resolveSibling(path.getFileName() + ".gone"));
  }

  static void assertNothingNames(Path root, String text) throws IOException {
    String bytes = new String(text.getBytes(UTF_8), ISO_8859_1);
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        assertThat(Files.readString(file, ISO_8859_1)).as(file.toString()).doesNotContain(bytes);
      }
    }
  }

  static void copyData(Path from, Path to) throws IOException {
    copy(from, to, path -> !path.startsWith("_spark_metadata"));
  }

  static void copyAll(Path from, Path to) throws IOException {
    copy(from, to, path -> true);
  }

  static void copy(Path from, Path to, Predicate<String> wanted) throws IOException {
    Files.createDirectories(to);
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        String path = from.relativize(file).toString();
        if (wanted.test(path) && !path.isEmpty()) {
          Files.copy(file, to.resolve(path), StandardCopyOption.COPY_ATTRIBUTES);
        }
      }
    }
  }
}
