package org.streammigrator.authoring;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.checkpoint.CommitLog;
import org.streammigrator.checkpoint.OffsetLog;
import org.streammigrator.checkpoint.OperatorState;
import org.streammigrator.checkpoint.QueryMetadata;
import org.streammigrator.finding.Exactness;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.position.ResumeBatch;

/**
 * Drafts a seeded checkpoint: the old position, byte for byte, for a changed query without state,
 * or with state that begins empty.
 *
 * <p>It holds {@code metadata}, {@code offsets/C}, a copy of it as {@code offsets/C-1} (Spark asks
 * the source again for the range between the two, and between copies there is none), {@code
 * commits/C}, and the sources' own logs. Batch numbers go on after C.
 */
public final class Seeding {
  private final Checkpoint checkpoint;
  private final ResumeBatch resume;
  private final boolean sinkKeyedByBatch;
  private final boolean sinkMaySkip;
  private final AuthoredParts parts;
  private final List<Boolean> joins;
  private final Optional<SortedMap<Integer, OptionalLong>> dropped;

  /**
   * Prepares the draft.
   *
   * @param sinkKeyedByBatch whether the sink remembers batches by query id and number, and the id
   *     is kept
   * @param sinkMaySkip whether the sink may remember batches so, for all that is known, and the id
   *     is kept
   * @param newQueryId the id of the new query; empty to keep the old one
   * @param mapping where the new query's sources stood in the old log; empty if nothing changed
   * @param embedded the files that embed paths
   * @param joins for each stateful operator of the new query, from the one nearest the sink on,
   *     whether it is a join of two streams; each begins with empty stores
   * @param dropped how many keys each operator of the old query holds, where they were counted;
   *     empty if somebody else computes what is open in it
   */
  public Seeding(
      Checkpoint checkpoint,
      ResumeBatch resume,
      boolean sinkKeyedByBatch,
      boolean sinkMaySkip,
      Optional<String> newQueryId,
      Optional<SourceMapping> mapping,
      EmbeddedPaths embedded,
      List<Boolean> joins,
      Optional<SortedMap<Integer, OptionalLong>> dropped) {
    this.checkpoint = requireNonNull(checkpoint, "checkpoint");
    this.resume = requireNonNull(resume, "resume");
    this.sinkKeyedByBatch = sinkKeyedByBatch;
    this.sinkMaySkip = sinkMaySkip;
    this.parts = new AuthoredParts(checkpoint, newQueryId, mapping, embedded);
    this.joins = List.copyOf(joins);
    this.dropped = requireNonNull(dropped, "dropped");
  }

  /** The draft; refused where no position is known. */
  public Draft draft() {
    List<Finding> findings = new ArrayList<>();
    if (resume.batch().isEmpty()) {
      findings.add(
          Finding.error(
              FindingCode.NO_COMMITTED_BATCH,
              "commits",
              "no batch is known to be done, so there is no position to seed",
              "look whether the sink has rows of batch 0 already; then start the new query with the old one's"
                  + " starting options"));
      return Draft.refused(findings);
    }
    long position = resume.batch().getAsLong();
    Optional<OffsetLog> offsets = checkpoint.offsets().file(position).readable();
    Optional<CommitLog> commit = parts.commit(position, offsets);
    if (offsets.isEmpty() || commit.isEmpty()) {
      findings.add(
          Finding.error(
              offsets.isEmpty() ? FindingCode.OFFSETS_CORRUPT : FindingCode.COMMIT_CORRUPT,
              (offsets.isEmpty() ? "offsets/" : "commits/") + position,
              "this file cannot be read, and the new checkpoint is made from it",
              "restore it from a copy of the checkpoint"));
      return Draft.refused(findings);
    }
    Optional<QueryMetadata> metadata = parts.metadata(findings);
    dropped
        .flatMap(keys -> stateDropped(checkpoint, keys, !joins.isEmpty()))
        .ifPresent(findings::add);
    findings.addAll(parts.findingsOfSources());

    List<TargetFile> files = new ArrayList<>();
    String plan = "offsets/" + position;
    Instant time = parts.modified(plan);
    metadata.ifPresent(query -> files.add(parts.authored("metadata", query.text())));
    String text = parts.mapped(offsets.get(), findings);
    files.add(new TargetFile.Authored(plan, text, time));
    if (position > 0) {
      files.add(new TargetFile.Authored("offsets/" + (position - 1), text, time));
    }
    files.addAll(parts.sourceFiles());
    CommitLog committed =
        joins.isEmpty()
            ? commit.get()
            : emptyStores(offsets.get(), commit.get(), position + 1, time, files, findings);
    files.add(new TargetFile.Authored("commits/" + position, committed.text(), time));
    return withPending(files, position, metadata, findings);
  }

