package org.streammigrator.jobs.lake;

import static org.streammigrator.jobs.lake.DeltaFiles.seq;

import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.delta.DataFrameUtils;
import org.apache.spark.sql.delta.DeltaLog;
import org.apache.spark.sql.delta.SnapshotDescriptor;
import org.apache.spark.sql.delta.actions.AddFile;
import org.apache.spark.sql.delta.files.TahoeBatchFileIndex;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;
import org.apache.spark.sql.execution.datasources.LogicalRelation$;
import scala.collection.immutable.Seq;

/**
 * The files of a query that reads just these. Where no filter divides them they are given as they
 * are: Delta's own {@code TahoeBatchFileIndex} makes a table of them and asks Spark for all of it,
 * several times a query.
 */
final class ListedFiles extends TahoeBatchFileIndex {
  private ListedFiles(
      SparkSession spark, DeltaLog log, SnapshotDescriptor version, Seq<AddFile> files) {
    super(spark, "batch", files, log, log.dataPath(), version, false);
  }

  /** The rows of files, as {@code DeltaLog.createDataFrame} gives them. */
  static Dataset<Row> rows(
      SparkSession spark, DeltaLog log, SnapshotDescriptor version, List<AddFile> files) {
    HadoopFsRelation relation =
        log.buildHadoopFsRelationWithFileIndex(
            version,
            new ListedFiles(spark, log, version, seq(files)),
            scala.Option.empty(),
            log.buildHadoopFsRelationWithFileIndex$default$4());
    return DataFrameUtils.ofRows(spark, LogicalRelation$.MODULE$.apply(relation, false));
  }

  @Override
  public Seq<AddFile> matchingFiles(Seq<Expression> partitionFilters, Seq<Expression> dataFilters) {
    return partitionFilters.forall(Literal.TrueLiteral()::equals)
        ? addFiles()
        : super.matchingFiles(partitionFilters, dataFilters);
  }
}
