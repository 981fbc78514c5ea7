package org.streammigrator.jobs.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.commons.codec.digest.DigestUtils;
import org.apache.commons.io.FileUtils;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.checkpoint.CheckpointReader;
import org.streammigrator.copy.CopyProgress;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.finding.Severity;
import org.streammigrator.job.RepartitionResult;
import org.streammigrator.job.RepartitionResult.StoreRows;
import org.streammigrator.job.RepartitionSpec;
import org.streammigrator.jobs.demo.DemoScene;
import org.streammigrator.jobs.matrix.Combination.Pending;
import org.streammigrator.jobs.matrix.Combination.Store;
import org.streammigrator.jobs.repartition.RepartitionJob;
import org.streammigrator.jobs.session.LocalSpark;
import org.streammigrator.storage.LocalStore;
import org.streammigrator.storage.Location;
import org.streammigrator.verdict.Inspector;

/**
 * A real stream is stopped, its state repartitioned from 4 to 7 and to 2 partitions, and run to its
 * end: its sink then holds the rows of a run that was never stopped. What Spark cannot repartition
 * is refused, and nothing is written.
 *
 * <p>A default build runs a few; with {@code -Drepartition.matrix=PATTERN} every operator and store
 * that the pattern finds, and with both numbers.
 */
@Tag("spark")
class RepartitionTest {
  private static final int BEFORE = 4;
  private static final List<String> DEFAULT =
      List.of(
          "WINDOW_APPEND ROCKSDB",
          "JOIN_INNER CHANGELOG",
          "TRANSFORM_WITH_STATE CHANGELOG",
          "DEDUPE_EVENT_TIME FORMAT_2",
          "WINDOW_APPEND HDFS");

  @TempDir static Path shared;
  private static SparkSession spark;
  private static MatrixWorld world;

  /** An operator, and where its state is. */
  record Kept(MatrixOperator operator, Store store) {
    static Kept parse(String text) {
      String[] parts = text.split(" ");
      return new Kept(MatrixOperator.valueOf(parts[0]), Store.valueOf(parts[1]));
    }

    @Override
    public String toString() {
      return operator + " " + store;
    }
  }

  @BeforeAll
  static void start() {
    spark = LocalSpark.open("tests", DemoScene.SESSION);
    world = new MatrixWorld(spark, shared);
  }

  @AfterAll
  static void stop() {
    world.close();
  }

  static Stream<Kept> kept() {
    String chosen = System.getProperty("repartition.matrix");
    if (chosen == null) {
      return DEFAULT.stream().map(Kept::parse);
    }
    Pattern pattern = Pattern.compile(chosen);
    return Combination.all().stream()
        .map(one -> new Kept(one.operator(), one.store()))
        .distinct()
        .filter(one -> pattern.matcher(one.toString()).find());
  }

  @ParameterizedTest
  @MethodSource("kept")
  void goesOnExactly(Kept kept) throws Exception {
    Map<String, String> conf = new HashMap<>(kept.store().conf(kept.operator()));
    conf.put("spark.sql.shuffle.partitions", Integer.toString(BEFORE));
    Map<String, String> previous = new HashMap<>();
    conf.forEach(
        (key, value) -> {
          previous.put(key, spark.conf().getOption(key).getOrElse(() -> null));
          spark.conf().set(key, value);
        });
    try {
      Path home = Files.createDirectories(shared.resolve(kept.toString()));
      OldStream old = OldStream.run(world, MatrixSource.FILES, kept.operator(), home, false);
      if (kept.store() == Store.HDFS) {
        refuses(
            old, Files.createDirectories(home.resolve("refused")), Pending.NONE, "NOT_AVAILABLE");
      } else {
        for (int partitions : numbers(kept)) {
          goesOn(kept, old, Files.createDirectories(home.resolve("to " + partitions)), partitions);
        }
        refuses(
            old, Files.createDirectories(home.resolve("pending")), Pending.NOT_IN, "PENDING_BATCH");
      }
    } finally {
      previous.forEach(
          (key, value) -> {
            if (value == null) {
              spark.conf().unset(key);
            } else {
              spark.conf().set(key, value);
            }
          });
    }
  }

  /** Both in the full matrix, and for what is compared first. */
  private static List<Integer> numbers(Kept kept) {
    if (System.getProperty("repartition.matrix") != null) {
      return List.of(7, 2);
    }
    return switch (kept.operator()) {
      case WINDOW_APPEND -> List.of(7, 2);
      case JOIN_INNER, TRANSFORM_WITH_STATE -> List.of(2);
      default -> List.of(7);
    };
  }

