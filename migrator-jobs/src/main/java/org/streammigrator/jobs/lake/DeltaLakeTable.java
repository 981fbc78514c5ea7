package org.streammigrator.jobs.lake;

import static scala.jdk.javaapi.CollectionConverters.asJava;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.delta.DeltaConfigs;
import org.apache.spark.sql.delta.DeltaLog;
import org.apache.spark.sql.delta.DeltaTableFeatureException;
import org.apache.spark.sql.delta.Snapshot;
import org.apache.spark.sql.delta.VersionChecksum;
import org.apache.spark.sql.delta.actions.AddFile;
import org.apache.spark.sql.delta.actions.RemoveFile;
import org.apache.spark.sql.delta.actions.SetTransaction;
import org.apache.spark.sql.delta.commands.DeletionVectorUtils$;
import org.apache.spark.sql.delta.util.DeltaFileOperations;
import org.apache.spark.sql.types.StructType;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.job.InvalidJobSpecException;
import org.streammigrator.job.JobRefusedException;

/**
 * A version of a table by Delta's own classes, which promise nobody anything: this package is the
 * only one that uses them, and it was tested with Delta {@value OtherDelta#TESTED}. No public way
 * removes one of two rows that are the same: {@code DELETE} knows {@code _metadata.row_index} only
 * in tables with deletion vectors, and there it does not resolve it.
 *
 * <p>What Delta's {@code DeleteCommand} does with the rows that a condition finds, this does with
 * rows that are known: the same writer, deletion vectors, change files and row ids. Its transaction
 * reads only the files it is told, so that a stream may go on appending.
 */
final class DeltaLakeTable implements LakeTable {
  private static final long BYTES_OF_A_ROW = 16;

  private final SparkSession spark;
  private final String path;
  private final Snapshot snapshot;
  private final DeltaFiles files;

  private DeltaLakeTable(SparkSession spark, String path, Snapshot snapshot) {
    this.spark = spark;
    this.path = path;
    this.snapshot = snapshot;
    this.files = DeltaFiles.of(spark, snapshot);
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
      return new DeltaLakeTable(spark, path, snapshot);
    } catch (DeltaTableFeatureException unknown) {
      throw JobRefusedException.unsafe(
          Finding.error(
              FindingCode.TABLE_FEATURE_UNSUPPORTED,
              path,
              unknown.getMessage().lines().findFirst().orElse("a feature is not known"),
              "run the job with a Delta that knows the feature, or drop it from the table"));
    }
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
    Map<String, Long> sizes = new TreeMap<>();
    files.byName().forEach((name, file) -> sizes.put(name, file.size()));
    return sizes;
  }

  @Override
  public long estimatedRows(Set<String> names) {
    long rows = 0;
    for (AddFile file : files.named(names)) {
      scala.Option<Object> counted = file.numPhysicalRecords();
      rows += counted.isDefined() ? (Long) counted.get() : file.size() / BYTES_OF_A_ROW;
    }
    return rows;
  }

  @Override
  public boolean holds(LakeTable older, Set<String> files) {
    Map<String, AddFile> before = ((DeltaLakeTable) older).files.byName();
    return schema().equals(older.schema())
        && files.stream().allMatch(file -> isSame(before.get(file), this.files.byName().get(file)));
  }

  private static boolean isSame(AddFile before, AddFile now) {
    return now != null && Objects.equals(before.deletionVector(), now.deletionVector());
  }

  @Override
  public Dataset<Row> rows() {
    return spark.read().format("delta").option("versionAsOf", version()).load(path);
  }

  @Override
  public Dataset<Row> rows(Set<String> files) {
    return this.files.rows(this.files.named(files));
  }

  @Override
  public Set<String> filesSince(long version) {
    FileAges ages = new FileAges();
    for (long next = version; next <= version(); next++) {
      ages.add(DeltaCommit.read(snapshot, next).files());
    }
    Set<String> since = new HashSet<>();
    files
        .byName()
        .forEach(
            (name, file) -> {
              FileAges.Age age = ages.of(file.path());
              if (age == FileAges.Age.UNKNOWN) {
                throw unknownAge(version, ages.writerOf(file.path()));
              }
              if (age == FileAges.Age.SINCE) {
                since.add(name);
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
    scala.Option<scala.collection.immutable.Seq<SetTransaction>> known =
        snapshot.checksumOpt().flatMap(VersionChecksum::setTransactions);
    if (known.isEmpty()) {
      return (Long) snapshot.transactions().getOrElse(id, () -> -1L);
    }
    return asJava(known.get()).stream()
        .filter(run -> run.appId().equals(id))
        .mapToLong(SetTransaction::version)
        .findFirst()
        .orElse(-1);
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
  public OptionalLong restoredSince(long version) {
    return DeltaCommit.restoreAfter(snapshot, version);
  }

  @Override
  public Commit remove(RowPositions rows, Set<String> readFiles, Mark mark) {
    return new DeltaChange(files, mark).remove(rows, readFiles, hasDeletionVectors());
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
      scala.Option<String> encoded = file.getTag(DeltaChange.REMOVED_ROWS);
      if (encoded.isDefined()) {
        try {
          rows.add(files.name(file.path()), encoded.get());
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
    DeltaFiles before = DeltaFiles.of(spark, DeltaCommit.snapshot(snapshot, removed.version() - 1));
    List<AddFile> holding = before.named(removed.rows().files());
    holding.forEach(this::requireReadable);
    return new DeltaChange(files, mark)
        .append(files.rows(holding).where(files.isOneOf(removed.rows())), removed.rows().count());
  }

  private void requireReadable(AddFile file) {
    List<Path> needed = new ArrayList<>();
    needed.add(DeltaFileOperations.absolutePath(snapshot.dataPath().toString(), file.path()));
    if (file.deletionVector() != null && file.deletionVector().isOnDisk()) {
      needed.add(file.deletionVector().absolutePath(snapshot.dataPath()));
    }
    for (Path place : needed) {
      try {
        if (!place.getFileSystem(snapshot.deltaLog().newDeltaHadoopConf()).exists(place)) {
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
}
