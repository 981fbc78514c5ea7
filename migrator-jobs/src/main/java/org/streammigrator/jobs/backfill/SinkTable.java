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
import org.streammigrator.jobs.lake.LakeLog;
import org.streammigrator.jobs.lake.LakeTables;
import org.streammigrator.jobs.rows.Columns;
import org.streammigrator.jobs.rows.Windows;

/** The table that a backfill writes to: whether rows fit it, and which chunks it has. */
final class SinkTable {
  private final SparkSession session;
  private final BackfillSpec spec;
  private final String place;
  private final ChunkHistory history;
  private boolean exists;

  /**
   * Looks at the table.
   *
   * @throws InvalidJobSpecException if there is none, and none is to be made
   * @throws JobRefusedException if it is another one than the spec was made for
   */
  SinkTable(SparkSession session, BackfillSpec spec) {
    this.session = requireNonNull(session, "session");
    this.spec = requireNonNull(spec, "spec");
    this.place = LakeTables.absolute(session, spec.sink().delta());
    this.history = new ChunkHistory(session, place, spec.jobId());
    this.exists = LakeTables.exists(session, place);
    if (!exists) {
      if (!spec.sink().create()) {
        throw new InvalidJobSpecException(
            "sink.delta: there is no Delta table at %s; with create: true it is made"
                .formatted(place));
      }
      if (spec.sink().tableId() != null) {
        throw changed("there is no table at this place");
      }
    } else if (spec.sink().tableId() != null
        && !spec.sink().tableId().equals(new LakeLog(session, place).tableId())) {
      throw changed("the table at this place is " + new LakeLog(session, place).tableId());
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

  /** The newest version; null if there is no table. */
  Long version() {
    return exists ? (Long) new LakeLog(session, place).latestVersion() : null;
  }

  /** The last chunk that the table has, by its own record. */
  OptionalLong lastChunk() {
    return exists
        ? new LakeLog(session, place).lastTransaction(spec.jobId())
        : OptionalLong.empty();
  }

  /**
   * What the table's history says of the job's chunks, by their number.
   *
   * @param last the last chunk that the table has
   * @throws JobRefusedException if the table was restored to a version before one of them
   */
  Map<Integer, ChunkHistory.Done> history(OptionalLong last) {
    boolean isNew = !exists || last.isEmpty() && new LakeLog(session, place).keepsTransactions();
    return isNew ? new TreeMap<>() : history.all();
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
    if (!exists) {
      return;
    }
    Dataset<Row> there = LakeTables.current(session, place);
    for (String key : spec.sink().keys()) {
      Columns.require(there, key, "sink.keys", place);
    }
    for (OrderColumn order : spec.sink().order()) {
      Columns.require(there, order.column(), "sink.order", place);
    }
    if (spec.windows() != null) {
      Windows.require(spec.windows().column(), there, "windows.column", place);
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
    if (!exists) {
      DeltaTable.createIfNotExists(session).location(place).addColumns(rows.schema()).execute();
      exists = true;
    }
  }

  /**
   * Merges a chunk, unless the table has it already. Another writer may commit meanwhile.
   *
   * @param rows the chunk's rows; one a key
   * @return what the table's history says of it
   */
  Optional<ChunkHistory.Done> merge(ChunkRange chunk, Dataset<Row> rows, ChunkMark mark) {
    new ChunkMerge(session, spec, place).run(chunk, rows, mark);
    return history.committed(chunk.number());
  }

  /** The files that a job may rewrite, from the statistics that Delta keeps, and their bytes. */
  long[] touchable() {
    if (!exists || spec.sink().insertOnly()) {
      return new long[] {0, 0};
    }
    Column part =
        spec.isWindowInKeys()
            ? Windows.contains(Columns.of(spec.windows().column()), spec.windows())
            : lit(true);
    return LakeTables.matching(session, place, part);
  }
}
