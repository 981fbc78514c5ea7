package org.streammigrator.report;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.List;
import org.streammigrator.copy.RestoreResult;
import org.streammigrator.finding.Finding;

/** What {@code migrator restore} made. */
@JsonPropertyOrder({"schema", "archive", "target", "files", "bytes", "batch", "findings"})
public record RestoreReport(
    String schema,
    String archive,
    String target,
    long files,
    long bytes,
    @JsonInclude(JsonInclude.Include.NON_NULL) Long batch,
    @JsonInclude(JsonInclude.Include.NON_NULL) List<Finding> findings) {

  /** The report of a result. */
  public static RestoreReport of(RestoreResult result) {
    return of(result, null, null);
  }

  /** The report of a checkpoint as of a batch. */
  public static RestoreReport ofBatch(RestoreResult result, long batch, List<Finding> findings) {
    return of(result, batch, List.copyOf(findings));
  }

  private static RestoreReport of(RestoreResult result, Long batch, List<Finding> findings) {
    return new RestoreReport(
        "migrator/restore/1",
        result.archive().toString(),
        result.target().toString(),
        result.files(),
        result.bytes(),
        batch,
        findings);
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
        + bytes
        + (batch == null ? "" : "\n  batch   " + batch + ", the last planned and committed");
  }
}
