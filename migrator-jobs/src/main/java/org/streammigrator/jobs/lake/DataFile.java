package org.streammigrator.jobs.lake;

import static java.util.Objects.requireNonNull;

import java.util.OptionalLong;
import org.apache.spark.sql.delta.actions.AddFile;

/** A data file of a Delta table. */
public final class DataFile {
  private final AddFile add;

  DataFile(AddFile add) {
    this.add = requireNonNull(add, "add");
  }

  /** As the log has it. */
  AddFile add() {
    return add;
  }

  /** Its bytes. */
  public long bytes() {
    return add.size();
  }

  /** The rows in it, if its statistics tell. */
  public OptionalLong records() {
    scala.Option<Object> records = add.numLogicalRecords();
    return records.isDefined()
        ? OptionalLong.of(((Number) records.get()).longValue())
        : OptionalLong.empty();
  }

  /** Its statistics as they stand in the log; null if there are none. */
  public String statistics() {
    return add.stats();
  }
}
