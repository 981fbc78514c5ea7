package org.streammigrator.jobs.source;

import static java.util.Objects.requireNonNull;

import io.delta.tables.DeltaTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.delta.DeltaIllegalStateException;
import org.apache.spark.sql.delta.DeltaLog;
import org.apache.spark.sql.delta.Snapshot;
import org.apache.spark.sql.delta.actions.Action;
import org.apache.spark.sql.delta.actions.AddFile;
import org.apache.spark.sql.delta.actions.RemoveFile;
import org.apache.spark.sql.delta.files.DeltaSourceSnapshot;
import org.apache.spark.sql.delta.sources.IndexedFile;
import org.apache.spark.sql.types.StructType;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.job.JobRefusedException;
import scala.Tuple2;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The data files of a Delta table, and the rows of some of them, as Delta's streaming source gets
 * at them. The only class that uses Delta's internal API, since the public one reads whole versions
 * only; run with Delta 4.4.0.
 */
final class DeltaLogFiles {
  private final SparkSession spark;
  private final DeltaLog log;
  private final Snapshot latest;

  /**
   * A data file.
   *
   * @param records the rows in it, if its statistics tell
   * @param statistics as they stand in the log; null if there are none
   */
  record DataFile(AddFile add, long bytes, OptionalLong records, String statistics) {
    static DataFile of(AddFile add) {
      return new DataFile(
          add,
          add.size(),
          add.numLogicalRecords().isDefined()
              ? OptionalLong.of(((Number) add.numLogicalRecords().get()).longValue())
              : OptionalLong.empty(),
          add.stats());
    }
  }

  /**
   * A commit.
   *
   * @param added the files it adds, in the order in which a stream numbers them; those it only
   *     rearranges are not among them ({@code DeltaSource.filterAndGetIndexedFiles})
   * @param removes whether it deletes or replaces rows
   */
  record Commit(long version, List<DataFile> added, boolean removes) {}

  /**
   * Looks at a table as it is now.
   *
   * @throws JobRefusedException if its log has a gap
   */
  DeltaLogFiles(SparkSession spark, String table) {
    this.spark = requireNonNull(spark, "spark");
    this.log = readable(table, () -> DeltaLog.forTable(spark, table));
    this.latest =
        readable(table, () -> log.update(false, scala.Option.empty(), scala.Option.empty()));
  }

  /**
   * Whether there is a table.
   *
   * @throws JobRefusedException if its log has a gap
   */
  static boolean exists(SparkSession spark, String table) {
    return readable(table, () -> DeltaTable.isDeltaTable(spark, table));
  }

  private static <T> T readable(String table, Supplier<T> read) {
    try {
      return read.get();
    } catch (DeltaIllegalStateException broken) {
      throw JobRefusedException.unsafe(
          Finding.error(
              FindingCode.DELTA_VERSION_MISSING,
              table,
              "the table cannot be read: " + Failures.firstLine(broken),
              "restore the files of its log from a copy"));
    } catch (LinkageError otherDelta) {
      throw JobRefusedException.unsafe(
          Finding.error(
              FindingCode.NOT_AVAILABLE,
              table,
              "ranges of a Delta table are read by classes of Delta that this engine lacks: "
                  + otherDelta,
              "run the job with Delta 4.4 and Spark 4.2 (runner local or spark-submit)"));
    }
  }

  String tableId() {
    return latest.metadata().id();
  }

  /** The newest version's columns, with the names that its files have for them. */
  StructType schema() {
    return latest.metadata().schema();
  }

  long latestVersion() {
    return latest.version();
  }

  /** The batch that an application wrote last; empty if the table has no record of it. */
  OptionalLong lastTransaction(String applicationId) {
    scala.Option<Object> version = latest.transactions().get(applicationId);
    return version.isDefined()
        ? OptionalLong.of(((Number) version.get()).longValue())
        : OptionalLong.empty();
  }

  /** The files of a version. */
  List<DataFile> filesAt(long version) {
    return at(version).allFiles().collectAsList().stream().map(DataFile::of).toList();
  }

  /**
   * The files of a version in the order in which a stream that begins with it numbers them ({@code
   * DeltaSourceSnapshot}).
   */
  List<DataFile> initialFilesAt(long version) {
    DeltaSourceSnapshot snapshot =
        new DeltaSourceSnapshot(
            spark, at(version), CollectionConverters.asScala(List.<Expression>of()).toSeq());
    try {
      List<DataFile> files = new ArrayList<>();
      scala.collection.Iterator<IndexedFile> iterator = snapshot.iterator();
      while (iterator.hasNext()) {
        IndexedFile file = iterator.next();
        if (file.add() != null) {
          files.add(DataFile.of(file.add()));
        }
      }
      return files;
    } finally {
      snapshot.close(true);
    }
  }

