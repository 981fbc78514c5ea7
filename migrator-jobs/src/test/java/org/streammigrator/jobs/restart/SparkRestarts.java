package org.streammigrator.jobs.restart;

import static org.streammigrator.jobs.restart.SparkQuery.Input.events;
import static org.streammigrator.jobs.restart.SparkQuery.Input.ints;
import static org.streammigrator.jobs.restart.SparkQuery.Input.named;
import static org.streammigrator.jobs.restart.SparkQuery.Input.pairs;
import static org.streammigrator.jobs.restart.SparkQuery.Input.range;
import static org.streammigrator.jobs.restart.SparkQuery.Input.texts;
import static org.streammigrator.jobs.restart.SparkQuery.of;
import static org.streammigrator.jobs.restart.SparkQuery.once;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import scala.Tuple2;
import scala.Tuple3;

/**
 * The checkpoints that Spark keeps for its own tests, with the queries and the rows of the test
 * suites that read them. Left out are those that no query of this module can restart: the one of
 * Kafka, which needs a broker, and the one whose query takes an initial state.
 */
final class SparkRestarts {
  private static final String PARTITIONS = "spark.sql.shuffle.partitions";

  private static final Map<String, String> FORMAT_2 =
      Map.of("spark.sql.streaming.stateStore.checkpointFormatVersion", "2");

  private SparkRestarts() {}

  /**
   * A checkpoint with its query.
   *
   * @param path its place in the test jar
   * @param restarts whether Spark 4.2 restarts it
   * @param said whether the reader says so; where it differs, the checkpoint does not tell
   * @param rows what the restarted query gives its sink after the batches that were planned
   */
  record Restart(
      String path, SparkQuery.Maker query, boolean restarts, boolean said, List<String> rows) {
    static Restart good(String path, SparkQuery.Maker query, String... rows) {
      return new Restart(path, query, true, true, List.of(rows));
    }

    /** It restarts once what the finding advises is done. */
    static Restart helped(String path, SparkQuery.Maker query, String... rows) {
      return new Restart(path, query, true, false, List.of(rows));
    }

    static Restart bad(String path, SparkQuery.Maker query) {
      return new Restart(path, query, false, false, List.of());
    }

    /**
     * It does not restart, because of what the query does, which no checkpoint of that age tells.
     */
    static Restart untold(String path, SparkQuery.Maker query) {
      return new Restart(path, query, false, true, List.of());
    }

    @Override
    public String toString() {
      return path;
    }
  }

  static List<Restart> all() {
    List<Restart> all = new ArrayList<>();
    all.add(
        Restart.good(
            "checkpoint-version-2.1.0",
            of(
                "complete",
                Map.of(PARTITIONS, "10"),
                ints(List.of(range(1, 4), range(3, 6), range(5, 8), List.of(9))),
                SparkQueries.COUNT),
            "[1,1]",
            "[2,1]",
            "[3,2]",
            "[4,2]",
            "[5,2]",
            "[6,2]",
            "[7,1]",
            "[8,1]",
            "[9,1]"));
    all.add(
        Restart.bad(
            "checkpoint-test-offsetId-commitId-inconsistent",
            of("append", ints(List.of(List.of(0), List.of(1))), rows -> rows)));
    all.add(
        Restart.good(
            "checkpoint-version-2.3.1-for-multi-watermark-policy",
            SparkQueries.twoInputs(
                ints(List.of(List.of(20), List.of(10), List.of(120))),
                ints(List.of(List.of(30), List.of(130)))),
            "[120]",
            "[130]"));
    all.add(
        Restart.good(
            "checkpoint-version-2.3.1-streaming-aggregate-state-format-1",
            of("update", ints(List.of(List.of(3), List.of(3, 2), range(1, 3))), SparkQueries.COUNT),
            "[1,1]",
            "[2,2]",
            "[3,3]"));
    all.add(
        Restart.good(
            "checkpoint-version-2.3.1-without-commit-log-metadata",
            of(
                "append",
                ints(List.of(List.of(15), List.of(10, 12, 14), List.of(25))),
                SparkQueries.WINDOWS),
            "[10,3]"));
    all.add(
        Restart.good(
            "checkpoint-version-2.3.1-flatMapGroupsWithState-state-format-1",
            of(
                "update",
                named(
                    List.of(
                        List.of(at("a", 11), at("a", 13), at("a", 15)),
                        List.of(at("a", 4)),
                        List.of(at("a", 10)))),
                SparkQueries.NEWEST_TIME),
            "[a,15]"));
    for (String version :
        List.of("3.1.0-flatmapgroupswithstate", "3.2.0-flatmapgroupswithstate2")) {
      all.add(
          Restart.good(
              "checkpoint-version-" + version + "-repartition",
              once(
                  "update",
                  events(List.of(List.of(event("a", "a", 1)), List.of(event("a", "a", 2)))),
                  SparkQueries.COUNT_EVENTS),
              "[aa2]"));
    }
    joins(all);
    all.addAll(FormatRestarts.all());
    distinct(all);
    aggregates(all);
    others(all);
    return all;
  }

