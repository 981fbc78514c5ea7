package org.streammigrator.authoring;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.checkpoint.CheckpointFile;
import org.streammigrator.checkpoint.OffsetLog;
import org.streammigrator.checkpoint.QueryMetadata;
import org.streammigrator.checkpoint.StateProvider;
import org.streammigrator.checkpoint.StateVersion;
import org.streammigrator.facts.Facts;
import org.streammigrator.finding.Exactness;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.position.ResumeBatch;

/**
 * Drafts a rewind: the same query, back at a batch R that is still retained, with its state of
 * then. It goes on with batch R + 1, planned anew.
 */
public final class Rewind {
  private final AsOf asOf;
  private final Optional<String> newQueryId;
  private final EmbeddedPaths embedded;
  private final Optional<List<String>> all;
  private final boolean isHistoryGone;

  /**
   * Prepares the draft.
   *
   * @param newQueryId the id to write with; empty to keep the old one
   * @param embedded the files of the checkpoint as of R that embed paths
   * @param all what {@link Relocation#all} takes, to keep the history before R, too; empty to take
   *     along only what a restart needs
   * @param isHistoryGone whether a source has lost what stands between the plans of R - 1 and R, so
   *     that it must not be asked for it
   */
  public Rewind(
      AsOf asOf,
      Optional<String> newQueryId,
      EmbeddedPaths embedded,
      Optional<List<String>> all,
      boolean isHistoryGone) {
    this.asOf = requireNonNull(asOf, "asOf");
    this.newQueryId = requireNonNull(newQueryId, "newQueryId");
    this.embedded = requireNonNull(embedded, "embedded");
    this.all = requireNonNull(all, "all");
    this.isHistoryGone = isHistoryGone;
  }

  /**
   * The draft.
   *
   * @param exactness what going on from it gives at the sinks
   * @param explanation why
   */
  public Draft draft(Exactness exactness, String explanation) {
    Checkpoint checkpoint = asOf.checkpoint();
    long batch = asOf.batch();
    Relocation relocation =
        new Relocation(checkpoint, ResumeBatch.of(checkpoint, Facts.NONE), embedded);
    Draft moved = all.isPresent() ? relocation.all(all.get()) : relocation.live();
    List<Finding> findings = new ArrayList<>();
    moved.findings().forEach(finding -> findings.add(withOtherBatch(finding)));
    unknownState(checkpoint).ifPresent(findings::add);
    Optional<OffsetLog> plan = checkpoint.offsets().file(batch).readable();
    boolean isCopied = batch > 0 && plan.isPresent() && (isHistoryGone || asOf.isPredecessorMade());
    String before = "offsets/" + (batch - 1);
    List<TargetFile> files = new ArrayList<>();
    for (TargetFile file : moved.files()) {
      if (isCopied && file.path().equals(before)) {
        files.add(new TargetFile.Authored(before, plan.get().text(), modified("offsets/" + batch)));
      } else if (newQueryId.isPresent() && file.path().equals("metadata")) {
        continue;
      } else if (isChecksumOf(file.path(), isCopied ? before : "", "metadata")) {
        continue;
      } else {
        files.add(asOf.isMade(file.path()) ? new TargetFile.Seen(file, asOf.overlay()) : file);
      }
    }
    newQueryId.ifPresent(
        id ->
            files.add(
                new TargetFile.Authored(
                    "metadata", QueryMetadata.of(id).text(), modified("metadata"))));
    if (isCopied && isHistoryGone) {
      findings.add(
          Finding.info(
              FindingCode.BATCH_GAP,
              before,
              "a source has not got any more what stands between the plans of batches "
                  + (batch - 1)
                  + " and "
                  + batch
                  + ", for which a restart asks it: the new checkpoint has a copy of the latter in"
                  + " the place of both",
              "nothing to do"));
    }
    return new Draft(
        files,
        newQueryId.or(checkpoint::queryId).orElse(null),
        OptionalLong.of(batch),
        OptionalLong.of(batch),
        exactness,
        explanation,
        findings);
  }

  /** State of a store that this program does not know: nobody can tell what in it is of later. */
  private static Optional<Finding> unknownState(Checkpoint checkpoint) {
    return checkpoint.operators().stream()
        .filter(operator -> operator.provider() == StateProvider.UNKNOWN)
        .findFirst()
        .map(
            operator ->
                Finding.error(
                    FindingCode.STATE_PROVIDER_UNKNOWN,
                    "state/" + operator.operator(),
                    "the state is kept by a provider that this version does not know, so that it"
                        + " cannot tell which files are of later batches",
                    "restore an archive of the checkpoint of that time, whole"));
  }

  /** Whether a file is the hidden checksum of one that is written anew. */
  private boolean isChecksumOf(String path, String before, String metadata) {
    return path.equals(before.replaceFirst("([^/]+)$", ".$1.crc"))
        || newQueryId.isPresent() && path.equals("." + metadata + ".crc");
  }

  /** State that is not whole: another batch may have one that is. */
  private Finding withOtherBatch(Finding finding) {
    OptionalLong whole =
        asOf.checkpoint().stateVersions().entrySet().stream()
            .filter(version -> version.getKey() > 0 && version.getKey() <= asOf.batch())
            .filter(version -> version.getValue().loadable())
            .map(Map.Entry<Long, StateVersion>::getKey)
            .mapToLong(version -> version - 1)
            .max();
    return finding.code() == FindingCode.STATE_FILE_MISSING && whole.isPresent()
        ? Finding.error(
            finding.code(),
            finding.subject(),
            finding.message(),
            "go back to batch "
                + whole.getAsLong()
                + ", whose state can be built; or restore the files from a copy of the checkpoint")
        : finding;
  }

  private Instant modified(String path) {
    return asOf.checkpoint()
        .entry(path)
        .or(() -> asOf.checkpoint().entry("offsets/" + asOf.batch()))
        .map(CheckpointFile::modified)
        .orElse(Instant.EPOCH);
  }
}
