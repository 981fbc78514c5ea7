package org.streammigrator.jobs.lake;

import static java.util.Objects.requireNonNull;
import static org.streammigrator.jobs.lake.DeltaFiles.seq;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Supplier;
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
import org.apache.spark.sql.delta.actions.CommitInfo;
import org.apache.spark.sql.delta.actions.RemoveFile;
import org.apache.spark.sql.delta.files.DeltaSourceSnapshot;
import org.apache.spark.sql.delta.sources.IndexedFile;
import org.apache.spark.sql.types.StructType;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.job.JobRefusedException;
import org.streammigrator.jobs.rows.Failures;
import scala.Tuple2;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The log of a Delta table: its commits, and its data files in the order in which a stream numbers
 * them; by Delta's own classes, since the public ones read whole versions only.
 */
public final class LakeLog {
  private static final String RETENTION = "delta.setTransactionRetentionDuration";

  private final SparkSession spark;
  private final String table;
  private final DeltaLog log;
  private final Snapshot latest;

  /**
   * A commit.
   *
   * @param added the files it adds, in the order in which a stream numbers them; those it only
   *     rearranges are not among them ({@code DeltaSource.filterAndGetIndexedFiles})
   * @param removes whether it deletes or replaces rows
   */
  public record Commit(long version, List<DataFile> added, boolean removes) {
    public Commit {
      added = List.copyOf(added);
    }
  }

  /**
   * Looks at a table as it is now.
   *
   * @throws JobRefusedException if its log has a gap, or this Delta is not like the tested one
   */
  public LakeLog(SparkSession spark, String table) {
    this.spark = requireNonNull(spark, "spark");
    this.table = requireNonNull(table, "table");
    this.log = readable(table, () -> DeltaLog.forTable(spark, table));
    this.latest =
        readable(table, () -> log.update(false, scala.Option.empty(), scala.Option.empty()));
  }

