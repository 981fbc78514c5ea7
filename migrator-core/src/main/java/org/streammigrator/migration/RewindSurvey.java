package org.streammigrator.migration;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Optional;
import org.streammigrator.authoring.AsOf;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.finding.Exactness;

/**
 * What a rewind goes back to, and what its sinks make of it.
 *
 * @param whole the old checkpoint as it is
 * @param asOf the same as of the batch
 * @param newest the newest batch that is taken back: planned, committed, or recorded by a sink
 * @param exactness what the sinks make of batches that are planned anew
 * @param absorbed what takes up rows that are written again; empty if nothing is known to
 * @param moves the logs of file sinks that moved, without what came after the batch
 */
record RewindSurvey(
    Checkpoint whole,
    AsOf asOf,
    long newest,
    Exactness exactness,
    Optional<String> absorbed,
    List<SinkMove> moves) {

  RewindSurvey {
    requireNonNull(whole, "whole");
    requireNonNull(asOf, "asOf");
    requireNonNull(exactness, "exactness");
    requireNonNull(absorbed, "absorbed");
    moves = List.copyOf(moves);
  }

  /** The batches that are taken back, in words. */
  String takenBack() {
    long first = asOf.batch() + 1;
    return newest == first
        ? "batch " + first
        : "batches " + first + ".." + newest + " (" + (newest - asOf.batch()) + " batches)";
  }
}
