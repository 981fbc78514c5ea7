package org.streammigrator.report;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.time.LocalDate;
import java.util.Optional;
import org.streammigrator.copy.ArchiveResult;

/** What {@code migrator archive} made or found. */
@JsonPropertyOrder({"schema", "archive", "files", "bytes", "sha256", "existed", "keepUntil"})
public record ArchiveReport(
    String schema,
    String archive,
    long files,
    long bytes,
    String sha256,
    boolean existed,
    @JsonInclude(JsonInclude.Include.NON_NULL) String keepUntil) {

  /**
   * The report of a result.
   *
   * @param keepUntil until when it is to be kept; empty if that was not said
   */
  public static ArchiveReport of(ArchiveResult result, Optional<LocalDate> keepUntil) {
    return new ArchiveReport(
        "migrator/archive/1",
        result.archive().toString(),
        result.files(),
        result.bytes(),
        result.sha256(),
        result.existed(),
        keepUntil.map(LocalDate::toString).orElse(null));
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
        + sha256
        + (keepUntil == null ? "" : "\n  keep    until " + keepUntil);
  }
}
