package org.streammigrator.migration;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.streammigrator.authoring.Draft;
import org.streammigrator.authoring.EmbeddedPaths;
import org.streammigrator.authoring.Replaying;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.copy.Manifest;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.plan.Identity;
import org.streammigrator.plan.OperatorKind;
import org.streammigrator.plan.OperatorPlan;
import org.streammigrator.plan.ReplaySink;
import org.streammigrator.plan.StreamPlan;
import org.streammigrator.position.ResumeBatch;
import org.streammigrator.replay.ReplayRange;
import org.streammigrator.replay.ReplayStart;

/** What the strategy replay does to a stream; nothing is read or written here. */
final class Replays {
  private Replays() {}

  /** The checkpoint whose first batch rebuilds the state; refused where its range is not known. */
  static Draft draft(
      StreamSurvey survey, Checkpoint checkpoint, ResumeBatch batch, String newQueryId) {
    if (survey.replay().isEmpty()) {
      // Whatever was accepted: without a range there is no checkpoint to write.
      return Draft.refused(
          List.of(
              Finding.error(
                  FindingCode.NOT_AVAILABLE,
                  "replay",
                  "from where the sources are to be read again is not known, for the reasons that"
                      + " are told beside this",
                  "mend those; that they are accepted does not tell where to begin")));
    }
    StreamPlan stream = survey.stream();
    Optional<Finding> undescribed = undescribedState(stream, checkpoint);
    if (undescribed.isPresent()) {
      return Draft.refused(List.of(undescribed.get()));
    }
    ReplayRange range = survey.replay().get();
    Map<String, String> starts = new HashMap<>();
    for (ReplayStart start : range.sources()) {
      starts.put(start.id(), start.raw());
    }
    long number = Math.max(checkpoint.lastPlanned().orElse(0), survey.newestInSinks().orElse(0));
    return new Replaying(
            checkpoint,
            batch,
            stream.identity().orElse(Identity.KEEP) == Identity.KEEP
                ? Optional.empty()
                : Optional.of(newQueryId),
            Moves.mapping(stream),
            new EmbeddedPaths(survey.embedded()),
            new Replaying.Range(
                number,
                starts,
                range.times().lateMs(),
                range.times().evictionMs(),
                range.mayCountLateRows(),
                joins(stream)))
        .draft();
  }

  /**
   * For each stateful operator of the new query, from the one nearest the sink on, as Spark numbers
   * them, whether it is a join of two streams.
   */
  static List<Boolean> joins(StreamPlan stream) {
    List<Boolean> joins = new ArrayList<>();
    for (OperatorPlan operator : stream.query().operators()) {
      joins.add(
          0, operator.kind() == OperatorKind.JOIN || operator.kind() == OperatorKind.INTERVAL_JOIN);
    }
    return joins;
  }

  /**
   * Why the state that the plan's operators begin with cannot be made for {@code
   * transformWithState}: Spark starts it only where {@code state/<operator>/_metadata/v2} names a
   * description of its variables ({@code OperatorStateMetadataV2Reader}), which the query's code
   * alone knows. A plan calls it arbitrary, as it does {@code flatMapGroupsWithState}, so that the
   * old state tells which of them it is.
   */
  static Optional<Finding> undescribedState(StreamPlan stream, Checkpoint checkpoint) {
    boolean isArbitrary =
        stream.query().operators().stream()
            .anyMatch(operator -> operator.kind() == OperatorKind.ARBITRARY);
    boolean isTransform =
        checkpoint.operators().stream()
            .anyMatch(operator -> operator.name().orElse("").startsWith("transformWithState"));
    return isArbitrary && isTransform
        ? Optional.of(
            Finding.error(
                FindingCode.NOT_AVAILABLE,
                "query.operators",
                "the old query keeps state by transformWithState: Spark starts such an operator only"
                    + " where state/<operator>/_metadata/v2 describes its variables, and a"
                    + " description is not made in this version",
                "relocate the query if its state variables fit the old ones; Spark adds new ones by"
                    + " itself"))
        : Optional.empty();
  }

  /** What is left once the new checkpoint is there. */
  static StreamItinerary remaining(StreamPlan stream, Manifest manifest, Journal journal) {
    boolean isScratch =
        journal
            .last(stream.name(), "resolved")
            .filter(entry -> entry.path("replaySink").asText().equals(ReplaySink.SCRATCH.name()))
            .isPresent();
    if (!isScratch || journal.isFinished(stream.name())) {
      return StreamItinerary.finished(stream);
    }
    long batch = Undoable.newest(manifest, "offsets/");
    return StreamItinerary.published(
        stream,
        null,
        new ReplayOutlook(batch, ReplaySink.SCRATCH, null),
        List.of(Steps.replay(stream, batch)));
  }
}
