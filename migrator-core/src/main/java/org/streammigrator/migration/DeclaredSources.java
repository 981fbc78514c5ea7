package org.streammigrator.migration;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.checkpoint.OffsetLog;
import org.streammigrator.checkpoint.source.SourceKind;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.plan.SourcePlan;
import org.streammigrator.plan.StreamPlan;
import org.streammigrator.position.SourcePosition;

/** Which source of the old log a source of the plan is, and whether it can be that one. */
final class DeclaredSources {
  private DeclaredSources() {}

  /**
   * The id in the old log of a plan's source: what {@code was} says, else its name where the log
   * has names (version 2), else its position.
   */
  static String id(StreamPlan stream, int index, Checkpoint checkpoint) {
    SourcePlan source = stream.sources().get(index);
    boolean named =
        checkpoint
            .committedOffsets()
            .or(checkpoint::plannedOffsets)
            .filter(log -> log.version() == 2)
            .isPresent();
    return source
        .was()
        .or(() -> source.name().filter(name -> named))
        .or(() -> stream.oldId(index))
        .orElse(Integer.toString(index));
  }

  /** The id in the new log of a plan's source: its name where the log has names, else its place. */
  static String newId(StreamPlan stream, int index, Checkpoint checkpoint) {
    SourcePlan source = stream.sources().get(index);
    boolean named = checkpoint.committedOffsets().filter(log -> log.version() == 2).isPresent();
    return source
        .name()
        .filter(name -> named)
        .orElseGet(
            () ->
                Long.toString(
                    stream.sources().subList(0, index).stream()
                        .filter(before -> !before.removed())
                        .count()));
  }

  /** What the plan says of sources and the old log contradicts: the plan means another query. */
  static List<Finding> contradictions(
      StreamPlan stream, Checkpoint checkpoint, List<SourcePosition> positions) {
    List<Finding> findings = new ArrayList<>();
    Optional<OffsetLog> log = checkpoint.committedOffsets().or(checkpoint::plannedOffsets);
    for (int i = 0; i < stream.sources().size(); i++) {
      SourcePlan source = stream.sources().get(i);
      if (source.isNew() || log.isEmpty()) {
        continue;
      }
      String id = id(stream, i, checkpoint);
      if (log.get().source(id).isEmpty()) {
        findings.add(
            differs(
                i,
                "the old checkpoint has no source "
                    + id
                    + " (it has "
                    + String.join(
                        ", ", log.get().sources().stream().map(OffsetLog.SourceLine::id).toList())
                    + ")"));
        continue;
      }
      Optional<SourceKind> type =
          positions.stream()
              .filter(position -> position.id().equals(id))
              .map(SourcePosition::type)
              .findFirst();
      Optional<String> declared = source.address().map(address -> address.kind().label());
      if (type.isPresent() && declared.isPresent() && contradict(declared.get(), type.get())) {
        findings.add(
            differs(
                i,
                "the plan calls source "
                    + id
                    + " of the old checkpoint "
                    + declared.get()
                    + ", and its offset is none that such a source writes"));
      }
    }
    return findings;
  }

  private static boolean contradict(String declared, SourceKind type) {
    boolean decoded = SourceKind.ofLabel(declared).isPresent();
    return decoded
        ? type == SourceKind.UNKNOWN
        : type == SourceKind.DELTA && !declared.equals("delta-sharing");
  }

  private static Finding differs(int index, String message) {
    return Finding.error(
        FindingCode.SOURCES_DIFFER,
        "sources[" + index + "]",
        message,
        "check that this is the query's checkpoint; say with `was` where a source stood in it, or"
            + " was: none for a new one (migrator inspect lists what it has)");
  }
}
