package org.streammigrator.jobs.backfill;

import static java.util.Objects.requireNonNull;
import static org.apache.spark.sql.functions.lit;

import io.delta.tables.DeltaTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.types.StructField;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.job.BackfillSpec;
import org.streammigrator.job.InvalidJobSpecException;
import org.streammigrator.job.JobRefusedException;
import org.streammigrator.job.OrderColumn;
import org.streammigrator.jobs.rows.Columns;
import org.streammigrator.jobs.rows.Windows;
import org.streammigrator.jobs.source.DeltaTables;

/** The table that a backfill writes to: whether rows fit it, and which chunks it has. */
final class SinkTable {
  private static final int RECENT = 5;

  private final SparkSession session;
  private final BackfillSpec spec;
  private final String place;

  /**
   * A chunk that is done.
   *
   * @param version the commit
   */
  record Done(ChunkMark mark, long inserted, long updated, long version) {}

  /**
   * Looks at the table.
   *
   * @throws InvalidJobSpecException if there is none, and none is to be made
   * @throws JobRefusedException if it is another one than the spec was made for
   */
  SinkTable(SparkSession session, BackfillSpec spec) {
    this.session = requireNonNull(session, "session");
    this.spec = requireNonNull(spec, "spec");
    this.place = DeltaTables.absolute(session, spec.sink().delta());
    if (!exists()) {
      if (!spec.sink().create()) {
        throw new InvalidJobSpecException(
            "sink.delta: there is no Delta table at %s; with create: true it is made"
                .formatted(place));
      }
      if (spec.sink().tableId() != null) {
        throw changed("there is no table at this place");
      }
    } else if (spec.sink().tableId() != null
        && !spec.sink().tableId().equals(DeltaTables.id(session, place))) {
      throw changed("the table at this place is " + DeltaTables.id(session, place));
    }
  }

  private JobRefusedException changed(String what) {
    return JobRefusedException.changed(
        Finding.error(
            FindingCode.DELTA_TABLE_REPLACED,
            place,
            "the spec is for the table %s; %s".formatted(spec.sink().tableId(), what),
            "look whether this is the table that is meant, and make the spec anew"));
  }

  boolean exists() {
    return DeltaTables.exists(session, place);
  }

  /** The newest version; null if there is no table. */
  Long version() {
    return exists() ? (Long) DeltaTables.latestVersion(session, place) : null;
  }

  /** The last chunk that the table has, by its own record. */
  OptionalLong lastChunk() {
    return exists()
        ? DeltaTables.lastTransaction(session, place, spec.jobId())
        : OptionalLong.empty();
  }

  /** What the table's history says of the job's chunks, by their number. */
  Map<Integer, Done> history() {
    return exists() ? marked(DeltaTable.forPath(session, place).history()) : new TreeMap<>();
  }

  /**
   * Looks whether the chunks that are done are still in the table.
   *
   * @throws JobRefusedException if it was restored to a version before one of them: its record of
   *     what is done outlives that, so that Delta would skip the chunk
   */
  void requireNotRestored(Map<Integer, Done> done) {
    long newest = done.values().stream().mapToLong(Done::version).max().orElse(Long.MAX_VALUE);
    List<Row> restores =
        exists()
            ? DeltaTable.forPath(session, place)
                .history()
                .where("operation = 'RESTORE'")
                .selectExpr("version", "cast(operationParameters['version'] as bigint)")
                .collectAsList()
            : List.of();
    for (Row restore : restores) {
      if (restore.getLong(0) > newest && (restore.isNullAt(1) || restore.getLong(1) < newest)) {
        throw JobRefusedException.unsafe(
            Finding.error(
                FindingCode.SINK_BATCHES_SKIPPED,
                place,
                "version %d restored the table to a version before chunks of this job were merged; its"
                        .formatted(restore.getLong(0))
                    + " record of them is still there, so that they would be skipped",
                "compute all again under another id"));
      }
    }
  }

  /** What the history says of a chunk that has just been merged. */
  private Optional<Done> committed(int chunk) {
    Done done = marked(DeltaTable.forPath(session, place).history(RECENT)).get(chunk);
    return Optional.ofNullable(done == null ? history().get(chunk) : done);
  }

