package org.streammigrator.authoring;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.checkpoint.CommitLog;
import org.streammigrator.checkpoint.OffsetLog;
import org.streammigrator.checkpoint.QueryMetadata;
import org.streammigrator.finding.Exactness;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.position.ResumeBatch;

/**
 * Drafts a checkpoint whose last batch is planned and not committed: the query runs it first, reads
 * again what its open state may depend on, and ends it at exactly the old position.
 *
 * <p>It holds {@code metadata}, {@code offsets/R0} and {@code commits/R0} at the place where the
 * replay begins, {@code offsets/R1} at the old position, R1 = R0 + 1, the sources' own logs, and
 * for every operator stores of version R1 that hold nothing. Input is late by the watermark of
 * {@code offsets/R0}, state is closed by that of {@code offsets/R1} ({@code
 * IncrementalExecution.propagateWatermarks}, Spark 3.4 and later). Both plans pin the same
 * settings.
 */
public final class Replaying {
  private final Checkpoint checkpoint;
  private final ResumeBatch resume;
  private final AuthoredParts parts;
  private final Range range;

  /**
   * What is replayed.
   *
   * @param number the number R0, which no batch that was planned, or that a sink has, exceeds
   * @param starts where the replay begins, by source id, as the offset log is to have it; a source
   *     that is left out begins where it stands
   * @param lateMs the watermark by which input is late, milliseconds since the epoch
   * @param evictionMs that by which state is closed
   * @param mayCountLateRows whether rows may count that the old query dropped as late
   * @param joins for each stateful operator, from the one nearest the sink on, whether it is a join
   *     of two streams
   */
  public record Range(
      long number,
      Map<String, String> starts,
      long lateMs,
      long evictionMs,
      boolean mayCountLateRows,
      List<Boolean> joins) {
    public Range {
      starts = Map.copyOf(starts);
      joins = List.copyOf(joins);
    }
  }

  /**
   * Prepares the draft.
   *
   * @param newQueryId the id of the new query; empty to keep the old one
   * @param mapping where the new query's sources stood in the old log; empty if nothing changed
   * @param embedded the files that embed paths
   */
  public Replaying(
      Checkpoint checkpoint,
      ResumeBatch resume,
      Optional<String> newQueryId,
      Optional<SourceMapping> mapping,
      EmbeddedPaths embedded,
      Range range) {
    this.checkpoint = requireNonNull(checkpoint, "checkpoint");
    this.resume = requireNonNull(resume, "resume");
    this.parts = new AuthoredParts(checkpoint, newQueryId, mapping, embedded);
    this.range = requireNonNull(range, "range");
  }

  /**
   * The draft.
   *
   * @throws IllegalStateException if the position's plan cannot be read
   */
  public Draft draft() {
    long position = resume.batch().orElseThrow();
    OffsetLog plan =
        checkpoint
            .offsets()
            .file(position)
            .readable()
            .orElseThrow(() -> new IllegalStateException("no plan of batch " + position));
    List<Finding> findings = new ArrayList<>(parts.findingsOfSources());
    Optional<CommitLog> commit = parts.commit(position, Optional.of(plan));
    if (commit.isEmpty() || plan.header().isEmpty()) {
      findings.add(
          Finding.error(
              commit.isEmpty() ? FindingCode.COMMIT_CORRUPT : FindingCode.OFFSETS_CORRUPT,
              (commit.isEmpty() ? "commits/" : "offsets/") + position,
              commit.isEmpty()
                  ? "this file cannot be read, and the new checkpoint is made from it"
                  : "its second line is blank, so that nothing pins how state is stored",
              "restore it from a copy of the checkpoint"));
      return Draft.refused(findings);
    }
    Optional<QueryMetadata> metadata = parts.metadata(findings);
    EmptyStores stores = new EmptyStores(plan.header().get(), commit.get(), range.joins());
    Optional<Finding> problem = stores.problem();
    if (problem.isPresent()) {
      findings.add(problem.get());
      return Draft.refused(findings);
    }

    long begun = range.number();
    long replayed = begun + 1;
    Instant time = parts.modified("offsets/" + position);
    List<TargetFile> files = new ArrayList<>(parts.sourceFiles());
    metadata.ifPresent(query -> files.add(parts.authored("metadata", query.text())));
    files.add(
        new TargetFile.Authored(
            "offsets/" + begun,
            parts.mapped(plan.with(range.lateMs(), range.starts()), findings),
            time));
    files.add(
        new TargetFile.Authored(
            "offsets/" + replayed,
            parts.mapped(plan.with(range.evictionMs(), Map.of()), findings),
            time));
    files.add(
        new TargetFile.Authored(
            "commits/" + begun,
            stores.commit().withNextBatchWatermarkMs(range.lateMs()).text(),
            time));
    files.addAll(stores.files(replayed, time));
    return new Draft(
        files,
        metadata.map(QueryMetadata::id).orElse(null),
        OptionalLong.of(replayed),
        OptionalLong.of(begun),
        exactness(findings),
        explanation(position, replayed),
        findings);
  }

  private Exactness exactness(List<Finding> findings) {
    if (resume.sink() == ResumeBatch.Sink.UNKNOWN) {
      findings.add(
          Finding.error(
              FindingCode.PENDING_BATCH,
              "offsets/" + resume.pending().last(),
              "batch "
                  + resume.pending().last()
                  + " is planned and not committed, and whether its rows are in the sink is"
                  + " unknown: they may be written twice",
              "name the sink, so that its own record tells; or, where a MERGE on keys absorbs the"
                  + " repeated rows, accept PENDING_BATCH"));
      return Exactness.OVERLAP;
    }
    return range.mayCountLateRows() ? Exactness.OVERLAP : Exactness.EXACT;
  }

  private String explanation(long position, long replayed) {
    return "the new query first runs batch "
        + replayed
        + ", which rebuilds its state and ends where batch "
        + position
        + " of the old one ended"
        + (range.mayCountLateRows()
            ? "; rows that the old query dropped as late may count in that state"
            : "")
        + (resume.sink() == ResumeBatch.Sink.UNKNOWN
            ? "; whether the sink has the pending batch "
                + resume.pending().last()
                + " is unknown, and it is read again"
            : "");
  }
}
