package org.streammigrator.jobs.restart;

import static org.streammigrator.jobs.restart.Damage.of;
import static org.streammigrator.jobs.restart.Damage.undecided;
import static org.streammigrator.jobs.restart.Damage.unseen;
import static org.streammigrator.jobs.restart.OldQuery.CHANGELOG;
import static org.streammigrator.jobs.restart.OldQuery.FORMAT_2;
import static org.streammigrator.jobs.restart.OldQuery.HDFS;
import static org.streammigrator.jobs.restart.OldQuery.ROCKSDB;

import java.util.ArrayList;
import java.util.List;

/** Damage to state, and to the logs of queries that have state. */
final class StateDamages {
  private static final String PLAN = "offsets/" + Damaged.NEWEST;
  private static final String BEFORE = "offsets/" + (Damaged.NEWEST - 1);
  private static final String COMMIT = "commits/" + Damaged.NEWEST;
  private static final String COMMIT_BEFORE = "commits/" + (Damaged.NEWEST - 1);

  /** The version of the state that the next batch reads. */
  private static final int VERSION = Damaged.NEWEST + 1;

  private static final String FIRST = "state/0/0";
  private static final String SCHEMA = FIRST + "/_metadata/schema";
  private static final String OPERATOR = "state/0/_metadata/metadata";

  private StateDamages() {}

  static List<Damage> all() {
    List<Damage> all = new ArrayList<>();
    names(all);
    for (OldQuery query : List.of(HDFS, ROCKSDB, CHANGELOG, FORMAT_2)) {
      logs(all, query);
    }
    deltas(all);
    places(all);
    partitions(all);
    schemas(all);
    zips(all);
    changelogs(all);
    ids(all);
    return all;
  }

  private static void logs(List<Damage> all, OldQuery query) {
    all.add(of(query, "none", copy -> {}));
    all.add(of(query, "newest commit gone", copy -> copy.delete(COMMIT)));
    all.add(of(query, "two newest commits gone", c -> c.delete(COMMIT).delete(COMMIT_BEFORE)));
    all.add(of(query, "every commit gone", c -> c.deleteAll("commits").directory("commits")));
    all.add(of(query, "newest plan and commit gone", c -> c.delete(PLAN).delete(COMMIT)));
    all.add(of(query, "every plan gone", c -> c.deleteAll("offsets").directory("offsets")));
    all.add(
        of(query, "offsets/ and commits/ gone", c -> c.deleteAll("offsets").deleteAll("commits")));
    all.add(
        query == FORMAT_2
            ? of(query, "state/ gone", copy -> copy.deleteAll("state"))
            : undecided(
                query,
                "state/ gone",
                "a watermark alone does not prove that a query keeps state",
                copy -> copy.deleteAll("state")));
    all.add(of(query, "a partition gone", copy -> copy.deleteAll("state/0/1")));
  }

  /** Names that people and tools leave behind in a store's directory. */
  private static void names(List<Damage> all) {
    for (String name :
        List.of("x.snapshot", "x.delta", "notes.txt", "1 copy.delta", "1.delta.bak", "README")) {
      all.add(of(HDFS, name, copy -> copy.duplicate(FIRST + "/1.delta", FIRST + "/" + name)));
    }
    for (OldQuery query : List.of(ROCKSDB, CHANGELOG, FORMAT_2)) {
      for (String name :
          List.of("x.zip", "1 copy.zip", "1.zip.bak", "notes.txt", "x.changelog", "README")) {
        all.add(of(query, name, copy -> copy.duplicate(OPERATOR, FIRST + "/" + name)));
      }
    }
  }

  private static void deltas(List<Damage> all) {
    all.add(
        of(
            HDFS,
            "newest delta gone, no snapshot",
            copy -> {
              snapshots(copy);
              copy.delete(FIRST + "/" + VERSION + ".delta");
            }));
    all.add(of(HDFS, "snapshots gone", StateDamages::snapshots));
    all.add(
        of(
            HDFS,
            "snapshots and oldest delta gone",
            copy -> {
              snapshots(copy);
              copy.delete(FIRST + "/1.delta");
            }));
    all.add(
        of(
            HDFS,
            "snapshots gone and newest delta empty",
            copy -> {
              snapshots(copy);
              copy.empty(FIRST + "/" + VERSION + ".delta");
            }));
    all.add(
        of(
            HDFS,
            "deltas that a snapshot covers gone",
            copy -> {
              String snapshot = copy.newest(FIRST, "\\d+\\.snapshot");
              int covered = Integer.parseInt(snapshot.replaceAll("\\D*\\d+/\\d+/(\\d+).*", "$1"));
              for (int version = 1; version <= covered; version++) {
                copy.delete(FIRST + "/" + version + ".delta");
              }
            }));
    all.add(
        of(
            HDFS,
            "newest snapshot empty and its deltas gone",
            copy -> {
              String snapshot = copy.newest(FIRST, "\\d+\\.snapshot");
              copy.empty(snapshot);
              copy.delete(FIRST + "/1.delta");
            }));
  }

  private static void snapshots(Damaged copy) throws java.io.IOException {
    for (String partition : List.of(FIRST, "state/0/1")) {
      for (String file : copy.stateFiles(partition, "\\d+\\.snapshot")) {
        copy.delete(file);
      }
    }
  }

