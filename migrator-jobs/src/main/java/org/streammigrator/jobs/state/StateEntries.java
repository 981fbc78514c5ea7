package org.streammigrator.jobs.state;

import static java.util.Objects.requireNonNull;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.min;
import static org.apache.spark.sql.functions.unix_micros;

import java.time.Instant;
import org.apache.spark.sql.DataFrameReader;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * The entries of one operator's state.
 *
 * <p>A session's key ends with its start ({@code StreamingSessionWindowStateManagerImplV1}), and
 * its value begins with the window; a join has a store for each side ({@code
 * SymmetricHashJoinStateManager}).
 */
final class StateEntries {
  private static final String JOIN = "symmetricHashJoin";
  private static final String SESSION = "sessionWindowStateStoreSaveExec";
  private static final String SESSION_START = "sessionStartTime";

  private final ReadableState state;
  private final int number;
  private final String name;

  StateEntries(ReadableState state, int number, String name) {
    this.state = requireNonNull(state, "state");
    this.number = number;
    this.name = requireNonNull(name, "name");
  }

  int number() {
    return number;
  }

  String name() {
    return name;
  }

  /** Whether the reader shows the operator's keys without knowing the query. */
  boolean isReadable() {
    return !name.startsWith("transformWithState");
  }

  /** One row for each entry. */
  Dataset<Row> rows() {
    if (name.equals(JOIN)) {
      return side("left").union(side("right"));
    }
    Dataset<Row> entries = reader().load();
    return name.equals(SESSION)
        ? entries.select(col("key.*"), col("value.session_window.end").as("sessionEndTime"))
        : entries.select("key.*");
  }

  private Dataset<Row> side(String side) {
    return reader().option("joinSide", side).load().select(lit(side).as("side"), col("key.*"));
  }

  /** The start of the earliest session; null if there is none. */
  Instant earliestSession() {
    if (!name.equals(SESSION)) {
      return null;
    }
    Row micros = rows().agg(min(unix_micros(col(SESSION_START).cast("timestamp")))).first();
    return micros.isNullAt(0)
        ? null
        : Instant.ofEpochMilli(Math.floorDiv(micros.getLong(0), 1_000));
  }

  private DataFrameReader reader() {
    return state
        .reader("statestore")
        .option("batchId", state.state().batch())
        .option("operatorId", number);
  }
}
