package org.streammigrator.discovery;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.List;
import org.streammigrator.finding.Finding;
import org.streammigrator.storage.Location;

/**
 * What was found below a directory: the JSON of {@code discover}.
 *
 * @param root where the search began
 * @param checkpoints what was found and asked for, in the order that was asked for
 * @param directories how many directories were listed
 * @param found how many checkpoints were found in all, those that a filter left out included
 * @param tables the Delta tables that were met, in the order of their paths
 * @param findings what kept the search from looking everywhere
 */
@JsonPropertyOrder({"schema", "root", "checkpoints", "summary", "findings"})
public record Discovery(
    String root,
    List<DiscoveredCheckpoint> checkpoints,
    @com.fasterxml.jackson.annotation.JsonIgnore long directories,
    @com.fasterxml.jackson.annotation.JsonIgnore long found,
    @com.fasterxml.jackson.annotation.JsonIgnore List<Location> tables,
    List<Finding> findings) {

  public Discovery {
    requireNonNull(root, "root");
    checkpoints = List.copyOf(checkpoints);
    tables = List.copyOf(tables);
    findings = List.copyOf(findings);
  }

  /**
   * Counts.
   *
   * @param directories how many directories were listed
   * @param found how many checkpoints were found in all
   * @param checkpoints how many of them are listed
   * @param ok how many of those are healthy
   * @param warning how many have a warning and no error
   * @param error how many have an error
   * @param logFiles the files seen in those listed, without state
   * @param logBytes the bytes of these files
   */
  @JsonPropertyOrder({
    "directories",
    "found",
    "checkpoints",
    "ok",
    "warning",
    "error",
    "logFiles",
    "logBytes"
  })
  public record Summary(
      long directories,
      long found,
      long checkpoints,
      long ok,
      long warning,
      long error,
      long logFiles,
      long logBytes) {}

  /** The version of this record's JSON. */
  @JsonProperty
  public String schema() {
    return "migrator/discover/1";
  }

  /** The counts of what is listed. */
  @JsonProperty
  public Summary summary() {
    return new Summary(
        directories,
        found,
        checkpoints.size(),
        healthy(Health.OK),
        healthy(Health.WARNING),
        healthy(Health.ERROR),
        checkpoints.stream().mapToLong(DiscoveredCheckpoint::logFiles).sum(),
        checkpoints.stream().mapToLong(DiscoveredCheckpoint::logBytes).sum());
  }

  private long healthy(Health health) {
    return checkpoints.stream().filter(checkpoint -> checkpoint.health() == health).count();
  }

  /** The same with other checkpoints listed. */
  public Discovery withCheckpoints(List<DiscoveredCheckpoint> others) {
    return new Discovery(root, others, directories, found, tables, findings);
  }
}
