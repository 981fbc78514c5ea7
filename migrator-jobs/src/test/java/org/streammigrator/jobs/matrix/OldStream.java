package org.streammigrator.jobs.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;
import org.apache.spark.sql.streaming.Trigger;

/** A stream that ran over all events, and what it was like when it had read a part of them. */
final class OldStream {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final Pattern STATE =
      Pattern.compile("\\.?([0-9]+)(_[0-9a-f-]{36})?\\.(delta|snapshot|zip|changelog)(\\.crc)*");

  private final Path checkpoint;
  private final Path sink;
  private final Feed feed;
  private final MatrixOperator operator;
  private final List<String> rows;

  private OldStream(
      Path checkpoint, Path sink, Feed feed, MatrixOperator operator, List<String> rows) {
    this.checkpoint = checkpoint;
    this.sink = sink;
    this.feed = feed;
    this.operator = operator;
    this.rows = rows;
  }

  /** A checkpoint and a sink. */
  record Stopped(Path checkpoint, Path sink, long planned, long committed) {}

  /**
   * Runs a stream to its end, idle once on the way.
   *
   * @param isDelta whether its sink is a real Delta table
   */
  static OldStream run(
      MatrixWorld world,
      MatrixSource source,
      MatrixOperator operator,
      Path directory,
      boolean isDelta)
      throws Exception {
    Feed feed = source.open(world, directory);
    Path checkpoint = directory.resolve("whole");
    Path sink = directory.resolve("whole-sink");
    MatrixSink writer = MatrixSink.of(world.spark(), operator, sink, isDelta);
    feed.deliverFirst();
    writer.run(operator.before(feed), checkpoint, Trigger.AvailableNow());
    feed.deliverRest();
    writer.run(operator.before(feed), checkpoint, Trigger.AvailableNow());
    OldStream stream = new OldStream(checkpoint, sink, feed, operator, writer.rows());
    int idle = operator.hasWatermark() ? 2 : 0;
    try (Stream<Path> commits = Files.list(checkpoint.resolve("commits"))) {
      assertThat(commits.filter(file -> file.getFileName().toString().matches("[0-9]+")).count())
          .as("batches, with those without data")
          .isEqualTo(Events.batches() + idle);
    }
    String position = Files.readString(checkpoint.resolve("offsets/" + stream.cut()));
    if (source == MatrixSource.DELTA_MID_VERSION) {
      assertThat(position).doesNotContain("\"index\":-1");
    } else if (source == MatrixSource.DELTA_BETWEEN_VERSIONS) {
      assertThat(position).contains("\"index\":-1");
    }
    return stream;
  }

  Feed feed() {
    return feed;
  }

  /** All rows that it wrote. */
  List<String> rows() {
    return rows;
  }

  /** The batch after which it is stopped: two with data after the one without. */
  long cut() {
    return Events.FIRST + (operator.hasWatermark() ? 2 : 1);
  }

  /** What it was like after {@link #cut}, or when the batch after that was under way. */
  Stopped stopped(Combination.Pending pending, Path directory) throws IOException {
    Path copy = directory.resolve("old");
    Path copiedSink = directory.resolve("sink");
    // Spark's maintenance may be writing a snapshot, whose temporary file is gone a moment later.
    FileUtils.copyDirectory(
        checkpoint.toFile(), copy.toFile(), file -> !file.getName().endsWith(".tmp"));
    FileUtils.copyDirectory(sink.toFile(), copiedSink.toFile());
    long committed = cut();
    long planned = pending == Combination.Pending.NONE ? committed : committed + 1;
    removeAbove(copy.resolve("offsets"), planned);
    removeAbove(copy.resolve("commits"), committed);
    removeReadLater(copy, planned);
    removeState(copy, planned + 1);
    long written = pending == Combination.Pending.IN ? planned : committed;
    removeWrittenLater(copiedSink.resolve("_delta_log"), written);
    return new Stopped(copy, copiedSink, planned, committed);
  }

  private static void removeAbove(Path log, long newest) throws IOException {
    for (Path file : files(log)) {
      String number = file.getFileName().toString().replaceAll("^\\.|\\.crc$|\\.compact", "");
      if (number.matches("[0-9]+") && Long.parseLong(number) > newest) {
        Files.delete(file);
      }
    }
  }

  private static void removeReadLater(Path checkpoint, long planned) throws IOException {
    List<String> lines = Files.readAllLines(checkpoint.resolve("offsets/" + planned));
    for (int source = 0; source < lines.size() - 2; source++) {
      JsonNode offset = MAPPER.readTree(lines.get(source + 2)).path("logOffset");
      if (offset.isNumber()) {
        removeAbove(checkpoint.resolve("sources/" + source), offset.asLong());
      }
    }
  }

  /** A batch that died in its sink has left its state behind. */
  private static void removeState(Path checkpoint, long newest) throws IOException {
    try (Stream<Path> files = Files.walk(checkpoint.resolve("state"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Matcher name = STATE.matcher(file.getFileName().toString());
        if (name.matches() && Long.parseLong(name.group(1)) > newest) {
          Files.delete(file);
        }
      }
    }
  }

  private static void removeWrittenLater(Path log, long newest) throws IOException {
    TreeMap<Long, Long> batches = new TreeMap<>();
    for (Path file : files(log)) {
      if (file.getFileName().toString().matches("[0-9]+\\.json")) {
        long version = Long.parseLong(file.getFileName().toString().replace(".json", ""));
        for (String line : Files.readAllLines(file)) {
          JsonNode transaction = MAPPER.readTree(line).path("txn");
          if (transaction.isObject()) {
            batches.put(version, transaction.path("version").asLong());
          }
        }
      }
    }
    long kept =
        batches.entrySet().stream()
            .filter(entry -> entry.getValue() <= newest)
            .mapToLong(entry -> entry.getKey())
            .max()
            .orElseThrow();
    for (Path file : files(log)) {
      String name = file.getFileName().toString().replaceAll("^\\.", "");
      if (name.equals("_last_checkpoint")
          || name.matches("[0-9]{20}\\..*") && Long.parseLong(name.substring(0, 20)) > kept) {
        Files.delete(file);
      }
    }
  }

  private static List<Path> files(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(Files::isRegularFile).toList();
    }
  }
}
