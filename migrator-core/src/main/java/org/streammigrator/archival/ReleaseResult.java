package org.streammigrator.archival;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.List;
import org.streammigrator.finding.Finding;

/**
 * What became of a release: the JSON of {@code release}.
 *
 * @param checkpoint what was to be deleted
 * @param archive what holds it
 * @param files the number of files in the checkpoint, by the archive
 * @param bytes the number of bytes in these
 * @param keepUntil until when the archive is to be kept; null if nothing says so
 * @param evidence what the successor's checkpoint shows; null if it was not looked at
 * @param findings what speaks against it, or is to be known
 */
@JsonPropertyOrder({
  "schema",
  "checkpoint",
  "archive",
  "status",
  "files",
  "bytes",
  "keepUntil",
  "evidence",
  "findings"
})
public record ReleaseResult(
    String checkpoint,
    String archive,
    Status status,
    long files,
    long bytes,
    String keepUntil,
    SuccessorEvidence evidence,
    List<Finding> findings) {

  /** How it ended. */
  public enum Status {
    /** The checkpoint is deleted. */
    RELEASED,
    /** It was deleted by an earlier run. */
    ALREADY_RELEASED,
    /** Nothing speaks against it; nothing was deleted (dry run). */
    WOULD_RELEASE,
    /** Nothing speaks against it; nothing was deleted, since nobody confirmed it. */
    TO_CONFIRM,
    /** A finding forbids it; nothing was deleted. */
    REFUSED
  }

  public ReleaseResult {
    requireNonNull(status, "status");
    findings = List.copyOf(findings);
  }

  /** The version of this record's JSON. */
  @JsonProperty
  public String schema() {
    return "migrator/release/1";
  }
}
