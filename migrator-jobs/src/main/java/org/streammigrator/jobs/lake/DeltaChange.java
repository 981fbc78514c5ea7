package org.streammigrator.jobs.lake;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.not;
import static org.apache.spark.sql.functions.when;
import static org.streammigrator.jobs.lake.DeltaFiles.list;
import static org.streammigrator.jobs.lake.DeltaFiles.seq;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.classic.ExpressionUtils;
import org.apache.spark.sql.delta.DeltaConcurrentModificationException;
import org.apache.spark.sql.delta.DeltaConfigs;
import org.apache.spark.sql.delta.DeltaOperations;
import org.apache.spark.sql.delta.OptimisticTransaction;
import org.apache.spark.sql.delta.RowTracking$;
import org.apache.spark.sql.delta.Snapshot;
import org.apache.spark.sql.delta.actions.Action;
import org.apache.spark.sql.delta.actions.AddCDCFile;
import org.apache.spark.sql.delta.actions.AddFile;
import org.apache.spark.sql.delta.actions.FileAction;
import org.apache.spark.sql.delta.actions.RemoveFile;
import org.apache.spark.sql.delta.actions.SetTransaction;
import org.apache.spark.sql.delta.commands.DMLWithDeletionVectorsHelper;
import org.apache.spark.sql.delta.commands.DeletionVectorBitmapGenerator;
import org.apache.spark.sql.delta.commands.DeletionVectorResult;
import org.apache.spark.sql.delta.commands.TouchedFileWithDV;
import org.apache.spark.sql.delta.stats.StatsCollectionUtils;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.execution.metric.SQLMetrics;
import org.apache.spark.sql.types.DataTypes;

/**
 * One commit that takes rows out of a version of a table, or adds rows to it; like {@link
 * DeltaLakeTable} by Delta's own classes.
 */
final class DeltaChange {
  /** The tag of a removed file that tells which of its rows went. */
  static final String REMOVED_ROWS = "migrator.removedRows";

  private static final String CHANGE = "_change_type";
  private static final String NOTE = "spark.databricks.delta.commitInfo.userMetadata";

  private final DeltaFiles version;
  private final SparkSession spark;
  private final Snapshot snapshot;
  private final LakeTable.Mark mark;
  private final OptimisticTransaction transaction;

  DeltaChange(DeltaFiles version, LakeTable.Mark mark) {
    this.version = version;
    this.spark = version.spark();
    this.snapshot = version.snapshot();
    this.mark = mark;
    this.transaction =
        new OptimisticTransaction(snapshot.deltaLog(), scala.Option.empty(), snapshot);
    // A run with the same id that commits meanwhile makes this one fail.
    transaction.readTxn().$plus$eq(mark.id());
  }

  /** Removes rows; of the files that are read none may have changed meanwhile. */
  LakeTable.Commit remove(RowPositions rows, Set<String> readFiles, boolean byVectors) {
    transaction.trackFilesRead(seq(version.named(readFiles)));
    List<AddFile> files = version.named(rows.files());
    List<Action> actions = new ArrayList<>();
    long bytes = 0;
    for (FileAction action : byVectors ? masked(files, rows) : rewritten(files, rows)) {
      bytes += writtenBytes(action);
      actions.add(
          action instanceof RemoveFile removed
              ? removed.copyWithTag(REMOVED_ROWS, rows.encoded(version.name(removed.path())))
              : action);
    }
    requireRemoved(actions, rows.count());
    tellHistory(actions, rows);
    long made = commit(actions, new DeltaOperations.Delete(seq(List.of())));
    return new LakeTable.Commit(made, files.size(), bytes);
  }

  /** Adds rows, so many. */
  LakeTable.Commit append(Dataset<Row> rows, long count) {
    List<Action> actions = new ArrayList<>(list(transaction.writeFiles(rows)));
    requireRemoved(actions, -count);
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
    return new LakeTable.Commit(commit(actions, append), 0, bytes);
  }

  /** Marks the rows as deleted, and writes no data file. */
  private List<FileAction> masked(List<AddFile> files, RowPositions rows) {
    Expression isOne = ExpressionUtils.expression(version.isOneOf(rows));
    List<DeletionVectorResult> vectors =
        list(
            DeletionVectorBitmapGenerator.buildRowIndexSetsForFilesMatchingCondition(
                spark,
                transaction,
                true,
                version.rows(files).select(col("_metadata")),
                seq(files),
                isOne,
                scala.Option.empty(),
                scala.Option.empty()));
    List<TouchedFileWithDV> touched = new ArrayList<>();
    for (DeletionVectorResult vector : vectors) {
      touched.add(
          new TouchedFileWithDV(
              vector.filePath(),
              version.byName().get(vector.filePath()),
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
  private List<FileAction> rewritten(List<AddFile> files, RowPositions rows) {
    Dataset<Row> all =
        RowTracking$.MODULE$.preserveRowTrackingColumns(
            version.rows(files), version.withRowIndex());
    Column isOne = version.isOneOf(rows);
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

  private long writtenBytes(FileAction action) {
    if (action instanceof AddCDCFile changes) {
      return changes.size();
    }
    if (!(action instanceof AddFile added)) {
      return 0;
    }
    boolean isThere = version.byName().containsKey(version.name(added.path()));
    return isThere ? added.deletionVector().sizeInBytes() : added.size();
  }

  /** What {@code DESCRIBE HISTORY} shows. */
  private void tellHistory(List<Action> actions, RowPositions rows) {
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

  private long commit(List<Action> actions, DeltaOperations.Operation operation) {
    List<Action> all = new ArrayList<>(actions);
    all.add(
        new SetTransaction(
            mark.id(), mark.number(), scala.Option.apply((Object) System.currentTimeMillis())));
    spark.conf().set(NOTE, mark.note());
    try {
      return transaction.commit(
          seq(all),
          operation,
          RowTracking$.MODULE$.addPreservedRowTrackingTagIfNotSet(
              snapshot, scala.collection.immutable.Map$.MODULE$.<String, String>empty()));
    } catch (DeltaConcurrentModificationException conflict) {
      throw new LakeTable.ConflictException(conflict);
    } finally {
      spark.conf().unset(NOTE);
    }
  }
}