  /** Adds stores that hold nothing, and returns the commit that goes with them. */
  private CommitLog emptyStores(
      OffsetLog offsets,
      CommitLog commit,
      long version,
      Instant time,
      List<TargetFile> files,
      List<Finding> findings) {
    if (offsets.header().isEmpty()) {
      findings.add(
          Finding.error(
              FindingCode.OFFSETS_CORRUPT,
              "offsets/" + (version - 1),
              "its second line is blank, so that nothing pins how state is stored",
              "restore it from a copy of the checkpoint"));
      return commit;
    }
    EmptyStores stores = new EmptyStores(offsets.header().get(), commit, joins);
    Optional<Finding> problem = stores.problem();
    problem.ifPresent(findings::add);
    if (problem.isPresent()) {
      return commit;
    }
    files.addAll(stores.files(version, time));
    return stores.commit();
  }

  private Draft withPending(
      List<TargetFile> files,
      long position,
      Optional<QueryMetadata> metadata,
      List<Finding> findings) {
    long planned = position;
    Exactness exactness = Exactness.EXACT;
    String explanation =
        "the new query goes on with batch " + (position + 1) + ", right after batch " + position;
    if (resume.sink() == ResumeBatch.Sink.IN) {
      explanation += ", which the sink has although the old query did not get to commit it";
    }
    if (resume.sink() == ResumeBatch.Sink.UNKNOWN) {
      long pending = resume.pending().last();
      Optional<OffsetLog> plan = checkpoint.offsets().file(pending).readable();
      boolean carried = sinkMaySkip && pending == position + 1 && plan.isPresent();
      exactness = Exactness.OVERLAP;
      explanation =
          "the pending batch "
              + pending
              + (carried
                  ? " is carried along: the new query reruns its range, and nobody knows whether the"
                      + " sink has it already: it may be written twice"
                  : " is read again, and nobody knows whether the sink has it already");
      if (carried) {
        // Never under the same id with another range: a sink that has the number would skip it.
        files.add(parts.authored("offsets/" + pending, parts.mapped(plan.get(), findings)));
        planned = pending;
      }
      if (!carried || !sinkKeyedByBatch) {
        findings.add(
            Finding.error(
                FindingCode.PENDING_BATCH,
                "offsets/" + pending,
                "batch "
                    + pending
                    + " is planned and not committed, and whether its rows are in the sink is"
                    + " unknown: they may be written twice",
                "name the sink, so that its own record tells; or, where a MERGE on keys absorbs the"
                    + " repeated range, accept PENDING_BATCH"));
      }
    }
    return new Draft(
        files,
        metadata.map(QueryMetadata::id).orElse(null),
        OptionalLong.of(planned),
        OptionalLong.of(position),
        exactness,
        explanation,
        findings);
  }

  /** What is lost, be it open in the old query's state or read before the new one keeps any. */
  public static Optional<Finding> stateDropped(
      Checkpoint checkpoint, SortedMap<Integer, OptionalLong> keysByOperator, boolean isStateful) {
    if (keysByOperator.isEmpty() && !isStateful) {
      return Optional.empty();
    }
    List<String> held = new ArrayList<>();
    keysByOperator.forEach(
        (operator, keys) ->
            held.add(
                "operator "
                    + operator
                    + name(checkpoint, operator)
                    + (keys.isPresent()
                        ? " holds " + keys.getAsLong() + (keys.getAsLong() == 1 ? " key" : " keys")
                        : " holds keys that were not counted")));
    return Optional.of(
        Finding.error(
            FindingCode.STATE_DROPPED,
            "state",
            held.isEmpty()
                ? "the new query keeps state, and it begins empty: no row that was read before the"
                    + " position is in it"
                : "the new checkpoint has none of the old query's state, and what is open in it would"
                    + " be lost: "
                    + String.join(", ", held),
            "relocate the checkpoint if the operators are unchanged, or have the state rebuilt"
                + " (strategy replay); if the loss is wanted, accept STATE_DROPPED"));
  }

  private static String name(Checkpoint checkpoint, int operator) {
    return checkpoint.operators().stream()
        .filter(state -> state.operator() == operator)
        .findFirst()
        .flatMap(OperatorState::name)
        .map(name -> " (" + name + ")")
        .orElse("");
  }
}
