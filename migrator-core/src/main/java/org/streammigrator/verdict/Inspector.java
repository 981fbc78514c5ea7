package org.streammigrator.verdict;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.checkpoint.CheckpointFile;
import org.streammigrator.checkpoint.CommitLog;
import org.streammigrator.checkpoint.LiveSubset;
import org.streammigrator.checkpoint.OffsetHeader;
import org.streammigrator.checkpoint.OffsetLog;
import org.streammigrator.checkpoint.OperatorState;
import org.streammigrator.checkpoint.StateReading;
import org.streammigrator.checkpoint.StateVersion;
import org.streammigrator.checkpoint.source.SourceKind;
import org.streammigrator.checkpoint.source.SourceOffset;
import org.streammigrator.facts.Facts;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.position.ResumePositions;

/** Says what a checkpoint holds and whether Spark could restart from it: a pure function. */
public final class Inspector {
  private final Checkpoint checkpoint;
  private final ResumePositions positions;

  private final List<WindowSpec> windows;
  private final Optional<StateReading> deep;

  private Inspector(
      Checkpoint checkpoint,
      Map<String, SourceKind> told,
      List<WindowSpec> windows,
      Optional<StateReading> deep) {
    this.deep = requireNonNull(deep, "deep");
    this.checkpoint = requireNonNull(checkpoint, "checkpoint");
    this.windows = List.copyOf(windows);
    this.positions = new ResumePositions(checkpoint, Facts.NONE, told);
  }

  /**
   * Inspects a checkpoint.
   *
   * @param told the kinds of sources that the user tells, by source id
   */
  public static Inspection inspect(Checkpoint checkpoint, Map<String, SourceKind> told) {
    return inspect(checkpoint, told, List.of(), Optional.empty());
  }

  /**
   * Inspects a checkpoint.
   *
   * @param told the kinds of sources that the user tells, by source id
   * @param windows the windows whose first open one is to be told
   * @param deep what a reading of the whole state found; empty if there was none
   */
  public static Inspection inspect(
      Checkpoint checkpoint,
      Map<String, SourceKind> told,
      List<WindowSpec> windows,
      Optional<StateReading> deep) {
    Checkpoint read = deep.map(checkpoint::with).orElse(checkpoint);
    return new Inspector(read, told, windows, deep).inspection();
  }

  private Inspection inspection() {
    Restart restart = new Restart();
    if (checkpoint.isCheckpoint()) {
      LogRules.check(checkpoint, restart);
      StateRules.check(checkpoint, restart);
      deep.ifPresent(reading -> StateReadingRules.check(reading, restart));
      SchemaFileRules.check(checkpoint, restart);
      StateNameRules.check(checkpoint, restart);
      SourceRules.check(checkpoint, positions, restart);
    } else {
      restart.stop(
          Finding.error(
              FindingCode.NOT_A_CHECKPOINT,
              checkpoint.location().toString(),
              "the directory holds neither metadata nor offsets/ nor commits/; a query started on it"
                  + " would begin anew",
              checkpoint.nested().isEmpty()
                  ? "give the directory that holds these three"
                  : "give one of the checkpoints below it: "
                      + String.join(", ", checkpoint.nested())));
    }
    PlaceRules.check(checkpoint, restart);

    Optional<CommitLog> commit = newestReadableCommit();
    Optional<Long> watermark = watermark();
    return new Inspection(
        checkpoint.location().toString(),
        checkpoint.queryId().orElse(null),
        checkpoint
            .plannedOffsets()
            .or(checkpoint::committedOffsets)
            .map(OffsetLog::version)
            .orElse(null),
        commit.map(CommitLog::version).orElse(null),
        new Inspection.Batches(
            boxed(checkpoint.lastPlanned()),
            boxed(checkpoint.lastCommitted()),
            List.copyOf(checkpoint.pending()),
            boxed(checkpoint.offsets().oldest())),
        watermark.orElse(null),
        watermark.map(this::nextWatermark).orElse(null),
        watermark
            .map(ms -> windows.stream().flatMap(window -> window.at(ms).stream()).toList())
            .orElse(List.of()),
        checkpoint.restartHeader().map(OffsetHeader::conf).orElse(Map.of()),
        sources(),
        state(),
        totals(),
        checkpoint.nested(),
        restart.byVersion(),
        restart.findings());
  }

  private static Long boxed(OptionalLong number) {
    return number.isPresent() ? number.getAsLong() : null;
  }

  private Optional<CommitLog> lastCommit() {
    return checkpoint.lastCommitted().isPresent()
        ? checkpoint.commits().file(checkpoint.lastCommitted().getAsLong()).readable()
        : Optional.empty();
  }