  private Map<Integer, Done> marked(Dataset<Row> history) {
    Map<Integer, Done> done = new TreeMap<>();
    List<Row> commits =
        history
            .where("userMetadata like '{\"migratorBackfill%'")
            .select("version", "userMetadata", "operationMetrics")
            .collectAsList();
    for (Row commit : commits) {
      Optional<ChunkMark> mark = ChunkMark.of(commit.getString(1));
      if (mark.isPresent() && mark.get().job().equals(spec.jobId())) {
        Map<String, String> metrics = commit.isNullAt(2) ? Map.of() : commit.getJavaMap(2);
        done.putIfAbsent( // The newest comes first.
            mark.get().chunk(),
            new Done(
                mark.get(),
                count(metrics, "numTargetRowsInserted"),
                count(metrics, "numTargetRowsUpdated"),
                commit.getLong(0)));
      }
    }
    return done;
  }

  private static long count(Map<String, String> metrics, String name) {
    return Long.parseLong(metrics.getOrDefault(name, "0"));
  }

  /**
   * Looks whether rows fit.
   *
   * @throws InvalidJobSpecException if a key or a column is missing on either side
   */
  void require(Dataset<Row> rows) {
    for (String key : spec.sink().keys()) {
      Columns.require(rows, key, "sink.keys", "what is computed");
    }
    for (OrderColumn order : spec.sink().order()) {
      Columns.require(rows, order.column(), "sink.order", "what is computed");
      Columns.requireOrderable(rows, order.column(), "sink.order");
    }
    for (String key : spec.sink().keys()) {
      Columns.requireOrderable(rows, key, "sink.keys");
    }
    if (!exists()) {
      return;
    }
    Dataset<Row> there = DeltaTables.current(session, place);
    for (String key : spec.sink().keys()) {
      Columns.require(there, key, "sink.keys", place);
    }
    for (OrderColumn order : spec.sink().order()) {
      Columns.require(there, order.column(), "sink.order", place);
    }
    if (spec.windows() != null) {
      Windows.require(spec.windows().column(), there, place);
    }
    requireTypes(rows, there);
    if (!spec.sink().evolve()) {
      List<String> more = lacking(rows, there);
      List<String> fewer = lacking(there, rows);
      if (!more.isEmpty() || !fewer.isEmpty()) {
        throw new InvalidJobSpecException(
            "sink.delta: the columns differ: %s lacks %s; what is computed lacks %s; with evolve: true"
                    .formatted(place, listed(more), listed(fewer))
                + " new columns are added to the table, and missing ones are null in new rows");
      }
    }
  }

  /** Values must fit: Spark would cut them to the table's type otherwise. */
  private void requireTypes(Dataset<Row> rows, Dataset<Row> there) {
    for (StructField computed : rows.schema().fields()) {
      for (StructField column : there.schema().fields()) {
        if (column.name().equalsIgnoreCase(computed.name())
            && !Cast.canUpCast(computed.dataType(), column.dataType())) {
          throw new InvalidJobSpecException(
              "sink.delta: the column %s of %s is of type %s; what is computed is of type %s: cast it"
                  .formatted(
                      column.name(),
                      place,
                      column.dataType().simpleString(),
                      computed.dataType().simpleString()));
        }
      }
    }
  }

  private static List<String> lacking(Dataset<Row> whose, Dataset<Row> other) {
    List<String> lacking = new ArrayList<>();
    for (String column : whose.columns()) {
      if (!Columns.lowerCase(other.columns()).contains(column.toLowerCase(Locale.ROOT))) {
        lacking.add(column);
      }
    }
    return lacking;
  }

  private static String listed(List<String> columns) {
    return columns.isEmpty() ? "nothing" : String.join(", ", columns);
  }

  /** Makes the table with the columns of rows, if it is to be made and is not there. */
  void create(Dataset<Row> rows) {
    if (!exists()) {
      DeltaTable.createIfNotExists(session).location(place).addColumns(rows.schema()).execute();
    }
  }

  /**
   * Merges a chunk, unless the table has it already. Another writer may commit meanwhile.
   *
   * @param rows the chunk's rows; one a key
   * @return what the table's history says of it
   */
  Optional<Done> merge(ChunkRange chunk, Dataset<Row> rows, ChunkMark mark) {
    new ChunkMerge(session, spec, place).run(chunk, rows, mark);
    return committed(chunk.number());
  }

  /** The files that a job may rewrite, from the statistics that Delta keeps, and their bytes. */
  long[] touchable() {
    if (!exists() || spec.sink().insertOnly()) {
      return new long[] {0, 0};
    }
    Column part =
        spec.isWindowInKeys()
            ? Windows.contains(Columns.of(spec.windows().column()), spec.windows())
            : lit(true);
    return DeltaTables.matching(session, place, part);
  }
}
