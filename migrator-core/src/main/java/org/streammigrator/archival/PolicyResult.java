package org.streammigrator.archival;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.List;
import java.util.function.Function;
import org.streammigrator.finding.Finding;

/**
 * What a run of a policy did: the JSON of {@code archive --policy}.
 *
 * @param policy the policy's name
 * @param dryRun whether nothing was written
 * @param checkpoints every checkpoint below the roots, by root and path
 * @param findings what kept it from looking everywhere
 */
@JsonPropertyOrder({"schema", "policy", "dryRun", "checkpoints", "summary", "findings"})
public record PolicyResult(
    String policy, boolean dryRun, List<Item> checkpoints, List<Finding> findings) {

  /** What became of a checkpoint. */
  public enum Status {
    /** It was packed now, or would be (dry run). */
    ARCHIVED,
    /** An archive of this very state was there. */
    UNCHANGED,
    /** The policy does not choose it. */
    SKIPPED,
    /** It could not be archived. */
    FAILED
  }

  /**
   * A checkpoint.
   *
   * @param reason why it was skipped or failed; null otherwise
   * @param archive its archive; null if it was skipped
   * @param files the number of files in it; null if it was skipped or failed
   * @param bytes the number of bytes in these; null if it was skipped or failed
   * @param archiveBytes the size of the archive; null if there is none
   * @param keepUntil the last day on which the archive is to be kept; null if nothing says so
   */
  @JsonPropertyOrder({
    "checkpoint",
    "status",
    "reason",
    "archive",
    "files",
    "bytes",
    "archiveBytes",
    "keepUntil"
  })
  public record Item(
      String checkpoint,
      Status status,
      String reason,
      String archive,
      Long files,
      Long bytes,
      Long archiveBytes,
      String keepUntil) {

    public Item {
      requireNonNull(checkpoint, "checkpoint");
      requireNonNull(status, "status");
    }

    static Item without(String checkpoint, Status status, String archive, String reason) {
      return new Item(checkpoint, status, reason, archive, null, null, null, null);
    }
  }

  /**
   * Counts.
   *
   * @param files the number of files that were archived now
   * @param bytes the number of bytes in these
   * @param archiveBytes the size of the archives that were written now
   */
  @JsonPropertyOrder({
    "found",
    "archived",
    "unchanged",
    "skipped",
    "failed",
    "files",
    "bytes",
    "archiveBytes"
  })
  public record Summary(
      long found,
      long archived,
      long unchanged,
      long skipped,
      long failed,
      long files,
      long bytes,
      long archiveBytes) {}

  public PolicyResult {
    requireNonNull(policy, "policy");
    checkpoints = List.copyOf(checkpoints);
    findings = List.copyOf(findings);
  }

  /** The version of this record's JSON. */
  @JsonProperty
  public String schema() {
    return "migrator/archive-run/1";
  }

  /** The counts. */
  @JsonProperty
  public Summary summary() {
    return new Summary(
        checkpoints.size(),
        count(Status.ARCHIVED),
        count(Status.UNCHANGED),
        count(Status.SKIPPED),
        count(Status.FAILED),
        archived(item -> item.files()),
        archived(item -> item.bytes()),
        archived(item -> item.archiveBytes()));
  }

  private long count(Status status) {
    return checkpoints.stream().filter(item -> item.status() == status).count();
  }

  private long archived(Function<Item, Long> number) {
    return checkpoints.stream()
        .filter(item -> item.status() == Status.ARCHIVED && number.apply(item) != null)
        .mapToLong(number::apply)
        .sum();
  }

  /** Whether something could not be archived, or not be looked at. */
  @JsonIgnore
  public boolean isIncomplete() {
    return count(Status.FAILED) > 0 || !findings.isEmpty();
  }

  /** Whether nothing that the policy chooses could be archived. */
  @JsonIgnore
  public boolean isFruitless() {
    return count(Status.FAILED) > 0 && count(Status.ARCHIVED) + count(Status.UNCHANGED) == 0;
  }
}