  /** The commits of a range of versions, both ends included; those that are gone are left out. */
  TreeMap<Long, Commit> commits(long first, long last) {
    TreeMap<Long, Commit> commits = new TreeMap<>();
    scala.collection.Iterator<Tuple2<Object, scala.collection.immutable.Seq<Action>>> changes =
        log.getChanges(first, scala.Option.empty(), false);
    while (changes.hasNext()) {
      Tuple2<Object, scala.collection.immutable.Seq<Action>> change = changes.next();
      long version = ((Number) change._1()).longValue();
      if (version > last) {
        break;
      }
      List<DataFile> added = new ArrayList<>();
      boolean removes = false;
      for (Action action : CollectionConverters.asJava(change._2())) {
        if (action instanceof AddFile add && add.dataChange()) {
          added.add(DataFile.of(add));
        } else if (action instanceof RemoveFile remove && remove.dataChange()) {
          removes = true;
        }
      }
      commits.put(version, new Commit(version, added, removes));
    }
    return commits;
  }

  /**
   * The statistics of files whose rows commits have deleted or changed, by version.
   *
   * @param since commits that were written before it are not looked at
   * @param last the last version to look at
   */
  TreeMap<Long, List<Optional<String>>> removals(Instant since, long last) {
    TreeMap<Long, List<Optional<String>>> removals = new TreeMap<>();
    scala.collection.Iterator<Tuple2<Object, FileStatus>> files =
        log.getChangeLogFiles(0, scala.Option.empty(), false);
    long first = Long.MAX_VALUE;
    while (files.hasNext() && first == Long.MAX_VALUE) {
      Tuple2<Object, FileStatus> file = files.next();
      if (file._2().getModificationTime() >= since.toEpochMilli()) {
        first = ((Number) file._1()).longValue();
      }
    }
    if (first > last) {
      return removals;
    }
    scala.collection.Iterator<Tuple2<Object, scala.collection.immutable.Seq<Action>>> changes =
        log.getChanges(first, scala.Option.empty(), false);
    while (changes.hasNext()) {
      Tuple2<Object, scala.collection.immutable.Seq<Action>> change = changes.next();
      long version = ((Number) change._1()).longValue();
      if (version > last) {
        break;
      }
      for (Action action : CollectionConverters.asJava(change._2())) {
        if (action instanceof RemoveFile remove && remove.dataChange()) {
          removals
              .computeIfAbsent(version, key -> new ArrayList<>())
              .add(Optional.ofNullable(remove.stats()));
        }
      }
    }
    return removals;
  }

  /** The first of some files that is not there any more. */
  Optional<String> gone(List<DataFile> files) {
    Configuration configuration = spark.sparkContext().hadoopConfiguration();
    return files.parallelStream()
        .map(file -> file.add().absolutePath(log))
        .filter(path -> !exists(path, configuration))
        .map(Path::toString)
        .findFirst();
  }

  private static boolean exists(Path path, Configuration configuration) {
    try {
      return path.getFileSystem(configuration).exists(path);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** The rows of some files, with the columns that the table has at a version. */
  Dataset<Row> rows(long version, List<DataFile> files) {
    scala.Option<SparkSession> active = SparkSession.getActiveSession();
    SparkSession.setActiveSession(spark); // Delta makes the rows in whichever session is active.
    try {
      return log.createDataFrame(
          at(version),
          CollectionConverters.asScala(files.stream().map(DataFile::add).toList()).toSeq(),
          false,
          scala.Option.empty());
    } finally {
      if (active.isDefined()) {
        SparkSession.setActiveSession(active.get());
      } else {
        SparkSession.clearActiveSession();
      }
    }
  }

  private Snapshot at(long version) {
    return version == latest.version()
        ? latest
        : log.getSnapshotAt(version, scala.Option.empty(), scala.Option.empty(), false);
  }

  /**
   * How many of the newest version's files a scan would read, and how many bytes they have.
   *
   * @param scan a part of the table
   */
  long[] matching(Dataset<Row> scan) {
    Set<String> names =
        Arrays.stream(scan.inputFiles())
            .map(file -> file.substring(file.lastIndexOf('/') + 1))
            .collect(Collectors.toSet());
    long[] filesAndBytes = new long[2];
    for (AddFile add : latest.allFiles().collectAsList()) {
      if (names.contains(add.path().substring(add.path().lastIndexOf('/') + 1))) {
        filesAndBytes[0]++;
        filesAndBytes[1] += add.size();
      }
    }
    return filesAndBytes;
  }
}
