package org.streammigrator.facts;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Optional;

/**
 * What a Delta table's log says.
 *
 * @param tableId the table's id; empty if it could not be read
 * @param earliest the earliest version whose commit file exists
 * @param latest the latest version
 * @param missing versions between the two whose commit file does not exist
 */
public record DeltaFacts(Optional<String> tableId, long earliest, long latest, List<Long> missing) {
  public DeltaFacts {
    requireNonNull(tableId, "tableId");
    missing = List.copyOf(missing);
  }
}
