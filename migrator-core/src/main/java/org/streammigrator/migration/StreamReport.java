package org.streammigrator.migration;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.List;
import org.streammigrator.finding.Finding;
import org.streammigrator.job.ValidateResult;

/**
 * What a report says of a stream.
 *
 * @param line the same in one line
 * @param from the old checkpoint
 * @param to the new one; null if the plan names none
 * @param queryId the id that the new checkpoint has; null if nothing was applied
 * @param exactness what going on from the new checkpoint gives; null if nothing was applied
 * @param explanation why; null likewise
 * @param old how large the old checkpoint is; null if it could not be listed
 * @param steps the steps that are done, in their order
 * @param timelines the positions, a timeline for each source
 * @param notes what of them is not known, and why
 * @param ledger how the old and the new checkpoint meet
 * @param rows how the sink compares with the source; null if nobody has compared them
 * @param findings what was noticed
 * @param rollback what a rollback would do
 */
public record StreamReport(
    StreamLine line,
    String from,
    String to,
    String queryId,
    String exactness,
    String explanation,
    Size old,
    List<DoneStep> steps,
    List<Timeline> timelines,
    List<String> notes,
    List<LedgerLine> ledger,
    ValidateResult rows,
    List<Finding> findings,
    RollbackOutlook rollback) {

  public StreamReport {
    requireNonNull(line, "line");
    requireNonNull(from, "from");
    steps = List.copyOf(steps);
    timelines = List.copyOf(timelines);
    notes = List.copyOf(notes);
    ledger = List.copyOf(ledger);
    findings = List.copyOf(findings);
    requireNonNull(rollback, "rollback");
  }

  /** A number of files and their bytes. */
  public record Size(long files, long bytes) {}

  /**
   * A step that is done.
   *
   * @param kind the kind's name
   * @param result with what it ended
   * @param at when it ended
   * @param tookMs how long it took, in milliseconds; null if the journal does not say
   */
  public record DoneStep(String kind, String result, Instant at, Long tookMs) {
    public DoneStep {
      requireNonNull(kind, "kind");
      requireNonNull(result, "result");
      requireNonNull(at, "at");
    }
  }

  /**
   * How the old and the new checkpoint meet at a source.
   *
   * @param source the source's id in the old checkpoint
   * @param type its kind
   * @param oldBatches the batches that the old checkpoint retains up to the cut; null if only a
   *     proof looks at that
   * @param oldThrough what the old query read last, in words
   * @param newBatches the batches of the new query; null as long as it has run none
   * @param newThrough what it read last, in words; null likewise
   * @param meets {@code exact}, {@code overlap}, {@code loss} or {@code unknown} as it was applied,
   *     {@code yes}, {@code no} or {@code unknown} as it was proved
   * @param note what absorbs an overlap, or how it is known that they meet; may be empty
   */
  public record LedgerLine(
      String source,
      String type,
      String oldBatches,
      String oldThrough,
      String newBatches,
      String newThrough,
      String meets,
      String note) {
    public LedgerLine {
      requireNonNull(source, "source");
      requireNonNull(type, "type");
      requireNonNull(oldThrough, "oldThrough");
      requireNonNull(meets, "meets");
      requireNonNull(note, "note");
    }
  }
}
