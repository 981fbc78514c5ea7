package org.streammigrator.position;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.List;
import org.streammigrator.finding.Exactness;
import org.streammigrator.finding.Finding;

/**
 * The exact resume position of a query.
 *
 * @param checkpoint where the checkpoint is
 * @param batch the batch whose end is the position; null if no batch is committed
 * @param pendingBatch the newest planned batch after it; null if there is none
 * @param sources the sources' positions, in the order of the log
 * @param findings what concerns the position as a whole
 */
@JsonPropertyOrder({
  "schema",
  "checkpoint",
  "batch",
  "pendingBatch",
  "sources",
  "exact",
  "findings"
})
public record Resume(
    String checkpoint,
    Long batch,
    Long pendingBatch,
    List<SourcePosition> sources,
    List<Finding> findings) {

  public Resume {
    requireNonNull(checkpoint, "checkpoint");
    sources = List.copyOf(sources);
    findings = List.copyOf(findings);
  }

  /** The version of this record's JSON. */
  @JsonProperty
  public String schema() {
    return "migrator/resume/1";
  }

  /** Whether every source has options that lose and repeat nothing. */
  @JsonProperty
  public boolean exact() {
    return !sources.isEmpty()
        && sources.stream().allMatch(s -> s.exactness() == Exactness.EXACT && s.usable())
        && !Finding.anyError(findings);
  }

  /** Whether a stream can be started from what is said here. */
  @JsonIgnore
  public boolean usable() {
    return !sources.isEmpty()
        && sources.stream().allMatch(SourcePosition::usable)
        && !Finding.anyError(findings);
  }
}
