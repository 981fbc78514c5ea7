package org.streammigrator.jobs.lake;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.not;
import static org.apache.spark.sql.functions.udf;
import static org.apache.spark.sql.functions.when;
import static scala.jdk.javaapi.CollectionConverters.asJava;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.fs.Path;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.paths.SparkPath;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.classic.ExpressionUtils;
import org.apache.spark.sql.delta.DeletionVectorsTableFeature$;
import org.apache.spark.sql.delta.DeltaConcurrentModificationException;
import org.apache.spark.sql.delta.DeltaConfigs;
import org.apache.spark.sql.delta.DeltaLog;
import org.apache.spark.sql.delta.DeltaOperations;
import org.apache.spark.sql.delta.DeltaTableFeatureException;
import org.apache.spark.sql.delta.OptimisticTransaction;
import org.apache.spark.sql.delta.RowTracking$;
import org.apache.spark.sql.delta.Snapshot;
import org.apache.spark.sql.delta.SnapshotDescriptor;
import org.apache.spark.sql.delta.actions.Action;
import org.apache.spark.sql.delta.actions.AddCDCFile;
import org.apache.spark.sql.delta.actions.AddFile;
import org.apache.spark.sql.delta.actions.FileAction;
import org.apache.spark.sql.delta.actions.Metadata;
import org.apache.spark.sql.delta.actions.Protocol;
import org.apache.spark.sql.delta.actions.RemoveFile;
import org.apache.spark.sql.delta.actions.SetTransaction;
import org.apache.spark.sql.delta.commands.DMLWithDeletionVectorsHelper;
import org.apache.spark.sql.delta.commands.DeletionVectorBitmapGenerator;
import org.apache.spark.sql.delta.commands.DeletionVectorResult;
import org.apache.spark.sql.delta.commands.DeletionVectorUtils$;
import org.apache.spark.sql.delta.commands.TouchedFileWithDV;
import org.apache.spark.sql.delta.stats.StatsCollectionUtils;
import org.apache.spark.sql.delta.util.DeltaFileOperations;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.execution.metric.SQLMetrics;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.job.InvalidJobSpecException;
import org.streammigrator.job.JobRefusedException;

/**
 * A version of a table by Delta's own classes, which promise nobody anything: this is the only
 * class that uses them, and it was tested with Delta {@value #TESTED}. No public way removes one of
 * two rows that are the same: {@code DELETE} knows {@code _metadata.row_index} only in tables with
 * deletion vectors, and there it does not resolve it.
 *
 * <p>What Delta's {@code DeleteCommand} does with the rows that a condition finds, this does with
 * rows that are known: the same writer, deletion vectors, change files and row ids. Its transaction
 * reads only the files it is told, so that a stream may go on appending.
 */
final class DeltaLakeTable implements LakeTable {
  /** The version of Delta with which this was tested. */
  static final String TESTED = "4.4.0";

  private static final String FILE = "_metadata.file_path";
  private static final String ROW = "_metadata.row_index";
  private static final String REMOVED_ROWS = "migrator.removedRows";
  private static final String CHANGE = "_change_type";

  private final SparkSession spark;
  private final String path;
  private final DeltaLog log;
  private final Snapshot snapshot;
  private final Map<String, AddFile> byPath;

  private DeltaLakeTable(SparkSession spark, String path, DeltaLog log, Snapshot snapshot) {
    this.spark = spark;
    this.path = path;
    this.log = log;
    this.snapshot = snapshot;
    this.byPath = byPath(snapshot);
  }

  /**
   * Opens a table as it is now.
   *
   * @throws InvalidJobSpecException if there is none
   * @throws JobRefusedException if it has features that this Delta does not know, or takes nothing
   *     away
   */
  static DeltaLakeTable open(SparkSession spark, String path) {
    try {
      DeltaLog log = DeltaLog.forTable(spark, path);
      Snapshot snapshot = log.update(false, scala.Option.empty(), scala.Option.empty());
      if (snapshot.version() < 0) {
        throw new InvalidJobSpecException("there is no Delta table at " + path);
      }
      log.protocolWrite(snapshot.protocol());
      return new DeltaLakeTable(spark, path, log, snapshot);
    } catch (DeltaTableFeatureException unknown) {
      throw JobRefusedException.unsafe(
          Finding.error(
              FindingCode.TABLE_FEATURE_UNSUPPORTED,
              path,
              unknown.getMessage().lines().findFirst().orElse("a feature is not known"),
              "run the job with a Delta that knows the feature, or drop it from the table"));
    }
  }

  private static Map<String, AddFile> byPath(Snapshot snapshot) {
    Map<String, AddFile> files = new TreeMap<>();
    for (AddFile file : snapshot.allFiles().collectAsList()) {
      files.put(url(snapshot, file.path()), file);
    }
    return files;
  }