  private static Tuple2<String, Object> at(String key, int seconds) {
    return new Tuple2<>(key, seconds);
  }

  private static Tuple3<String, String, Object> event(String first, String second, long seconds) {
    return new Tuple3<>(first, second, seconds);
  }

  private static void joins(List<Restart> all) {
    all.add(
        Restart.bad(
            "checkpoint-version-2.4.0-streaming-join",
            of("append", pairs(List.of(range(1, 5), range(6, 10))), SparkQueries.JOIN)));
    all.add(
        Restart.helped(
            "checkpoint-version-2.4.0-streaming-join",
            of(
                "append",
                Map.of("spark.sql.streaming.stateStore.stateSchemaCheck", "false"),
                pairs(List.of(range(1, 5), range(6, 10))),
                SparkQueries.JOIN),
            "[10,10,10,10]",
            "[6,6,6,6]",
            "[8,8,8,8]"));
    all.add(
        Restart.good(
            "checkpoint-version-3.5.1-streaming-join",
            of("append", pairs(List.of(range(1, 5), range(6, 10))), SparkQueries.JOIN),
            "[10,10,10,10]",
            "[6,6,6,6]",
            "[8,8,8,8]"));
    for (String path :
        List.of(
            "checkpoint-version-4.0.0/hdfs/join1",
            "checkpoint-version-4.0.0/hdfs/join2",
            "checkpoint-version-4.0.0/rocksdb/join1",
            "checkpoint-version-4.0.0/rocksdb/join2",
            "checkpoint-version-4.0.0-checkpoint-v2/rocksdb/join1",
            "checkpoint-version-4.0.0-checkpoint-v2/rocksdb/join2")) {
      all.add(
          Restart.good(
              path,
              of(
                  "append",
                  format(path),
                  pairs(List.of(range(1, 5), range(6, 10), range(11, 15), range(16, 20))),
                  SparkQueries.JOIN),
              "[16,16,16,16]",
              "[18,18,18,18]",
              "[20,20,20,20]"));
    }
  }

  private static Map<String, String> format(String path) {
    return path.contains("checkpoint-v2") ? FORMAT_2 : Map.of();
  }

