package org.streammigrator.position;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.checkpoint.LogFile;
import org.streammigrator.checkpoint.OffsetLog;
import org.streammigrator.checkpoint.source.SourceKind;
import org.streammigrator.checkpoint.source.SourceOffset;
import org.streammigrator.checkpoint.source.SourceOffsets;
import org.streammigrator.facts.Facts;
import org.streammigrator.finding.Exactness;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.finding.Severity;

/** Computes resume positions: a pure function of a checkpoint, facts and hints. */
public final class ResumePositions {
  private final Checkpoint checkpoint;
  private final Facts facts;
  private final Map<String, SourceKind> told;

  /** What lines stand for, by source and line: one may have megabytes, and many ask for it. */
  private final Map<String, Map<String, SourceOffset>> decoded = new HashMap<>();

  private final Map<String, Map<String, SourcePosition>> positions = new HashMap<>();

  /**
   * Prepares the computation.
   *
   * @param told the kinds of sources that the user tells, by source id
   */
  public ResumePositions(Checkpoint checkpoint, Facts facts, Map<String, SourceKind> told) {
    this.checkpoint = requireNonNull(checkpoint, "checkpoint");
    this.facts = requireNonNull(facts, "facts");
    this.told = Map.copyOf(told);
  }

  /** The position after everything that is in the sink. */
  public Resume compute() {
    ResumeBatch resume = ResumeBatch.of(checkpoint, facts);
    List<Finding> findings = new ArrayList<>(resume.findings());
    Long pendingBatch = resume.pending().isEmpty() ? null : resume.pending().last();
    if (resume.batch().isEmpty()) {
      return beforeFirstCommit(resume, pendingBatch, findings);
    }
    long batch = resume.batch().getAsLong();
    String path = checkpoint.offsets().path(batch);
    LogFile<OffsetLog> file = checkpoint.offsets().file(batch);
    List<SourcePosition> sources = new ArrayList<>();
    if (file.readable().isPresent()) {
      OffsetLog log = file.readable().get();
      OptionalLong timestamp =
          log.header().isPresent()
              ? OptionalLong.of(log.header().get().batchTimestampMs())
              : OptionalLong.empty();
      for (OffsetLog.SourceLine line : log.sources()) {
        sources.add(overlapping(position(line.id(), line.raw(), false, timestamp), line, resume));
      }
      damagedContent(path).ifPresent(findings::add);
      damagedPlans(resume, findings);
      commitsAhead(findings);
    } else {
      String reason = file instanceof LogFile.Damaged<OffsetLog> bad ? bad.message() : "it is gone";
      findings.add(
          Finding.error(
              file instanceof LogFile.Damaged<OffsetLog> bad ? bad.code() : FindingCode.BATCH_GAP,
              path,
              "the position stands in this file, and it cannot be read: " + reason,
              "restore it from a copy of the checkpoint, or go back to the last batch that can be"
                  + " read and expect what came after it twice"));
    }
    return new Resume(checkpoint.location().toString(), batch, pendingBatch, sources, findings);
  }

  /** Decodes a source's line with what is known of its kind. */
  public SourceOffset decode(String id, String raw) {
    return decoded
        .computeIfAbsent(id, key -> new HashMap<>())
        .computeIfAbsent(
            raw,
            line ->
                SourceOffsets.decode(
                    line,
                    Optional.ofNullable(told.get(id)),
                    checkpoint.sourceDirectory(id).hint()));
  }

  /** The position that a line of an offsets file stands for, without a look at the sink. */
  public SourcePosition at(OffsetLog.SourceLine line) {
    return positions
        .computeIfAbsent(line.id(), key -> new HashMap<>())
        .computeIfAbsent(line.raw(), raw -> position(line.id(), raw, false, OptionalLong.empty()));
  }

