package org.streammigrator.migration;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.streammigrator.authoring.Draft;
import org.streammigrator.backfill.BackfillOutlook;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.finding.Exactness;
import org.streammigrator.finding.Finding;
import org.streammigrator.plan.StreamPlan;
import org.streammigrator.position.Resume;

/**
 * What applying a plan does to one stream: a pure function of the plan and the survey.
 *
 * @param stream the stream's plan
 * @param checkpoint the old checkpoint as it was surveyed; empty if there is none or it is not
 *     needed
 * @param resume where the old query stands; null if that cannot be told
 * @param draft the checkpoint that will be written; empty if the stream is refused or done
 * @param sinkMoves the file sinks whose log will be written at a new place
 * @param wholeFingerprint the fingerprint of the old checkpoint with the files that a repair leaves
 *     out; empty if nothing is left out
 * @param done whether an earlier apply has finished the stream
 * @param steps what is still to be done
 * @param ledger how the old and the new checkpoint will meet
 * @param backfill what the strategy backfill will do; null for other strategies
 * @param replay what the strategy replay reads again; null for other strategies
 * @param findings what was noticed; an error refuses the stream
 */
@JsonPropertyOrder({
  "name",
  "strategy",
  "refused",
  "done",
  "exactness",
  "explanation",
  "resume",
  "steps",
  "rewrites",
  "ledger",
  "backfill",
  "replay",
  "findings"
})
public record StreamItinerary(
    @JsonIgnore StreamPlan stream,
    @JsonIgnore Optional<Checkpoint> checkpoint,
    Resume resume,
    @JsonIgnore Optional<Draft> draft,
    @JsonIgnore List<SinkMove> sinkMoves,
    @JsonIgnore Optional<String> wholeFingerprint,
    boolean done,
    List<Step> steps,
    List<LedgerEntry> ledger,
    @JsonInclude(JsonInclude.Include.NON_NULL) BackfillOutlook backfill,
    @JsonInclude(JsonInclude.Include.NON_NULL) ReplayOutlook replay,
    List<Finding> findings) {

  public StreamItinerary {
    requireNonNull(stream, "stream");
    requireNonNull(checkpoint, "checkpoint");
    requireNonNull(draft, "draft");
    sinkMoves = List.copyOf(sinkMoves);
    requireNonNull(wholeFingerprint, "wholeFingerprint");
    steps = List.copyOf(steps);
    ledger = List.copyOf(ledger);
    findings = List.copyOf(findings);
  }

  /** A stream that an earlier apply has finished. */
  static StreamItinerary finished(StreamPlan stream) {
    return new StreamItinerary(
        stream,
        Optional.empty(),
        null,
        Optional.empty(),
        List.of(),
        Optional.empty(),
        true,
        List.of(),
        List.of(),
        null,
        null,
        List.of());
  }

  /** A stream that was not looked at further, or is refused. */
  static StreamItinerary nothing(
      StreamPlan stream, Optional<Checkpoint> checkpoint, Resume resume, List<Finding> findings) {
    return refused(stream, checkpoint, resume, null, findings);
  }

  /**
   * A stream that is refused.
   *
   * @param replay what it would read again; null if that is not known or it is no replay
   */
  static StreamItinerary refused(
      StreamPlan stream,
      Optional<Checkpoint> checkpoint,
      Resume resume,
      ReplayOutlook replay,
      List<Finding> findings) {
    return new StreamItinerary(
        stream,
        checkpoint,
        resume,
        Optional.empty(),
        List.of(),
        Optional.empty(),
        false,
        List.of(),
        List.of(),
        null,
        replay,
        findings);
  }

  /**
   * A stream whose new checkpoint is there, and whose windows are not all filled for good, or whose
   * replay is not looked at yet.
   *
   * @param backfill null if it is a replay
   * @param replay null if it is a backfill
   */
  static StreamItinerary published(
      StreamPlan stream, BackfillOutlook backfill, ReplayOutlook replay, List<Step> remaining) {
    return new StreamItinerary(
        stream,
        Optional.empty(),
        null,
        Optional.empty(),
        List.of(),
        Optional.empty(),
        false,
        remaining,
        List.of(),
        backfill,
        replay,
        List.of());
  }

  /** Whether the new checkpoint is there already, and only what comes after it is left. */
  @JsonIgnore
  public boolean isPublished() {
    return draft.isEmpty()
        && !done
        && !refused()
        && (backfill != null || replay != null || stream.cutover().isPresent());
  }

  /** The same with steps before and after, and further findings; refused by an error of those. */
  StreamItinerary with(List<Step> before, List<Step> after, List<Finding> more) {
    List<Finding> all = new ArrayList<>(findings);
    all.addAll(more);
    if (Finding.anyError(more)) {
      return refused(stream, checkpoint, resume, replay, all);
    }
    List<Step> whole = new ArrayList<>(before);
    whole.addAll(steps);
    whole.addAll(after);
    return new StreamItinerary(
        stream,
        checkpoint,
        resume,
        draft,
        sinkMoves,
        wholeFingerprint,
        done,
        whole,
        ledger,
        backfill,
        replay,
        all);
  }

  /** The stream's name. */
  @JsonProperty
  public String name() {
    return stream.name();
  }

  /** The strategy's name. */
  @JsonProperty
  public String strategy() {
    return stream.strategy().label();
  }

  /** Whether a finding forbids the migration. */
  @JsonProperty
  public boolean refused() {
    return Finding.anyError(findings);
  }

  /** What going on from the new checkpoint gives; null if there is none to write. */
  @JsonProperty
  public Exactness exactness() {
    return draft.map(Draft::exactness).orElse(null);
  }

  /** Why; null if there is nothing to write. */
  @JsonProperty
  public String explanation() {
    return draft.map(Draft::explanation).orElse(null);
  }

  /** The fingerprint of the old checkpoint's files as they were surveyed. */
  String oldFingerprint() {
    return wholeFingerprint.orElseGet(
        () -> Checkpoint.fingerprint(checkpoint.orElseThrow().files()));
  }

  /** The files whose embedded paths are rewritten. */
  @JsonProperty
  public List<PathRewrite> rewrites() {
    List<PathRewrite> rewrites = new ArrayList<>();
    draft.ifPresent(files -> rewrites.addAll(PathRewrite.of(files, "")));
    for (SinkMove move : sinkMoves) {
      rewrites.addAll(PathRewrite.of(move.draft(), move.newLog() + "/"));
    }
    return List.copyOf(rewrites);
  }
}