  private static void distinct(List<Restart> all) {
    all.add(
        Restart.good(
            "checkpoint-version-3.2.0-deduplication-with-repartition",
            of(
                "update",
                Map.of(PARTITIONS, "5"),
                ints(List.of(List.of(1, 1, 2), List.of(3, 4), List.of(3, 5))),
                SparkQueries.DISTINCT_KEYS_REPARTITIONED),
            "[5,10,15]"));
    for (String version : List.of("3.3.0", "3.5.1")) {
      all.add(
          Restart.good(
              "checkpoint-version-" + version + "-streaming-deduplication",
              of(
                  "append",
                  named(
                      List.of(
                          List.of(at("a", 1)),
                          List.of(at("a", 2), at("b", 3)),
                          List.of(at("a", 5), at("b", 2), at("c", 9)))),
                  SparkQueries.DISTINCT_FIRST),
              "[c,9]"));
    }
    all.add(
        Restart.good(
            "checkpoint-version-4.0.1-dedup-spark-53942",
            of(
                "append",
                Map.of(PARTITIONS, "1"),
                ints(List.of(List.of(1, 1, 2, 3, 4), List.of(2, 3, 3, 4, 5))),
                SparkQueries.DISTINCT_KEYS),
            "[5,10,15]"));
    for (String path :
        List.of(
            "checkpoint-version-4.0.0/hdfs/dedup",
            "checkpoint-version-4.0.0/rocksdb/dedup",
            "checkpoint-version-4.0.0-checkpoint-v2/rocksdb/dedup")) {
      all.add(
          Restart.good(
              path,
              of("append", format(path), overlapping(), SparkQueries.DISTINCT_FIRST),
              "[7,7]"));
    }
    for (String path :
        List.of(
            "checkpoint-version-4.0.0/hdfs/limit",
            "checkpoint-version-4.0.0/rocksdb/limit",
            "checkpoint-version-4.0.0-checkpoint-v2/rocksdb/limit")) {
      all.add(
          Restart.good(
              path,
              of(
                  "append",
                  format(path),
                  pairs(
                      List.of(range(1, 3), range(4, 6), range(7, 9), range(10, 12), range(13, 15))),
                  SparkQueries.LIMIT)));
    }
  }

  private static SparkQuery.Input<?> overlapping() {
    return pairs(List.of(range(1, 3), range(2, 4), range(3, 5), range(4, 6), range(6, 7)));
  }

  private static void aggregates(List<Restart> all) {
    all.add(
        Restart.good(
            "checkpoint-version-3.0.0-streaming-statestore-codec",
            of("update", ints(List.of(range(1, 3), range(1, 2))), SparkQueries.COUNT),
            "[1,2]",
            "[2,2]"));
    all.add(
        Restart.good(
            "checkpoint-version-3.2.0-streaming-aggregate-with-repartition",
            of(
                "update",
                Map.of(PARTITIONS, "5"),
                ints(List.of(List.of(3), List.of(3, 2), range(1, 3))),
                SparkQueries.COUNT_KEYS_REPARTITIONED),
            "[1,2,1]",
            "[2,4,2]",
            "[3,6,3]"));
    all.add(
        Restart.good(
            "checkpoint-version-3.2.0-session-window-with-repartition",
            of(
                "append",
                Map.of(PARTITIONS, "5"),
                events(
                    List.of(
                        List.of(
                            event("hello world spark streaming", "key1", 40),
                            event("world hello structured streaming", "key2", 41)),
                        List.of(event("late", "key3", 200)))),
                SparkQueries.SESSIONS),
            "[hello,key1,40,1]",
            "[hello,key2,41,1]",
            "[spark,key1,40,1]",
            "[streaming,key1,40,1]",
            "[streaming,key2,41,1]",
            "[structured,key2,41,1]",
            "[world,key1,40,1]",
            "[world,key2,41,1]"));
    for (String store : List.of("hdfs", "rocksdb")) {
      all.add(
          Restart.good(
              "checkpoint-version-4.0.0/" + store + "/agg",
              of("update", overlapping(), SparkQueries.COUNT_BY_FIRST),
              "[6,2]",
              "[7,1]"));
    }
  }

  private static void others(List<Restart> all) {
    for (String encoding : List.of("avro", "unsaferow")) {
      all.add(
          Restart.untold(
              "checkpoint-version-4.0.0-tws-" + encoding,
              of(
                  "update",
                  texts(List.of(List.of("a"), List.of("a"), List.of("new"))),
                  SparkQueries.COUNT_TEXTS)));
    }
    all.add(
        Restart.good(
            "escaped-path-2.4.0/chk%252520%252525@%252523chk",
            of("append", ints(List.of(List.of(1), List.of(7))), rows -> rows), "[7]"));
  }
}
