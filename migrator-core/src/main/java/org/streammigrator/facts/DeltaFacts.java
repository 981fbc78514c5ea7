package org.streammigrator.facts;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a Delta table's log says.
 *
 * @param tableId the table's id; empty if it could not be read
 * @param earliest the earliest version whose commit file exists
 * @param latest the latest version
 * @param missing versions between the two whose commit file does not exist
 * @param formerIds ids that the table had before in the same log, each with the version whose
 *     commit replaced it; empty where nobody looked
 * @param backlog what is to be read from a position on; empty where nobody looked
 */
public record DeltaFacts(
    Optional<String> tableId,
    long earliest,
    long latest,
    List<Long> missing,
    Map<String, Long> formerIds,
    Optional<DeltaBacklog> backlog) {
  public DeltaFacts {
    requireNonNull(tableId, "tableId");
    missing = List.copyOf(missing);
    formerIds = Map.copyOf(formerIds);
    requireNonNull(backlog, "backlog");
  }

  /** A table that nobody asked for former ids. */
  public DeltaFacts(Optional<String> tableId, long earliest, long latest, List<Long> missing) {
    this(tableId, earliest, latest, missing, Map.of(), Optional.empty());
  }

  /** The same, with what is to be read from a position on. */
  public DeltaFacts withBacklog(DeltaBacklog unread) {
    return new DeltaFacts(tableId, earliest, latest, missing, formerIds, Optional.of(unread));
  }
}