  /** As {@code _metadata.file_path} has it; Delta itself compares them like this. */
  private static String url(Snapshot snapshot, String file) {
    return SparkPath.fromPath(
            DeltaFileOperations.absolutePath(snapshot.dataPath().toString(), file))
        .urlEncoded();
  }

  @Override
  public long version() {
    return snapshot.version();
  }

  @Override
  public StructType schema() {
    return snapshot.schema();
  }

  @Override
  public List<String> partitionColumns() {
    return List.copyOf(asJava(snapshot.metadata().partitionColumns()));
  }

  @Override
  public boolean isAppendOnly() {
    return (Boolean) DeltaConfigs.IS_APPEND_ONLY().fromMetaData(snapshot.metadata());
  }

  @Override
  public boolean hasDeletionVectors() {
    return DeletionVectorUtils$.MODULE$.deletionVectorsWritable(
        snapshot, scala.Option.empty(), scala.Option.empty());
  }

  @Override
  public Map<String, Long> files() {
    Map<String, Long> files = new TreeMap<>();
    byPath.forEach((file, added) -> files.put(file, added.size()));
    return files;
  }

  @Override
  public Dataset<Row> rows() {
    return spark.read().format("delta").option("versionAsOf", version()).load(path);
  }

  @Override
  public Dataset<Row> rows(Set<String> files) {
    return rows(added(files));
  }

  private Dataset<Row> rows(List<AddFile> files) {
    return log.createDataFrame(new WithRowIndex(snapshot), seq(files), false, scala.Option.empty());
  }

  private List<AddFile> added(Set<String> files) {
    return files.stream().map(byPath::get).toList();
  }

  @Override
  public Set<String> filesSince(long version) {
    FileAges ages = new FileAges();
    for (long next = version; next <= version(); next++) {
      ages.add(DeltaCommit.read(snapshot, next).files());
    }
    Set<String> since = new HashSet<>();
    byPath.forEach(
        (url, file) -> {
          FileAges.Age age = ages.of(file.path());
          if (age == FileAges.Age.UNKNOWN) {
            throw unknownAge(version, ages.writerOf(file.path()));
          }
          if (age == FileAges.Age.SINCE) {
            since.add(url);
          }
        });
    return since;
  }

  private JobRefusedException unknownAge(long version, FileAges.Commit writer) {
    return JobRefusedException.unsafe(
        Finding.error(
            FindingCode.ROW_AGE_UNKNOWN,
            path,
            "version %d (%s) wrote rows from before version %d and since into the same files, or may have"
                .formatted(writer.version(), writer.operation(), version),
            "give a predicate as scope, or none"));
  }

  @Override
  public long recorded(String id) {
    return (Long) snapshot.transactions().getOrElse(id, () -> -1L);
  }

  @Override
  public Optional<Done> done(String id) {
    long before = recorded(id);
    for (long next = before + 1; before >= 0 && next <= version(); next++) {
      DeltaCommit commit;
      try {
        commit = DeltaCommit.read(snapshot, next);
      } catch (JobRefusedException notRetained) {
        return Optional.empty();
      }
      if (commit.records(id)) {
        return Optional.of(new Done(next, commit.note()));
      }
    }
    return Optional.empty();
  }

  @Override
  public Commit remove(RowPositions rows, Set<String> readFiles, Mark mark) {
    OptimisticTransaction transaction = begin(mark);
    transaction.trackFilesRead(seq(added(readFiles)));
    List<AddFile> files = added(rows.files());
    List<Action> actions = new ArrayList<>();
    long bytes = 0;
    for (FileAction action :
        hasDeletionVectors()
            ? masked(transaction, files, rows)
            : rewritten(transaction, files, rows)) {
      bytes += writtenBytes(action);
      actions.add(
          action instanceof RemoveFile removed
              ? removed.copyWithTag(REMOVED_ROWS, rows.encoded(url(snapshot, removed.path())))
              : action);
    }
    requireRemoved(actions, rows.count());
    tellHistory(transaction, actions, rows);
    return new Commit(
        commit(transaction, actions, new DeltaOperations.Delete(seq(List.of())), mark),
        files.size(),
        bytes);
  }

