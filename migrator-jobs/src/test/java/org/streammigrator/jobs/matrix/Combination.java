package org.streammigrator.jobs.matrix;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.streammigrator.finding.FindingCode;

/** One stream of the matrix, and how it is moved. */
record Combination(
    MatrixSource source, MatrixOperator operator, Store store, Strategy strategy, Pending pending) {

  /** Where a query keeps its state, and how. */
  enum Store {
    HDFS("HDFSBackedStateStoreProvider", false, 1),
    ROCKSDB("RocksDBStateStoreProvider", false, 1),
    CHANGELOG("RocksDBStateStoreProvider", true, 1),
    FORMAT_2("RocksDBStateStoreProvider", true, 2);

    private final String provider;
    private final boolean isChangelog;
    private final int format;

    Store(String provider, boolean isChangelog, int format) {
      this.provider = provider;
      this.isChangelog = isChangelog;
      this.format = format;
    }

    /** The session's settings for it; a left outer join has one store where RocksDB keeps it. */
    Map<String, String> conf(MatrixOperator operator) {
      String prefix = "spark.sql.streaming.stateStore.";
      Map<String, String> conf = new HashMap<>();
      conf.put(
          prefix + "providerClass", "org.apache.spark.sql.execution.streaming.state." + provider);
      conf.put(prefix + "rocksdb.changelogCheckpointing.enabled", Boolean.toString(isChangelog));
      conf.put(prefix + "checkpointFormatVersion", Integer.toString(format));
      conf.put("spark.sql.streaming.fileSource.log.compactInterval", "3");
      conf.put("spark.sql.shuffle.partitions", "3");
      if (operator == MatrixOperator.JOIN_LEFT_OUTER && this != HDFS) {
        conf.put("spark.sql.streaming.join.stateFormatVersion", "3");
      }
      return conf;
    }
  }

  /** How a stream is moved. */
  enum Strategy {
    RELOCATE_LIVE,
    RELOCATE_ALL,
    REWIND,
    REPLAY;

    boolean isRelocation() {
      return this == RELOCATE_LIVE || this == RELOCATE_ALL;
    }
  }

  /** Whether a batch is planned and not committed when the query stops, and who has its rows. */
  enum Pending {
    NONE,
    NOT_IN,
    IN
  }

  /** All that Spark can run: transformWithState needs RocksDB. */
  static List<Combination> all() {
    List<Combination> all = new ArrayList<>();
    for (MatrixSource source : MatrixSource.values()) {
      for (MatrixOperator operator : MatrixOperator.values()) {
        for (Store store : Store.values()) {
          if (operator == MatrixOperator.TRANSFORM_WITH_STATE && store == Store.HDFS) {
            continue;
          }
          for (Strategy strategy : Strategy.values()) {
            for (Pending pending : Pending.values()) {
              all.add(new Combination(source, operator, store, strategy, pending));
            }
          }
        }
      }
    }
    return all;
  }

  /** A combination as {@link #toString} spells it. */
  static Combination parse(String text) {
    String[] parts = text.split(" ");
    return new Combination(
        MatrixSource.valueOf(parts[0]),
        MatrixOperator.valueOf(parts[1]),
        Store.valueOf(parts[2]),
        Strategy.valueOf(parts[3]),
        Pending.valueOf(parts[4]));
  }

  /** The code with which it has to be refused; empty if it has to work. */
  Optional<FindingCode> refusal() {
    if (strategy.isRelocation() && pending == Pending.IN && store == Store.FORMAT_2) {
      // Spark commits the skipped rerun without the ids of any state.
      return Optional.of(FindingCode.STATE_FORMAT_V2);
    }
    if (operator == MatrixOperator.SESSION
        && strategy == Strategy.REPLAY
        && pending == Pending.IN) {
      // Sessions have to be compared with those of a state that Spark does not read.
      return Optional.of(FindingCode.REPLAY_NOT_VERIFIED);
    }
    boolean isUndescribed =
        switch (operator) {
          case TRANSFORM_WITH_STATE -> true;
          case JOIN_INNER -> store == Store.FORMAT_2;
          case JOIN_LEFT_OUTER -> store != Store.HDFS;
          default -> false;
        };
    if (strategy == Strategy.REPLAY && isUndescribed) {
      return Optional.of(FindingCode.NOT_AVAILABLE);
    }
    return Optional.empty();
  }

  /** Whether an event that the old query dropped as late counts in a rebuilt session. */
  boolean countsLateRows() {
    return operator == MatrixOperator.SESSION && strategy == Strategy.REPLAY;
  }

  @Override
  public String toString() {
    return source + " " + operator + " " + store + " " + strategy + " " + pending;
  }
}