  private Resume beforeFirstCommit(ResumeBatch resume, Long pendingBatch, List<Finding> findings) {
    List<SourcePosition> sources = new ArrayList<>();
    Optional<OffsetLog> planned =
        checkpoint.offsets().oldest().isPresent()
            ? checkpoint.offsets().file(checkpoint.offsets().oldest().getAsLong()).readable()
            : Optional.empty();
    boolean everyStartKnown = planned.isPresent();
    if (planned.isPresent()) {
      for (OffsetLog.SourceLine line : planned.get().sources()) {
        Optional<String> initial = checkpoint.sourceDirectory(line.id()).initialOffset();
        if (initial.isPresent() && checkpoint.offsets().oldest().getAsLong() == 0) {
          checkpoint.staleCrc().stream()
              .filter(path -> (path + "/").startsWith("sources/" + line.id() + "/"))
              .forEach(path -> damagedContent(path).ifPresent(findings::add));
          sources.add(
              overlapping(
                  position(line.id(), initial.get(), true, OptionalLong.empty()),
                  new OffsetLog.SourceLine(line.id(), initial.get()),
                  resume));
        } else {
          everyStartKnown = false;
          sources.add(startNotRecorded(line));
        }
      }
    }
    String message =
        planned.isEmpty()
            ? "no batch is planned that could be read"
            : "no batch is committed; the position is where batch "
                + checkpoint.offsets().oldest().getAsLong()
                + " starts";
    findings.add(
        new Finding(
            FindingCode.NO_COMMITTED_BATCH,
            everyStartKnown ? Severity.WARNING : Severity.ERROR,
            "commits",
            message,
            everyStartKnown
                ? "the start that the sources recorded is printed"
                : "start the query as it was started first: its own starting options decide"));
    return new Resume(checkpoint.location().toString(), null, pendingBatch, sources, findings);
  }

  /** What is wrong with a file that a position stands in and whose checksum does not fit it. */
  private Optional<Finding> damagedContent(String path) {
    return checkpoint.staleCrc().contains(path)
        ? Optional.of(
            Finding.warning(
                FindingCode.CRC_MISMATCH,
                path,
                "the position stands in this file, and its hidden .crc file does not fit its content:"
                    + " it was edited or damaged after Spark wrote it",
                "compare it with a copy of the checkpoint before you use the position"))
        : Optional.empty();
  }

  private SourcePosition startNotRecorded(OffsetLog.SourceLine line) {
    SourceOffset planned = decode(line.id(), line.raw());
    return new SourcePosition(
        line.id(),
        planned.kind(),
        Exactness.UNKNOWN,
        Map.of(),
        "nothing",
        JsonNodeFactory.instance.nullNode(),
        "the start of the first batch is not recorded for this kind of source; it follows from the"
            + " query's own starting options",
        List.of());
  }

  /** Plans after the position that nobody can read: what they would have read is not known. */
  private void damagedPlans(ResumeBatch resume, List<Finding> findings) {
    for (long batch : resume.pending()) {
      if (checkpoint.offsets().file(batch) instanceof LogFile.Damaged<OffsetLog> damaged) {
        findings.add(
            Finding.warning(
                damaged.code(),
                checkpoint.offsets().path(batch),
                damaged.message() + "; the position is the end of the batch before",
                "nothing to do for the position; the old checkpoint does not restart like this"));
      }
    }
  }

  /** Whether the pending batches read anything of a source, as far as can be told. */
  private boolean readsAnything(OffsetLog.SourceLine line, ResumeBatch resume) {
    for (long batch : resume.pending()) {
      Optional<OffsetLog> plan = checkpoint.offsets().file(batch).readable();
      if (plan.isEmpty() || !plan.get().source(line.id()).equals(Optional.of(line))) {
        return true;
      }
    }
    return false;
  }

  /** Batches that are done although their plans are gone: what they read is read again. */
  private void commitsAhead(List<Finding> findings) {
    OptionalLong ahead = checkpoint.commitsAhead();
    if (ahead.isPresent()) {
      findings.add(
          Finding.warning(
              FindingCode.COMMIT_WITHOUT_OFFSETS,
              checkpoint.commits().path(ahead.getAsLong()),
              "the batches up to "
                  + ahead.getAsLong()
                  + " are committed and their plans are gone; the position is before them",
              "restore their plans from a copy of the checkpoint, or expect what they read twice"));
    }
  }

  private SourcePosition overlapping(
      SourcePosition position, OffsetLog.SourceLine line, ResumeBatch resume) {
    if (position.exactness() != Exactness.EXACT) {
      return position;
    }
    String repeated;
    if (checkpoint.commitsAhead().isPresent()) {
      repeated = "the batches after it are committed and their plans are gone: they are read again";
    } else if (resume.sink() == ResumeBatch.Sink.UNKNOWN && readsAnything(line, resume)) {
      repeated =
          "the pending batch "
              + resume.pending().last()
              + " is read again and may be in the sink already";
    } else {
      return position;
    }
    return new SourcePosition(
        position.id(),
        position.type(),
        Exactness.OVERLAP,
        position.options(),
        position.consumedThrough(),
        position.position(),
        position.explanation() + "; " + repeated,
        position.findings());
  }

  private SourcePosition position(
      String id, String raw, boolean initial, OptionalLong batchTimestampMs) {
    return PositionRules.apply(
        new RecordedSource(
            id,
            checkpoint.sourceDirectory(id),
            told.containsKey(id),
            initial,
            facts,
            batchTimestampMs),
        decode(id, raw));
  }
}