  /** Marks the rows as deleted, and writes no data file. */
  private List<FileAction> masked(
      OptimisticTransaction transaction, List<AddFile> files, RowPositions rows) {
    Expression isOne = ExpressionUtils.expression(isOneOf(rows));
    List<DeletionVectorResult> vectors =
        list(
            DeletionVectorBitmapGenerator.buildRowIndexSetsForFilesMatchingCondition(
                spark,
                transaction,
                true,
                rows(files).select(col("_metadata")),
                seq(files),
                isOne,
                scala.Option.empty(),
                scala.Option.empty()));
    List<TouchedFileWithDV> touched = new ArrayList<>();
    for (DeletionVectorResult vector : vectors) {
      touched.add(
          new TouchedFileWithDV(
              vector.filePath(),
              byPath.get(vector.filePath()),
              vector.deletionVector(),
              vector.matchedRowCount()));
    }
    return list(
        DMLWithDeletionVectorsHelper.processUnmodifiedData(
                spark,
                seq(touched),
                snapshot,
                StatsCollectionUtils.getDataSkippingStringPrefixLength(spark, snapshot.metadata()))
            ._1());
  }

  /** Writes the other rows of the files anew. */
  private List<FileAction> rewritten(
      OptimisticTransaction transaction, List<AddFile> files, RowPositions rows) {
    Dataset<Row> all =
        RowTracking$.MODULE$.preserveRowTrackingColumns(rows(files), new WithRowIndex(snapshot));
    Column isOne = isOneOf(rows);
    boolean hasChangeFeed =
        (Boolean) DeltaConfigs.CHANGE_DATA_FEED().fromMetaData(snapshot.metadata());
    Dataset<Row> written =
        hasChangeFeed
            ? all.withColumn(
                CHANGE, when(isOne, lit("delete")).otherwise(lit(null).cast(DataTypes.StringType)))
            : all.where(not(isOne));
    List<FileAction> actions = new ArrayList<>();
    long now = System.currentTimeMillis();
    files.forEach(file -> actions.add(file.removeWithTimestamp(now, true)));
    actions.addAll(list(transaction.writeFiles(written)));
    return actions;
  }

  private Column isOneOf(RowPositions rows) {
    Broadcast<RowPositions> sent =
        JavaSparkContext.fromSparkContext(spark.sparkContext()).broadcast(rows);
    return udf((String file, Long row) -> sent.value().contains(file, row), DataTypes.BooleanType)
        .apply(col(FILE), col(ROW));
  }

  private long writtenBytes(FileAction action) {
    if (action instanceof AddCDCFile changes) {
      return changes.size();
    }
    if (!(action instanceof AddFile added)) {
      return 0;
    }
    boolean isThere = byPath.containsKey(url(snapshot, added.path()));
    return isThere ? added.deletionVector().sizeInBytes() : added.size();
  }

  /** What {@code DESCRIBE HISTORY} shows. */
  private void tellHistory(
      OptimisticTransaction transaction, List<Action> actions, RowPositions rows) {
    Map<String, Long> numbers =
        Map.of(
            "numDeletedRows", rows.count(),
            "numRemovedFiles", actions.stream().filter(RemoveFile.class::isInstance).count(),
            "numAddedFiles", actions.stream().filter(AddFile.class::isInstance).count());
    Map<String, SQLMetric> metrics = new TreeMap<>();
    numbers.forEach(
        (name, number) -> {
          SQLMetric metric = SQLMetrics.createMetric(spark.sparkContext(), name);
          metric.set(number);
          metrics.put(name, metric);
        });
    transaction.registerSQLMetrics(
        spark,
        scala.collection.immutable.Map$.MODULE$.from(
            scala.jdk.javaapi.CollectionConverters.asScala(metrics)));
  }

  /** Statistics tell how many rows there are; where they say otherwise, nothing is committed. */
  private static void requireRemoved(List<Action> actions, long expected) {
    long removed = 0;
    for (Action action : actions) {
      scala.Option<Object> rows = scala.Option.apply((Object) 0L);
      if (action instanceof AddFile file) {
        rows = file.numLogicalRecords();
      } else if (action instanceof RemoveFile file) {
        rows = file.numLogicalRecords();
      }
      if (rows.isEmpty()) {
        return;
      }
      removed += action instanceof AddFile ? -(Long) rows.get() : (Long) rows.get();
    }
    if (removed != expected) {
      throw new IllegalStateException(
          "%d rows would have been removed instead of %d, so nothing was written"
              .formatted(removed, expected));
    }
  }

  @Override
  public Removed removed(long version) {
    if (version > version()) {
      throw new InvalidJobSpecException(
          "undo.version: %s ends with version %d".formatted(path, version()));
    }
    DeltaCommit commit = DeltaCommit.read(snapshot, version);
    RowPositions rows = new RowPositions();
    for (RemoveFile file : commit.removed()) {
      scala.Option<String> encoded = file.getTag(REMOVED_ROWS);
      if (encoded.isDefined()) {
        try {
          rows.add(url(snapshot, file.path()), encoded.get());
        } catch (IOException damaged) {
          throw new UncheckedIOException(damaged);
        }
      }
    }
    if (rows.count() == 0) {
      throw new InvalidJobSpecException(
          "undo.version: version %d of %s is no run of this job that removed rows"
              .formatted(version, path));
    }
    return new Removed(version, rows, commit.note());
  }

