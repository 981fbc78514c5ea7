package org.streammigrator.jobs.backfill;

import static java.util.Objects.requireNonNull;
import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.lit;

import io.delta.exceptions.DeltaConcurrentModificationException;
import io.delta.tables.DeltaMergeBuilder;
import io.delta.tables.DeltaTable;
import java.util.List;
import java.util.function.Supplier;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.streammigrator.job.BackfillSpec;
import org.streammigrator.job.JobFailedException;
import org.streammigrator.job.OrderColumn;
import org.streammigrator.jobs.rows.Columns;
import org.streammigrator.jobs.rows.Failures;
import org.streammigrator.jobs.rows.Windows;

/**
 * Merges chunks into a table. Each is one MERGE, and one commit, that carries the job's id and the
 * chunk's number as the table's own transaction record: Delta drops a second one.
 */
final class ChunkMerge {
  private static final String TABLE = "t";
  private static final String ROWS = "s";
  private static final int ATTEMPTS = 10;
  private static final String APPLICATION = "spark.databricks.delta.write.txnAppId";
  private static final String TRANSACTION = "spark.databricks.delta.write.txnVersion";
  private static final String METADATA = "spark.databricks.delta.commitInfo.userMetadata";

  private final SparkSession session;
  private final BackfillSpec spec;
  private final String place;

  /**
   * Prepares merges.
   *
   * @param place the table
   */
  ChunkMerge(SparkSession session, BackfillSpec spec, String place) {
    this.session = requireNonNull(session, "session");
    this.spec = requireNonNull(spec, "spec");
    this.place = requireNonNull(place, "place");
  }

  /**
   * Merges a chunk, unless the table has it already. Another writer may commit meanwhile.
   *
   * @param rows the chunk's rows; one a key
   */
  void run(ChunkRange chunk, Dataset<Row> rows, ChunkMark mark) {
    session.conf().set(APPLICATION, mark.job());
    session.conf().set(TRANSACTION, Integer.toString(mark.chunk()));
    session.conf().set(METADATA, mark.json());
    try {
      retried(() -> merge(chunk, rows).execute());
    } finally {
      session.conf().unset(APPLICATION);
      session.conf().unset(TRANSACTION);
      session.conf().unset(METADATA);
    }
  }

  /** Tries again what another commit has come in the way of. */
  private static void retried(Supplier<Dataset<Row>> merge) {
    for (int attempt = 1; ; attempt++) {
      try {
        Failures.ofAnalysis("sink", merge);
        return;
      } catch (RuntimeException failure) {
        if (attempt == ATTEMPTS || !isConflict(failure)) {
          throw failure;
        }
        pause(attempt);
      }
    }
  }

  private static boolean isConflict(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof DeltaConcurrentModificationException) {
        return true;
      }
    }
    return false;
  }

  private static void pause(int attempt) {
    try {
      Thread.sleep(200L << Math.min(attempt, 6));
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new JobFailedException("interrupted while another writer was in the way");
    }
  }

  private DeltaMergeBuilder merge(ChunkRange chunk, Dataset<Row> rows) {
    DeltaMergeBuilder merge =
        DeltaTable.forPath(session, place)
            .as(TABLE)
            .merge(rows.as(ROWS), sameKey().and(owned(chunk)));
    if (spec.sink().evolve()) {
      merge = merge.withSchemaEvolution();
    }
    if (!spec.sink().insertOnly()) {
      merge = merge.whenMatched(mayReplace()).updateAll();
    }
    return merge.whenNotMatched().insertAll();
  }

  private Column sameKey() {
    Column same = lit(true);
    for (String key : spec.sink().keys()) {
      Column there = Columns.of(TABLE, key);
      Column here = Columns.of(ROWS, key);
      same =
          same.and(
              spec.sink().nullKeys().equals("value")
                  ? there.eqNullSafe(here)
                  : there.equalTo(here));
    }
    return same;
  }

  /**
   * The part of the table that a chunk looks at, if the keys tell; so that Delta reads no other.
   */
  private Column owned(ChunkRange chunk) {
    return spec.isWindowInKeys()
        ? Windows.contains(
            Columns.of(TABLE, spec.windows().column()),
            spec.windows().within(chunk.from(), chunk.to()))
        : lit(true);
  }

  /** Whether a row that is there gives way to the computed one: it is the job's, and not newer. */
  private Column mayReplace() {
    Column may = lit(true);
    List<OrderColumn> order = spec.sink().order();
    for (int i = order.size() - 1; i >= 0; i--) {
      Column here = Columns.of(ROWS, order.get(i).column());
      Column there = Columns.of(TABLE, order.get(i).column());
      may = first(order.get(i), here, there).or(here.eqNullSafe(there).and(may));
    }
    return spec.windows() == null || spec.isWindowInKeys()
        ? may
        : may.and(Windows.contains(Columns.of(TABLE, spec.windows().column()), spec.windows()));
  }

  /** Whether a value comes before another in the order. */
  private static Column first(OrderColumn order, Column value, Column other) {
    Column greater = order.direction().equals("desc") ? value.gt(other) : value.lt(other);
    Column nullsFirst = value.isNull().and(other.isNotNull());
    Column nullsLast = value.isNotNull().and(other.isNull());
    return coalesce(greater, lit(false)).or(order.nulls().equals("first") ? nullsFirst : nullsLast);
  }
}
