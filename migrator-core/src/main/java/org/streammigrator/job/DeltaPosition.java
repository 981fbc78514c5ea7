package org.streammigrator.job;

import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_NULL;

import com.fasterxml.jackson.annotation.JsonInclude;

/**
 * A place in a Delta table's history, in the meaning of a recorded streaming offset.
 *
 * @param version 0 or more
 * @param index -1: all commits below {@code version} are done; k, 0 or more: those, and the files 0
 *     to k of commit {@code version}, in the order of its add actions
 * @param initialSnapshot whether the place lies inside the snapshot that a query started with; null
 *     means no
 * @param tableId the table's id, or null where it does not matter
 */
@JsonInclude(NON_NULL)
public record DeltaPosition(long version, long index, Boolean initialSnapshot, String tableId) {

  public DeltaPosition {
    if (version < 0 || index < -1) {
      throw new IllegalArgumentException(
          "version " + version + ", index " + index + " is no place in a Delta table");
    }
  }

  /** A place after the initial snapshot, in whichever table. */
  public DeltaPosition(long version, long index) {
    this(version, index, null, null);
  }
}
