package org.streammigrator.jobs.lake;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.udf;
import static scala.jdk.javaapi.CollectionConverters.asJava;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.fs.Path;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.paths.SparkPath;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.delta.DeletionVectorsTableFeature$;
import org.apache.spark.sql.delta.DeltaLog;
import org.apache.spark.sql.delta.Snapshot;
import org.apache.spark.sql.delta.SnapshotDescriptor;
import org.apache.spark.sql.delta.VersionChecksum;
import org.apache.spark.sql.delta.actions.AddFile;
import org.apache.spark.sql.delta.actions.Metadata;
import org.apache.spark.sql.delta.actions.Protocol;
import org.apache.spark.sql.delta.util.DeltaFileOperations;
import org.apache.spark.sql.types.DataTypes;
import org.streammigrator.jobs.rows.CodeGeneration;

/**
 * The files of a version of a table, by the names that {@code _metadata.file_path} has for them;
 * like {@link DeltaLakeTable} by Delta's own classes.
 *
 * @param spark the session
 * @param snapshot the version
 * @param byName what its log says of every file
 */
record DeltaFiles(SparkSession spark, Snapshot snapshot, Map<String, AddFile> byName) {
  /** What Delta does with an entry of its log, as rows. */
  private static final long WORK_OF_A_FILE = 20;

  private static final String FILE = "_metadata.file_path";
  private static final String ROW = "_metadata.row_index";

  static DeltaFiles of(SparkSession spark, Snapshot snapshot) {
    Map<String, AddFile> files = new TreeMap<>();
    scala.Option<VersionChecksum> known = snapshot.checksumOpt();
    long work = known.isDefined() ? known.get().numFiles() * WORK_OF_A_FILE : Long.MAX_VALUE;
    for (AddFile file :
        CodeGeneration.unlessFew(spark, work, () -> snapshot.allFiles().collectAsList())) {
      files.put(name(snapshot, file.path()), file);
    }
    return new DeltaFiles(spark, snapshot, files);
  }

  /** The name of a file that the log calls by this path. */
  String name(String path) {
    return name(snapshot, path);
  }

  /** Delta itself compares them like this. */
  private static String name(Snapshot snapshot, String path) {
    return SparkPath.fromPath(
            DeltaFileOperations.absolutePath(snapshot.dataPath().toString(), path))
        .urlEncoded();
  }

  /** What the log says of files. */
  List<AddFile> named(Set<String> names) {
    return names.stream().map(byName::get).toList();
  }

  /** The rows of files, which may be another version's, with the columns of this one. */
  Dataset<Row> rows(List<AddFile> files) {
    return ListedFiles.rows(spark, snapshot.deltaLog(), withRowIndex(), files);
  }

  /** This version, so that its rows have a place. */
  SnapshotDescriptor withRowIndex() {
    return new WithRowIndex(snapshot);
  }

  /** Whether a row of {@link #rows} is one of those. */
  Column isOneOf(RowPositions rows) {
    Broadcast<RowPositions> sent =
        JavaSparkContext.fromSparkContext(spark.sparkContext()).broadcast(rows);
    return udf((String file, Long row) -> sent.value().contains(file, row), DataTypes.BooleanType)
        .apply(col(FILE), col(ROW));
  }

  /** A list as Scala has it. */
  static <T> scala.collection.immutable.Seq<T> seq(List<T> list) {
    return scala.jdk.javaapi.CollectionConverters.asScala(list).toSeq();
  }

  /** What Scala has, as a list. */
  static <T> List<T> list(scala.collection.Seq<? extends T> seq) {
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
