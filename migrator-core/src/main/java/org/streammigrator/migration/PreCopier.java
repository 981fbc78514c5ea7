package org.streammigrator.migration;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.streammigrator.authoring.CheckpointWriter;
import org.streammigrator.copy.ManifestFile;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.plan.StreamPlan;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;

/**
 * Copies ahead the state of queries that still run, so that the apply that follows their stop has
 * only the difference to copy. What it leaves holds no position; {@link Rollback} removes it.
 *
 * <p>Findings that a user may accept do not stop it: nothing is decided yet, and apply asks again.
 */
public final class PreCopier {
  private final Journal journal;
  private final Operator operator;
  private final CheckpointWriter writer;
  private final NoticingStore looking;
  private final StreamPlanner planner;

  /**
   * Prepares it.
   *
   * @param operator whoever copies, holding the plan's lock
   */
  public PreCopier(Store store, Journal journal, Operator operator, CheckpointWriter writer) {
    this.journal = requireNonNull(journal, "journal");
    this.operator = requireNonNull(operator, "operator");
    this.writer = requireNonNull(writer, "writer");
    Set<FindingCode> accepted = EnumSet.allOf(FindingCode.class);
    accepted.removeIf(code -> !Acceptable.isAcceptable(code));
    this.looking = new NoticingStore(requireNonNull(store, "store"));
    this.planner =
        new StreamPlanner(
            looking, journal, accepted, Checksums.COMPARED_LATER, Backfilling.NONE.jobs());
  }

  /** Copies ahead for each stream. */
  public List<StreamOutcome> run(List<StreamPlan> streams) {
    List<StreamOutcome> outcomes = new ArrayList<>();
    for (StreamPlan stream : streams) {
      outcomes.add(run(stream));
    }
    return outcomes;
  }

  private StreamOutcome run(StreamPlan stream) {
    try {
      looking.begin();
      StreamItinerary itinerary = planner.survey(stream);
      looking.check();
      if (itinerary.done() || itinerary.isPublished()) {
        return outcome(
            stream, StreamOutcome.Status.UNCHANGED, "an earlier apply finished it", itinerary);
      }
      if (itinerary.refused()) {
        return outcome(
            stream,
            StreamOutcome.Status.REFUSED,
            "a finding forbids it; nothing was written (a checkpoint that is written to at this"
                + " moment can look damaged: try again)",
            itinerary);
      }
      operator.check();
      Location to = stream.checkpoint().to().orElseThrow();
      try (OperatorLock lock = operator.lockTarget(to)) {
        journal.append(Resolved.entry(stream, itinerary, itinerary.oldFingerprint()));
        lock.check();
        List<ManifestFile> files =
            writer.copyAhead(stream.checkpoint().from(), itinerary.draft().orElseThrow(), to);
        String result =
            files.size()
                + " files, "
                + files.stream().mapToLong(ManifestFile::size).sum()
                + " bytes are copied ahead";
        journal.append(Journal.entry("pre-copied", stream.name()).put("result", result));
        return outcome(
            stream,
            StreamOutcome.Status.AHEAD,
            result + "; stop the query and apply the plan",
            itinerary);
      }
    } catch (LockedException locked) {
      return new StreamOutcome(
          stream.name(),
          StreamOutcome.Status.LOCKED,
          locked.getMessage(),
          List.of(),
          Optional.empty());
    } catch (IOException failure) {
      return new StreamOutcome(
          stream.name(),
          StreamOutcome.Status.STOPPED,
          "it stopped part-way; run it again to go on",
          List.of(),
          Optional.of(failure));
    }
  }

  private static StreamOutcome outcome(
      StreamPlan stream, StreamOutcome.Status status, String message, StreamItinerary itinerary) {
    return new StreamOutcome(
        stream.name(), status, message, itinerary.findings(), Optional.empty());
  }
}
