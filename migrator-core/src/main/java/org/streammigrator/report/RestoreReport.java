package org.streammigrator.report;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import org.streammigrator.copy.RestoreResult;

/** What {@code migrator restore} made. */
@JsonPropertyOrder({"schema", "archive", "target", "files", "bytes"})
public record RestoreReport(String schema, String archive, String target, long files, long bytes) {

  /** The report of a result. */
  public static RestoreReport of(RestoreResult result) {
    return new RestoreReport(
        "migrator/restore/1",
        result.archive().toString(),
        result.target().toString(),
        result.files(),
        result.bytes());
  }

  /** The report for people. */
  @JsonIgnore
  public String text() {
    return "Restored and verified: "
        + target
        + "\n  from    "
        + archive
        + "\n  files   "
        + files
        + "\n  bytes   "
        + bytes;
  }
}
