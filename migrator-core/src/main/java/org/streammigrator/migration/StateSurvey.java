package org.streammigrator.migration;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.checkpoint.OffsetLog;
import org.streammigrator.checkpoint.StateReader;
import org.streammigrator.checkpoint.source.SourceOffset;
import org.streammigrator.facts.Facts;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.plan.SourcePlan;
import org.streammigrator.plan.StreamPlan;
import org.streammigrator.position.ResumeBatch;
import org.streammigrator.position.ResumePositions;
import org.streammigrator.replay.ReplayRange;
import org.streammigrator.replay.ReplaySearch;
import org.streammigrator.storage.Store;

/** Looks at the state that a new checkpoint is made without: what it holds, what it came from. */
final class StateSurvey {
  private final Store store;
  private final StateJobs jobs;

  /**
   * @param jobs read what only Spark can
   */
  StateSurvey(Store store, StateJobs jobs) {
    this.store = requireNonNull(store, "store");
    this.jobs = requireNonNull(jobs, "jobs");
  }

  /** How many keys each operator holds; empty where that is not told by the files. */
  SortedMap<Integer, OptionalLong> keys(Checkpoint checkpoint) {
    SortedMap<Integer, OptionalLong> keys = new TreeMap<>();
    if (checkpoint.stateful()) {
      checkpoint.operators().forEach(state -> keys.put(state.operator(), OptionalLong.empty()));
      new StateReader(store)
          .read(checkpoint)
          .ifPresent(
              reading ->
                  reading
                      .operators()
                      .forEach((operator, state) -> keys.put(operator, state.keys())));
    }
    return keys;
  }

  /** What a replay reads again to rebuild it; empty if a finding says why there is nothing. */
  Optional<ReplayRange> replay(
      StreamPlan stream, Checkpoint checkpoint, Facts facts, List<Finding> findings)
      throws IOException {
    OptionalLong position = ResumeBatch.of(checkpoint, facts).batch();
    Optional<OffsetLog> plan =
        position.isEmpty()
            ? Optional.empty()
            : checkpoint.offsets().file(position.getAsLong()).readable();
    if (plan.isEmpty()) {
      findings.add(
          Finding.error(
              position.isEmpty() ? FindingCode.NO_COMMITTED_BATCH : FindingCode.OFFSETS_CORRUPT,
              "offsets",
              position.isEmpty()
                  ? "no batch is known to be done, so that there is nothing to replay"
                  : "the plan of batch " + position.getAsLong() + " cannot be read",
              "start the new query with the old one's starting options, if no row of it is in the"
                  + " sink; or restore the file from a copy of the checkpoint"));
      return Optional.empty();
    }
    ResumePositions positions =
        new ResumePositions(checkpoint, facts, Itineraries.kinds(stream, checkpoint));
    Map<String, SourceOffset> offsets = new HashMap<>();
    plan.get()
        .sources()
        .forEach(line -> offsets.put(line.id(), positions.decode(line.id(), line.raw())));
    Map<String, SourcePlan> sources = new HashMap<>();
    for (int i = 0; i < stream.sources().size(); i++) {
      if (!stream.sources().get(i).isNew()) {
        sources.put(DeclaredSources.id(stream, i, checkpoint), stream.sources().get(i));
      }
    }
    return new ReplaySearch(
            store,
            stream,
            checkpoint,
            () -> jobs.openSessions(stream, checkpoint, position.getAsLong()),
            findings)
        .find(plan.get(), offsets, sources, Moves.data(stream));
  }
}