  private static void goesOn(Kept kept, OldStream old, Path directory, int partitions)
      throws Exception {
    OldStream.Stopped stopped = old.stopped(Pending.NONE, directory);
    Map<String, String> before = content(stopped.checkpoint());
    Path target = directory.resolve("new");
    if (partitions == 7) {
      leaveHalf(stopped, target);
    }
    RepartitionResult result = repartition(stopped.checkpoint(), target, partitions);
    assertThat(result.status()).as(result.message() + result.findings()).isEqualTo("done");
    assertThat(content(stopped.checkpoint())).isEqualTo(before);
    assertThat(result.partitionsBefore()).isEqualTo(BEFORE);
    assertThat(result.batch()).isEqualTo(stopped.committed() + 1);
    assertThat(result.stores()).isNotEmpty().allMatch(StoreRows::isSame);
    assertThat(result.stores().stream().mapToLong(StoreRows::rows).sum()).isPositive();
    assertThat(names(directory))
        .containsExactly(".new.migrator-manifest.json", "new", "old", "sink");
    Checkpoint made = new CheckpointReader(new LocalStore()).read(location(target));
    assertThat(made.operators())
        .allSatisfy(operator -> assertThat(operator.partitions()).hasSize(partitions));
    assertThat(codes(new CheckpointReader(new LocalStore()).read(location(stopped.checkpoint()))))
        .containsAll(codes(made));
    FileUtils.copyDirectory(target.toFile(), work(target).toFile());
    assertThat(repartition(stopped.checkpoint(), target, partitions).status())
        .isEqualTo("unchanged");
    assertThat(work(target)).doesNotExist();
    MatrixSink sink = MatrixSink.of(spark, kept.operator(), stopped.sink(), false);
    List<String> there = sink.rows();
    sink.run(kept.operator().before(old.feed()), target, Trigger.AvailableNow());
    assertThat(sink.rows()).as("something was left to write").isNotEqualTo(there);
    assertThat(sink.rows()).containsExactlyInAnyOrderElementsOf(old.rows());
    assertThat(Files.readString(newest(target.resolve("offsets"))))
        .contains("\"spark.sql.shuffle.partitions\":\"" + partitions + "\"");
  }

  private static Path work(Path target) {
    return target.resolveSibling("." + target.getFileName() + ".migrator-repartition");
  }

  /** What a run leaves that is killed while Spark repartitions, and one that is while it copies. */
  private static void leaveHalf(OldStream.Stopped stopped, Path target) throws IOException {
    Path work = work(target);
    FileUtils.copyDirectory(stopped.checkpoint().toFile(), work.toFile());
    Path plan = work.resolve("offsets/" + stopped.committed());
    Files.writeString(
        work.resolve("offsets/" + (stopped.committed() + 1)),
        Files.readString(plan)
            .replace(
                "\"spark.sql.shuffle.partitions\":\"4\"",
                "\"spark.sql.shuffle.partitions\":\"5\""));
    Path staging = target.resolveSibling("." + target.getFileName() + ".migrator-staging");
    Files.createDirectories(staging.resolve("state/0/0"));
    Files.writeString(staging.resolve("state/0/0/99.zip"), "cut short");
    Files.writeString(staging.resolve("metadata"), "cut short");
  }

  private static void refuses(OldStream old, Path directory, Pending pending, String code)
      throws Exception {
    OldStream.Stopped stopped = old.stopped(pending, directory);
    Map<String, String> before = content(directory);
    RepartitionResult result = repartition(stopped.checkpoint(), directory.resolve("new"), 7);
    assertThat(result.status()).isEqualTo("refused");
    assertThat(result.findings())
        .filteredOn(finding -> finding.path("severity").asText().equals("error"))
        .isNotEmpty()
        .allSatisfy(finding -> assertThat(finding.path("code").asText()).isEqualTo(code));
    assertThat(content(directory)).isEqualTo(before);
  }

  private static RepartitionResult repartition(Path from, Path to, int partitions)
      throws IOException {
    return RepartitionJob.run(
        spark,
        RepartitionSpec.of(from.toString(), to.toString(), partitions),
        shared,
        Clock.systemUTC(),
        CopyProgress.NONE);
  }

  private static List<FindingCode> codes(Checkpoint checkpoint) {
    return Inspector.inspect(checkpoint, Map.of()).findings().stream()
        .filter(finding -> finding.severity() != Severity.INFO)
        .map(Finding::code)
        .toList();
  }

  private static Location location(Path path) {
    return Location.parse(path.toString(), path.getRoot());
  }

  private static Path newest(Path log) throws IOException {
    try (Stream<Path> files = Files.list(log)) {
      return files
          .filter(file -> file.getFileName().toString().matches("[0-9]+"))
          .max((a, b) -> Long.compare(number(a), number(b)))
          .orElseThrow();
    }
  }

  private static long number(Path file) {
    return Long.parseLong(file.getFileName().toString());
  }

  private static List<String> names(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private static Map<String, String> content(Path directory) throws IOException {
    Map<String, String> content = new TreeMap<>();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.toList()) {
        content.put(
            directory.relativize(file).toString(),
            Files.isDirectory(file)
                ? "directory"
                : DigestUtils.sha256Hex(Files.readAllBytes(file))
                    + " "
                    + Files.getLastModifiedTime(file));
      }
    }
    return content;
  }
}