  private static void places(List<Damage> all) {
    all.add(
        of(
            HDFS,
            "hidden checksum of a later version",
            copy -> copy.write(FIRST + "/.6.delta.crc", "x")));
    all.add(
        of(HDFS, "a file of an unfinished write", c -> c.write(FIRST + "/.6.delta.0a.tmp", "x")));
    all.add(
        undecided(
            HDFS,
            "an operator more",
            "what operators the query has is not in the checkpoint",
            copy -> copy.duplicate(FIRST + "/1.delta", "state/1/0/1.delta")));
    all.add(
        unseen(
            HDFS,
            "watermark in the newest plan far ahead",
            "any time may be the newest that was read",
            copy ->
                copy.edit(PLAN, "batchWatermarkMs\":\\d+", "batchWatermarkMs\":1900000000000")));
    all.add(
        unseen(
            HDFS,
            "watermark in the newest commit far ahead",
            "any time may be the newest that was read",
            copy ->
                copy.edit(
                    COMMIT,
                    "nextBatchWatermarkMs\":\\d+",
                    "nextBatchWatermarkMs\":1900000000000")));
  }

  private static void partitions(List<Damage> all) {
    for (OldQuery query : List.of(HDFS, ROCKSDB)) {
      all.add(
          of(
              query,
              "fewer partitions pinned",
              copy -> copy.edit(PLAN, "partitions\":\"2", "partitions\":\"1")));
      all.add(
          of(
              query,
              "more partitions pinned",
              copy -> copy.edit(PLAN, "partitions\":\"2", "partitions\":\"3")));
      all.add(
          of(
              query,
              "fewer partitions pinned by a plan that is not committed",
              copy -> copy.edit(PLAN, "partitions\":\"2", "partitions\":\"1").delete(COMMIT)));
      all.add(
          of(
              query,
              "more partitions pinned by the two newest plans, not committed",
              copy ->
                  copy.edit(PLAN, "partitions\":\"2", "partitions\":\"3")
                      .edit(BEFORE, "partitions\":\"2", "partitions\":\"3")
                      .delete(COMMIT)));
    }
    all.add(
        of(
            HDFS,
            "no number of partitions pinned",
            copy -> copy.edit(PLAN, ",?\"spark.sql.shuffle.partitions\":\"2\"", "")));
    all.add(
        of(
            HDFS,
            "another provider pinned",
            copy -> copy.edit(PLAN, "HDFSBackedState", "RocksDBState")));
    all.add(
        undecided(
            HDFS,
            "an unknown provider pinned",
            "what is on the query's class path is not in the checkpoint",
            copy -> copy.edit(PLAN, "HDFSBackedState", "SomeState")));
  }

  private static void schemas(List<Damage> all) {
    all.add(of(HDFS, "schema file gone", copy -> copy.delete(SCHEMA)));
    all.add(of(HDFS, "schema file empty", copy -> copy.empty(SCHEMA)));
    all.add(
        undecided(
            HDFS,
            "schema file cut",
            "schema files are not read, which would cost a request a store",
            copy -> copy.cut(SCHEMA, 20)));
    all.add(of(HDFS, "operator metadata gone", copy -> copy.delete(OPERATOR)));
    all.add(of(HDFS, "operator metadata empty", copy -> copy.empty(OPERATOR)));
    all.add(of(HDFS, "operator metadata cut", copy -> copy.cut(OPERATOR, 20)));
  }

  private static void zips(List<Damage> all) {
    all.add(of(ROCKSDB, "newest zip gone", c -> c.delete(FIRST + "/" + VERSION + ".zip")));
    all.add(of(ROCKSDB, "newest zip empty", c -> c.empty(FIRST + "/" + VERSION + ".zip")));
    all.add(of(ROCKSDB, "newest zip cut", c -> c.cut(FIRST + "/" + VERSION + ".zip", 100)));
    all.add(of(ROCKSDB, "oldest zip gone", copy -> copy.delete(FIRST + "/1.zip")));
    all.add(of(ROCKSDB, "SSTs/ gone", copy -> copy.deleteAll(FIRST + "/SSTs")));
    all.add(of(ROCKSDB, "an SST file cut", copy -> copy.cut(copy.any(FIRST + "/SSTs"), -10)));
  }

  private static void changelogs(List<Damage> all) {
    String newest = FIRST + "/" + VERSION + ".changelog";
    all.add(of(CHANGELOG, "newest changelog gone", copy -> copy.delete(newest)));
    all.add(of(CHANGELOG, "newest changelog empty", copy -> copy.empty(newest)));
    all.add(
        of(
            CHANGELOG,
            "zips gone",
            copy -> {
              for (String file : copy.stateFiles(FIRST, "\\d+\\.zip")) {
                copy.delete(file);
              }
            }));
    all.add(
        of(
            CHANGELOG,
            "zips and oldest changelog gone",
            copy -> {
              for (String file : copy.stateFiles(FIRST, "\\d+\\.zip")) {
                copy.delete(file);
              }
              copy.delete(FIRST + "/1.changelog");
            }));
  }

  private static void ids(List<Damage> all) {
    String version = VERSION + "_[^.]*\\.(changelog|zip)";
    all.add(
        of(
            FORMAT_2,
            "newest version gone",
            copy -> {
              for (String file : copy.stateFiles(FIRST, version)) {
                copy.delete(file);
              }
            }));
    all.add(
        of(
            FORMAT_2,
            "ids of the newest commit gone",
            c -> c.edit(COMMIT, "Ids\":.*", "Ids\":{}}")));
    all.add(
        of(
            FORMAT_2,
            "ids of the newest commit those of the one before",
            copy -> copy.delete(COMMIT).duplicate(COMMIT_BEFORE, COMMIT)));
    all.add(of(FORMAT_2, "newest commit of version 1", copy -> copy.edit(COMMIT, "^v2", "v1")));
    all.add(
        of(
            FORMAT_2,
            "newest commit as of format 1",
            copy -> copy.write(COMMIT, "v1\n{\"nextBatchWatermarkMs\":0}")));
  }
}
