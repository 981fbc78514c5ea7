package org.streammigrator.jobs.versions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.streammigrator.jobs.versions.SparkVersion.SPARK_3_5;
import static org.streammigrator.jobs.versions.SparkVersion.SPARK_4_0;
import static org.streammigrator.jobs.versions.SparkVersion.SPARK_4_1;
import static org.streammigrator.jobs.versions.SparkVersion.SPARK_4_2;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.io.FileUtils;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.streammigrator.jobs.versions.Migration.Strategy;

/**
 * Streams that ran on one version of Spark are migrated, and go on under the same version or
 * another one: what the sink holds in the end is what a computation without Spark says. The results
 * are in {@code target/spark-versions/results.md}.
 */
@Tag("spark")
@EnabledIfSystemProperty(
    named = "migrator.matrix",
    matches = ".+",
    disabledReason = "needs several versions of Spark; run by -Pspark-matrix")
class SparkVersionsTest {
  private static final List<List<SparkVersion>> PAIRS =
      List.of(
          List.of(SPARK_3_5, SPARK_3_5),
          List.of(SPARK_4_0, SPARK_4_0),
          List.of(SPARK_4_1, SPARK_4_1),
          List.of(SPARK_4_2, SPARK_4_2),
          List.of(SPARK_3_5, SPARK_4_2),
          List.of(SPARK_4_2, SPARK_3_5));

  private final Path root = Path.of("target/spark-versions").toAbsolutePath();

  @Test
  void everyVersionGoesOnFromWhatWasWritten() throws Exception {
    FileUtils.deleteDirectory(root.toFile());
    for (SparkVersion version : SparkVersion.values()) {
      runOldQueries(version);
    }
    Map<SparkVersion, List<Migration>> starts = new EnumMap<>(SparkVersion.class);
    List<Migration> all = new ArrayList<>();
    for (List<SparkVersion> pair : PAIRS) {
      for (Kind kind : Kind.values()) {
        for (Strategy strategy : Strategy.values()) {
          if (isTried(pair, kind) && (kind.isStateful() || strategy != Strategy.REPLAY)) {
            Migration migration = new Migration(root, pair.get(0), pair.get(1), kind, strategy);
            migration.carryOut();
            all.add(migration);
            starts.computeIfAbsent(pair.get(1), version -> new ArrayList<>()).add(migration);
          }
        }
      }
    }
    for (Map.Entry<SparkVersion, List<Migration>> started : starts.entrySet()) {
      List<String> tasks = new ArrayList<>();
      started.getValue().forEach(migration -> tasks.addAll(migration.tasks()));
      Map<String, String> results =
          started.getKey().run(root.resolve("new-" + started.getKey()), tasks);
      for (Migration migration : started.getValue()) {
        migration.judge(results);
      }
    }
    Map<String, String> unexpected = new LinkedHashMap<>();
    for (Migration migration : all) {
      if (!migration.outcome().equals(migration.expected())) {
        unexpected.put(migration.name(), migration.outcome());
      }
    }
    Files.writeString(root.resolve("results.md"), ResultTable.of(PAIRS, all));
    assertThat(unexpected).isEmpty();
  }

  /** Between versions one of the two RocksDB stores of format 1 is enough. */
  private static boolean isTried(List<SparkVersion> pair, Kind kind) {
    return kind.on(pair.get(0)) && (kind != Kind.ROCKSDB || pair.get(0) == pair.get(1));
  }

  private void runOldQueries(SparkVersion version) throws Exception {
    Path home = root.resolve("old-" + version);
    List<String> tasks = new ArrayList<>();
    Path source = home.resolve("source");
    tasks.add("append " + source + " 0 " + VersionEvents.BEFORE);
    List<String> names = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      if (kind.on(version)) {
        names.add(kind.label());
        tasks.add(
            "%s %s %s old append %s %s %s"
                .formatted(
                    kind.isStateful() ? "run" : "stop",
                    kind.label(),
                    kind.label(),
                    home.resolve(kind.label() + "-checkpoint"),
                    source,
                    home.resolve(kind.label() + "-sink")));
      }
    }
    tasks.add("append " + source + " " + VersionEvents.BEFORE + " " + VersionEvents.ALL);
    Map<String, String> results = version.run(home, tasks);
    for (String name : names) {
      assertThat(results.get(name)).as("%s on Spark %s", name, version).isEqualTo("ok");
    }
  }
}
