package org.streammigrator.jobs.lake;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;
import org.streammigrator.job.InvalidJobSpecException;
import org.streammigrator.job.JobRefusedException;

/**
 * One version of a Delta table, as the job needs it. Files are named as {@code _metadata.file_path}
 * names them.
 */
public interface LakeTable {

  /**
   * Opens a table as it is now.
   *
   * @throws InvalidJobSpecException if there is none
   * @throws JobRefusedException if it has features that this Delta does not know, or this Delta is
   *     another one than the job knows
   */
  static LakeTable open(SparkSession spark, String path) {
    try {
      return DeltaLakeTable.open(spark, path);
    } catch (LinkageError otherDelta) {
      throw OtherDelta.refused(path, otherDelta);
    }
  }

  /** The version. */
  long version();

  /** The columns, partition columns among them. */
  StructType schema();

  /** The partition columns. */
  List<String> partitionColumns();

  /** Whether its rows must stay. */
  boolean isAppendOnly();

  /** Whether rows are deleted by deletion vectors, so that no data file is written. */
  boolean hasDeletionVectors();

  /**
   * Rows that some of its files hold, deleted ones among them, or a guess where statistics do not
   * tell.
   */
  long estimatedRows(Set<String> files);

  /** Every file, with its bytes. */
  Map<String, Long> files();

  /** Whether files of an older version, and its columns, are still the same in this one. */
  boolean holds(LakeTable older, Set<String> files);

  /** Every row. What is asked of them prunes files by their statistics. */
  Dataset<Row> rows();

  /** The rows of some of the files, with {@code _metadata.row_index}. */
  Dataset<Row> rows(Set<String> files);

  /**
   * Tells files whose rows came before a version from those whose rows came with it or after it.
   *
   * @throws JobRefusedException if a file holds both, or nobody knows
   */
  Set<String> filesSince(long version);

  /** The number that the last run with this id gave; -1 if there was none. */
  long recorded(String id);

  /** The commit of the last run with this id; empty if there was none, or its log is gone. */
  Optional<Done> done(String id);

  /**
   * The first RESTORE after a version that brought the table back to before that version, or may
   * have; empty if there was none, as far as the log is retained. What runs recorded in the table
   * outlasts it.
   */
  OptionalLong restoredSince(long version);

  /**
   * Removes rows in one commit.
   *
   * @param rows the rows
   * @param readFiles files that must not have changed meanwhile, those of the rows among them
   * @param mark what the commit carries
   * @throws ConflictException if another commit touched one of the files, or the same run is in the
   *     table already; nothing was written
   */
  Commit remove(RowPositions rows, Set<String> readFiles, Mark mark);

  /**
   * Looks for what a commit of {@link #remove} removed.
   *
   * @throws InvalidJobSpecException if there is no such commit
   * @throws JobRefusedException if the rows cannot be read any more
   */
  Removed removed(long version);

  /**
   * Adds rows that a commit removed, in one commit, with the columns that the table has now.
   *
   * @throws ConflictException if this has been done meanwhile; nothing was written
   */
  Commit restore(Removed removed, Mark mark);

  /**
   * What a commit carries beside its files.
   *
   * @param id under which the table records that the run is done
   * @param number the number that it records: the version that the run looked at
   * @param note a text for the commit's information
   */
  record Mark(String id, long number, String note) {}

  /**
   * A commit that was made.
   *
   * @param version the version that it made
   * @param files data files whose rows went
   * @param bytes bytes of the data files and deletion vectors that it wrote
   */
  record Commit(long version, long files, long bytes) {}

  /**
   * A commit that an earlier run made.
   *
   * @param version the version that it made
   * @param note its note; null if it has none
   */
  record Done(long version, String note) {}

  /**
   * Rows that a commit removed.
   *
   * @param version the commit's
   * @param rows the rows
   * @param note its note; null if it has none
   */
  record Removed(long version, RowPositions rows, String note) {}

  /** Another writer was first. */
  final class ConflictException extends RuntimeException {
    ConflictException(Exception cause) {
      super(cause.getMessage(), cause);
    }
  }
}
