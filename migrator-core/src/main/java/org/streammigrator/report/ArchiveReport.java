package org.streammigrator.report;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import org.streammigrator.copy.ArchiveResult;

/** What {@code migrator archive} made or found. */
@JsonPropertyOrder({"schema", "archive", "files", "bytes", "sha256", "existed"})
public record ArchiveReport(
    String schema, String archive, long files, long bytes, String sha256, boolean existed) {

  /** The report of a result. */
  public static ArchiveReport of(ArchiveResult result) {
    return new ArchiveReport(
        "migrator/archive/1",
        result.archive().toString(),
        result.files(),
        result.bytes(),
        result.sha256(),
        result.existed());
  }

  /** The report for people. */
  @JsonIgnore
  public String text() {
    return (existed ? "Already archived, verified again: " : "Archived and verified: ")
        + archive
        + "\n  files   "
        + files
        + "\n  bytes   "
        + bytes
        + "\n  sha256  "
        + sha256;
  }
}