  private Optional<CommitLog> newestReadableCommit() {
    return checkpoint.commits().newest().isPresent()
        ? checkpoint
            .commits()
            .file(checkpoint.commits().newest().getAsLong())
            .readable()
            .or(this::lastCommit)
        : Optional.empty();
  }

  private Optional<Long> watermark() {
    return checkpoint
        .committedOffsets()
        .flatMap(OffsetLog::header)
        .or(() -> checkpoint.plannedOffsets().flatMap(OffsetLog::header))
        .map(OffsetHeader::batchWatermarkMs);
  }

  private long nextWatermark(long watermark) {
    return lastCommit()
        .map(commit -> Math.max(watermark, commit.nextBatchWatermarkMs()))
        .orElse(watermark);
  }

  private List<Inspection.Source> sources() {
    Optional<OffsetLog> committed = checkpoint.committedOffsets();
    Optional<OffsetLog> planned = checkpoint.plannedOffsets();
    Set<String> ids = new LinkedHashSet<>();
    planned.ifPresent(log -> log.sources().forEach(source -> ids.add(source.id())));
    committed.ifPresent(log -> log.sources().forEach(source -> ids.add(source.id())));
    List<Inspection.Source> sources = new ArrayList<>();
    for (String id : ids) {
      Optional<String> rawCommitted = committed.flatMap(log -> raw(log, id));
      Optional<String> rawPlanned = planned.flatMap(log -> raw(log, id));
      Optional<SourceOffset> atCommit = rawCommitted.map(raw -> positions.decode(id, raw));
      Optional<SourceOffset> atPlan = rawPlanned.map(raw -> positions.decode(id, raw));
      sources.add(
          new Inspection.Source(
              id,
              kind(atCommit, atPlan),
              json(atCommit),
              json(atPlan),
              rawCommitted.orElse(null),
              rawPlanned.orElse(null),
              committed
                  .flatMap(log -> log.source(id))
                  .map(line -> positions.at(line).consumedThrough())
                  .orElse(null)));
    }
    return sources;
  }

  private static Optional<String> raw(OffsetLog log, String id) {
    return log.source(id).map(OffsetLog.SourceLine::raw);
  }

  private static SourceKind kind(Optional<SourceOffset> committed, Optional<SourceOffset> planned) {
    return planned
        .map(SourceOffset::kind)
        .filter(kind -> kind != SourceKind.NONE)
        .or(() -> committed.map(SourceOffset::kind))
        .orElse(SourceKind.NONE);
  }

  private static JsonNode json(Optional<SourceOffset> offset) {
    return offset.map(SourceOffset::json).orElse(null);
  }

  private List<Inspection.State> state() {
    long required = checkpoint.requiredStateVersion();
    Optional<StateVersion> version = Optional.ofNullable(checkpoint.stateVersions().get(required));
    List<Inspection.State> state = new ArrayList<>();
    for (OperatorState operator : checkpoint.operators()) {
      List<String> missing =
          version
              .map(v -> v.missing().getOrDefault(operator.operator(), List.of()))
              .orElse(List.of());
      state.add(
          new Inspection.State(
              operator.operator(),
              operator.name().orElse(null),
              operator.provider(),
              operator.partitions().size(),
              operator.storeNames(),
              required,
              missing.isEmpty(),
              missing,
              deep.map(reading -> deep(reading, operator.operator())).orElse(null)));
    }
    return state;
  }

  private static Inspection.Deep deep(StateReading reading, int operator) {
    StateReading.OperatorReading read = reading.operators().get(operator);
    return read == null
        ? new Inspection.Deep(0, 0, null, List.of())
        : new Inspection.Deep(
            read.filesRead(),
            read.bytesRead(),
            boxed(read.keys()),
            read.damaged().stream()
                .map(damage -> new Inspection.Damaged(damage.path(), damage.reason()))
                .toList());
  }

  private Inspection.FileTotals totals() {
    long count = 0;
    long bytes = 0;
    for (CheckpointFile file : checkpoint.files()) {
      if (file.isFile()) {
        count++;
        bytes += file.size();
      }
    }
    List<CheckpointFile> live =
        checkpoint.isCheckpoint()
            ? LiveSubset.of(
                checkpoint,
                checkpoint.lastPlanned().isPresent()
                    ? List.of(checkpoint.requiredStateVersion())
                    : List.of())
            : List.of();
    long liveBytes = 0;
    for (CheckpointFile file : live) {
      liveBytes += file.size();
    }
    return new Inspection.FileTotals(count, bytes, live.size(), liveBytes);
  }
}