  /** What Delta says, or that the table cannot be read. */
  static <T> T readable(String table, Supplier<T> read) {
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
      throw OtherDelta.refused(table, otherDelta);
    }
  }

  /** The id that the table keeps as long as it is the same one. */
  public String tableId() {
    return latest.metadata().id();
  }

  /** The newest version's columns, with the names that its files have for them. */
  public StructType schema() {
    return latest.metadata().schema();
  }

  /** The newest version. */
  public long latestVersion() {
    return latest.version();
  }

  /**
   * What an application wrote last, by the table's own record; empty if there is no record of it.
   *
   * @param applicationId a {@code txnAppId}, or a query's id
   */
  public OptionalLong lastTransaction(String applicationId) {
    scala.Option<Object> version = latest.transactions().get(applicationId);
    return version.isDefined()
        ? OptionalLong.of(((Number) version.get()).longValue())
        : OptionalLong.empty();
  }

  /** What the table is now. */
  Snapshot latest() {
    return latest;
  }

  /**
   * The files of a version.
   *
   * @throws JobRefusedException if the version cannot be put together any more
   */
  public List<DataFile> filesAt(long version) {
    return at(version).allFiles().collectAsList().stream().map(DataFile::new).toList();
  }

  /**
   * The files of a version in the order in which a stream that begins with it numbers them ({@code
   * DeltaSourceSnapshot}).
   *
   * @throws JobRefusedException if the version cannot be put together any more
   */
  public List<DataFile> initialFilesAt(long version) {
    DeltaSourceSnapshot snapshot =
        new DeltaSourceSnapshot(spark, at(version), seq(List.<Expression>of()));
    try {
      List<DataFile> files = new ArrayList<>();
      scala.collection.Iterator<IndexedFile> iterator = snapshot.iterator();
      while (iterator.hasNext()) {
        IndexedFile file = iterator.next();
        if (file.add() != null) {
          files.add(new DataFile(file.add()));
        }
      }
      return files;
    } finally {
      snapshot.close(true);
    }
  }

  /**
   * The statistics of files whose rows commits have deleted or changed, by version; empty for a
   * file that had none.
   *
   * @param since commits whose file was written before it are not looked at
   * @param last the last version to look at
   */
  public TreeMap<Long, List<Optional<String>>> removals(Instant since, long last) {
    scala.collection.Iterator<Tuple2<Object, FileStatus>> files =
        log.getChangeLogFiles(0, scala.Option.empty(), false);
    long first = Long.MAX_VALUE;
    while (files.hasNext() && first == Long.MAX_VALUE) {
      Tuple2<Object, FileStatus> file = files.next();
      if (file._2().getModificationTime() >= since.toEpochMilli()) {
        first = ((Number) file._1()).longValue();
      }
    }
    TreeMap<Long, List<Optional<String>>> removals = new TreeMap<>();
    if (first > last) {
      return removals;
    }
    Iterator<DeltaCommit> retained = DeltaCommit.between(log, first, last);
    while (retained.hasNext()) {
      DeltaCommit commit = retained.next();
      List<RemoveFile> removed = new ArrayList<>();
      for (Action action : commit.actions()) {
        if (action instanceof RemoveFile remove && remove.dataChange()) {
          removed.add(remove);
        }
      }
      if (!removed.isEmpty()) {
        removals.put(commit.version(), statistics(commit.version(), removed));
      }
    }
    return removals;
  }

  /**
   * The statistics of removed files; Delta leaves them out of the log, where the adding has them.
   */
  private List<Optional<String>> statistics(long version, List<RemoveFile> removed) {
    Map<String, String> before = new HashMap<>();
    if (removed.stream().anyMatch(file -> file.stats() == null)) {
      try {
        for (AddFile file : at(version - 1).allFiles().collectAsList()) {
          before.put(file.path(), file.stats());
        }
      } catch (JobRefusedException gone) {
        // Without the version before, nothing is known of them.
      }
    }
    return removed.stream()
        .map(
            file ->
                Optional.ofNullable(file.stats() == null ? before.get(file.path()) : file.stats()))
        .toList();
  }

  /** The commits of a range of versions, both ends included; those that are gone are left out. */
  public TreeMap<Long, Commit> commits(long first, long last) {
    TreeMap<Long, Commit> commits = new TreeMap<>();
    Iterator<DeltaCommit> retained = DeltaCommit.between(log, first, last);
    while (retained.hasNext()) {
      DeltaCommit commit = retained.next();
      List<DataFile> added = new ArrayList<>();
      boolean removes = false;
      for (Action action : commit.actions()) {
        if (action instanceof AddFile add && add.dataChange()) {
          added.add(new DataFile(add));
        } else if (action instanceof RemoveFile remove && remove.dataChange()) {
          removes = true;
        }
      }
      commits.put(commit.version(), new Commit(commit.version(), added, removes));
    }
    return commits;
  }

  /**
   * What a commit says of itself.
   *
   * @param operation its name, as {@code DESCRIBE HISTORY} shows it
   * @param metrics what it counted, by the names that Delta gives
   * @param note its {@code userMetadata}; null if it has none
   */
  public record Information(
      long version, String operation, Map<String, String> metrics, String note) {
    public Information {
      metrics = Map.copyOf(metrics);
    }
  }

  /** What a commit says of itself; empty if it is not retained, or says nothing. */
  public Optional<Information> information(long version) {
    Iterator<DeltaCommit> retained = DeltaCommit.between(log, version, version);
    if (retained.hasNext()) {
      for (Action action : retained.next().actions()) {
        if (action instanceof CommitInfo info) {
          Map<String, String> metrics =
              info.operationMetrics().isDefined()
                  ? CollectionConverters.asJava(info.operationMetrics().get())
                  : Map.of();
          return Optional.of(
              new Information(
                  version, info.operation(), metrics, info.userMetadata().getOrElse(() -> null)));
        }
      }
    }
    return Optional.empty();
  }

  /** Whether the table keeps the record of what applications wrote last for ever. */
  public boolean keepsTransactions() {
    return latest.metadata().configuration().get(RETENTION).isEmpty();
  }

  /** The first of some files that is not there any more. */
  public Optional<String> gone(List<DataFile> files) {
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
  public Dataset<Row> rows(long version, List<DataFile> files) {
    scala.Option<SparkSession> active = SparkSession.getActiveSession();
    SparkSession.setActiveSession(spark); // Delta makes the rows in whichever session is active.
    try {
      return ListedFiles.rows(spark, log, at(version), files.stream().map(DataFile::add).toList());
    } finally {
      if (active.isDefined()) {
        SparkSession.setActiveSession(active.get());
      } else {
        SparkSession.clearActiveSession();
      }
    }
  }

  private Snapshot at(long version) {
    if (version == latest.version()) {
      return latest;
    }
    try {
      return log.getSnapshotAt(version, scala.Option.empty(), scala.Option.empty(), false);
    } catch (DeltaIllegalStateException failure) {
      throw missing(
          "the table as it was at version %d cannot be put together any more: %s"
              .formatted(version, Failures.firstLine(failure)));
    }
  }

  /** The refusal of a range of which a part of the log is gone. */
  public JobRefusedException missing(String message) {
    return JobRefusedException.unsafe(
        Finding.error(
            FindingCode.DELTA_VERSION_MISSING,
            table,
            message,
            "what they added cannot be told any more: begin at a later version and say what is lost,"
                + " or read the table as it is (no from)"));
  }
}
