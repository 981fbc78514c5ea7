package org.streammigrator.archival;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.storage.Location;

/**
 * What is to be released, and on what evidence.
 *
 * @param checkpoint the superseded checkpoint
 * @param archive the archive that holds it
 * @param journals where it may be said what superseded it
 * @param cleanFor how long the successor has to have run cleanly
 * @param confirm the name that was given to confirm it; nothing is deleted without
 * @param dryRun whether nothing is written
 * @param takeOver whether an operator that holds the checkpoint's lock is put out
 * @param accepted the findings that are taken knowingly
 */
public record ReleaseRequest(
    Location checkpoint,
    Location archive,
    List<Location> journals,
    Duration cleanFor,
    Optional<String> confirm,
    boolean dryRun,
    boolean takeOver,
    Set<FindingCode> accepted) {

  /** What can be taken knowingly. */
  public static final Set<FindingCode> ACCEPTABLE = Set.of(FindingCode.SUCCESSOR_HISTORY_SHORT);

  public ReleaseRequest {
    requireNonNull(checkpoint, "checkpoint");
    requireNonNull(archive, "archive");
    requireNonNull(cleanFor, "cleanFor");
    requireNonNull(confirm, "confirm");
    journals = List.copyOf(journals);
    accepted = Set.copyOf(accepted);
  }
}