  @Override
  public Commit restore(Removed removed, Mark mark) {
    Map<String, AddFile> before = byPath(DeltaCommit.snapshot(snapshot, removed.version() - 1));
    List<AddFile> files = removed.rows().files().stream().map(before::get).toList();
    files.forEach(this::requireReadable);
    OptimisticTransaction transaction = begin(mark);
    List<Action> actions =
        new ArrayList<>(list(transaction.writeFiles(rows(files).where(isOneOf(removed.rows())))));
    requireRemoved(actions, -removed.rows().count());
    long bytes = actions.stream().mapToLong(action -> writtenBytes((FileAction) action)).sum();
    DeltaOperations.Operation append =
        new DeltaOperations.Write(
            SaveMode.Append,
            scala.Option.empty(),
            scala.Option.empty(),
            scala.Option.empty(),
            scala.Option.empty(),
            scala.Option.empty(),
            scala.Option.empty(),
            scala.Option.empty(),
            scala.Option.empty());
    return new Commit(commit(transaction, actions, append, mark), 0, bytes);
  }

  private void requireReadable(AddFile file) {
    List<Path> needed = new ArrayList<>();
    needed.add(DeltaFileOperations.absolutePath(snapshot.dataPath().toString(), file.path()));
    if (file.deletionVector() != null && file.deletionVector().isOnDisk()) {
      needed.add(file.deletionVector().absolutePath(snapshot.dataPath()));
    }
    for (Path place : needed) {
      try {
        if (!place.getFileSystem(log.newDeltaHadoopConf()).exists(place)) {
          throw JobRefusedException.unsafe(
              Finding.error(
                  FindingCode.DELTA_FILES_VACUUMED,
                  path,
                  "the removed rows lie in a file that is gone: " + place,
                  "there is no undo any more; restore the rows from where they came"));
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private OptimisticTransaction begin(Mark mark) {
    OptimisticTransaction transaction =
        new OptimisticTransaction(log, scala.Option.empty(), snapshot);
    // A run with the same id that commits meanwhile makes this one fail.
    transaction.txnVersion(mark.id());
    return transaction;
  }

  private long commit(
      OptimisticTransaction transaction,
      List<Action> actions,
      DeltaOperations.Operation operation,
      Mark mark) {
    List<Action> all = new ArrayList<>(actions);
    all.add(
        new SetTransaction(
            mark.id(), mark.number(), scala.Option.apply((Object) System.currentTimeMillis())));
    spark.conf().set("spark.databricks.delta.commitInfo.userMetadata", mark.note());
    try {
      return transaction.commit(
          seq(all),
          operation,
          RowTracking$.MODULE$.addPreservedRowTrackingTagIfNotSet(
              snapshot, scala.collection.immutable.Map$.MODULE$.<String, String>empty()));
    } catch (DeltaConcurrentModificationException conflict) {
      throw new ConflictException(conflict);
    } finally {
      spark.conf().unset("spark.databricks.delta.commitInfo.userMetadata");
    }
  }

  private static <T> scala.collection.immutable.Seq<T> seq(List<T> list) {
    return scala.jdk.javaapi.CollectionConverters.asScala(list).toSeq();
  }

  private static <T> List<T> list(scala.collection.Seq<? extends T> seq) {
    return List.copyOf(asJava(seq));
  }

  /**
   * A version whose files show {@code _metadata.row_index}: {@code DeltaParquetFileFormat} has it
   * only in tables that may have deletion vectors.
   */
  private record WithRowIndex(Snapshot snapshot) implements SnapshotDescriptor {
    @Override
    public DeltaLog deltaLog() {
      return snapshot.deltaLog();
    }

    @Override
    public long version() {
      return snapshot.version();
    }

    @Override
    public Metadata metadata() {
      return snapshot.metadata();
    }

    @Override
    public Protocol protocol() {
      return Protocol.forTableFeature(DeletionVectorsTableFeature$.MODULE$)
          .merge(seq(List.of(snapshot.protocol())));
    }

    @Override
    public Path logPath() {
      return snapshot.logPath();
    }

    @Override
    public scala.Option<Object> numOfFilesIfKnown() {
      return snapshot.numOfFilesIfKnown();
    }

    @Override
    public scala.Option<Object> sizeInBytesIfKnown() {
      return snapshot.sizeInBytesIfKnown();
    }
  }
}
