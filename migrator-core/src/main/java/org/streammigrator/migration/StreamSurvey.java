package org.streammigrator.migration;

import static java.util.Objects.requireNonNull;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.checkpoint.embedded.RewrittenFile;
import org.streammigrator.facts.Facts;
import org.streammigrator.finding.Finding;
import org.streammigrator.plan.StreamPlan;
import org.streammigrator.replay.ReplayRange;

/**
 * Everything about one stream that was read from the world, once.
 *
 * @param stream the stream's plan
 * @param checkpoint the old checkpoint; empty if there is none to read
 * @param facts what tables and sinks say
 * @param sinkKeyedByBatch whether every sink remembers batches by query id and number
 * @param newestInSinks the newest batch that any sink would skip if the new query ran it
 * @param staleChecksums hidden checksum files in the old checkpoint that contradict their file;
 *     looked for only where everything is copied
 * @param embedded the files of the old checkpoint that embed paths, with what becomes of them
 * @param sinkMoves the file sinks whose output directory moved and whose log is still to be written
 * @param wholeFingerprint the fingerprint of the old checkpoint with the files that a repair leaves
 *     out, which {@code checkpoint} is without; empty if nothing is left out
 * @param mayRepeat whether a repair plans a batch anew that the sink may have
 * @param replay what the strategy replay reads again; empty for others, or if a finding says why
 *     there is nothing
 * @param dropped how many keys each operator of the old query holds, if the strategy takes none of
 *     its state along and nobody rebuilds it
 * @param rewind what a rewind goes back to, of which {@code checkpoint} is the past; empty for
 *     other strategies, and where there is nothing to go back to
 * @param findings what speaks against the migration, or should be known
 */
public record StreamSurvey(
    StreamPlan stream,
    Optional<Checkpoint> checkpoint,
    Facts facts,
    boolean sinkKeyedByBatch,
    OptionalLong newestInSinks,
    List<String> staleChecksums,
    List<RewrittenFile> embedded,
    List<SinkMove> sinkMoves,
    Optional<String> wholeFingerprint,
    boolean mayRepeat,
    Optional<ReplayRange> replay,
    SortedMap<Integer, OptionalLong> dropped,
    Optional<RewindSurvey> rewind,
    List<Finding> findings) {

  public StreamSurvey {
    requireNonNull(stream, "stream");
    requireNonNull(checkpoint, "checkpoint");
    requireNonNull(facts, "facts");
    requireNonNull(newestInSinks, "newestInSinks");
    staleChecksums = List.copyOf(staleChecksums);
    embedded = List.copyOf(embedded);
    requireNonNull(wholeFingerprint, "wholeFingerprint");
    requireNonNull(rewind, "rewind");
    sinkMoves = List.copyOf(sinkMoves);
    requireNonNull(replay, "replay");
    dropped = Collections.unmodifiableSortedMap(new TreeMap<>(dropped));
    findings = List.copyOf(findings);
  }
}
