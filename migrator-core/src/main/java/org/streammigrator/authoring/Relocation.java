package org.streammigrator.authoring;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.checkpoint.CheckpointFile;
import org.streammigrator.checkpoint.HadoopCrc;
import org.streammigrator.checkpoint.LiveSubset;
import org.streammigrator.checkpoint.StateStoreFiles;
import org.streammigrator.checkpoint.StateVersion;
import org.streammigrator.finding.Exactness;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.position.ResumeBatch;

/**
 * Drafts a relocation: the same query at a new place, with its id, batch numbers and state.
 *
 * <p>A pending batch N is carried along; Spark plans nothing anew but reruns it. If the sink has N
 * already it skips that rerun without running it, and batch N + 1 then loads state version N + 1:
 * both versions are taken along. If the sink does not have it, version N is what the rerun loads.
 *
 * <p>Hidden {@code .NAME.crc} siblings are left out of a live subset: Spark does not need them, and
 * one that is absent cannot be stale.
 */
public final class Relocation {
  private final Checkpoint checkpoint;
  private final ResumeBatch resume;
  private final EmbeddedPaths embedded;

  public Relocation(Checkpoint checkpoint, ResumeBatch resume, EmbeddedPaths embedded) {
    this.checkpoint = requireNonNull(checkpoint, "checkpoint");
    this.resume = requireNonNull(resume, "resume");
    this.embedded = requireNonNull(embedded, "embedded");
  }

  /** Only what a restart needs. */
  public Draft live() {
    List<Finding> findings = new ArrayList<>();
    List<TargetFile> files = new ArrayList<>();
    for (CheckpointFile file : LiveSubset.of(checkpoint, stateVersions(findings))) {
      if (!isHiddenChecksum(file.name()) && !embedded.guards(file.path())) {
        files.add(embedded.target(file.path(), file));
      }
    }
    return draft(files, findings);
  }

  /**
   * Every file but those of checkpoints nested below.
   *
   * @param staleChecksums the paths of hidden checksum files that contradict their file; they are
   *     left out
   */
  public Draft all(List<String> staleChecksums) {
    List<Finding> findings = new ArrayList<>();
    stateVersions(findings);
    Set<String> stale = new HashSet<>(staleChecksums);
    List<TargetFile> files = new ArrayList<>();
    for (CheckpointFile file : checkpoint.files()) {
      if (file.isFile()
          && !checkpoint.inNested(file.path())
          && !stale.contains(file.path())
          && !embedded.guards(file.path())) {
        files.add(embedded.target(file.path(), file));
      }
    }
    if (!staleChecksums.isEmpty()) {
      findings.add(leftOut(staleChecksums));
    }
    return draft(files, findings);
  }

  /** What is to be said of hidden checksum files that contradict their file. */
  public static Finding leftOut(List<String> staleChecksums) {
    return Finding.warning(
        FindingCode.CRC_MISMATCH,
        staleChecksums.get(0),
        staleChecksums.size() + " checksum file(s) contradict their file and are left out",
        "nothing to do: a checksum that is absent is not checked");
  }

  private Draft draft(List<TargetFile> files, List<Finding> findings) {
    refuseLostBatches(findings);
    findings.addAll(embedded.findings(checkpoint));
    return new Draft(
        files,
        checkpoint.queryId().orElse(null),
        checkpoint.lastPlanned(),
        checkpoint.lastCommitted(),
        resume.sink() == ResumeBatch.Sink.UNKNOWN ? Exactness.OVERLAP : Exactness.EXACT,
        explanation(),
        findings);
  }

  private String explanation() {
    OptionalLong planned = checkpoint.lastPlanned();
    String next = "the query goes on with batch " + (planned.orElse(-1) + 1);
    String carried = "the pending batch " + planned.orElse(0) + " is carried along: ";
    return switch (resume.sink()) {
      case NOTHING_PENDING -> next + ", under its own id and with its state";
      case IN -> carried + "the sink has it and will skip its rerun";
      case NOT_IN -> carried + "the sink does not have it, so its rerun writes it, once";
      case UNKNOWN ->
          carried
              + "Spark reruns its range, as it would have at the old place, and nobody knows whether"
              + " the sink has it already: it may be written twice";
    };
  }

  private TreeSet<Long> stateVersions(List<Finding> findings) {
    TreeSet<Long> versions = new TreeSet<>();
    if (!checkpoint.stateful() || checkpoint.lastPlanned().isEmpty()) {
      return versions;
    }
    long planned = checkpoint.lastPlanned().getAsLong();
    switch (resume.sink()) {
      case NOTHING_PENDING -> versions.add(planned + 1);
      case NOT_IN -> versions.add(planned);
      case IN -> {
        versions.add(planned);
        if (stateHasIds()) {
          // No commit says which files of the next version are meant.
          findings.add(skippedRerunWithIds());
        } else {
          versions.add(planned + 1);
        }
      }
      case UNKNOWN -> {
        versions.add(planned);
        StateVersion after = checkpoint.stateVersions().get(planned + 1);
        if (after != null && after.loadable()) {
          versions.add(planned + 1);
        }
      }
    }
    for (long version : versions) {
      StateVersion state = checkpoint.stateVersions().get(version);
      if (state != null && !state.loadable()) {
        findings.add(
            Finding.error(
                FindingCode.STATE_FILE_MISSING,
                state.missing().values().iterator().next().get(0),
                "state version "
                    + version
                    + " is needed and cannot be built: "
                    + state.missing().values().stream().mapToInt(List::size).sum()
                    + " of its files are missing or damaged",
                "restore the files from a copy of the checkpoint; this state cannot be moved as it"
                    + " is"));
      }
    }
    return versions;
  }

  private boolean stateHasIds() {
    return checkpoint.operators().stream()
        .flatMap(operator -> operator.stores().stream())
        .anyMatch(StateStoreFiles::hasIds);
  }

  private static Finding skippedRerunWithIds() {
    return Finding.error(
        FindingCode.STATE_FORMAT_V2,
        "state",
        "the pending batch is in the sink already and the state has format 2: Spark skips the"
            + " rerun, commits it without state ids, and then cannot load the state of the"
            + " next batch",
        "this pending batch cannot be settled by moving files; restore the checkpoint from a"
            + " moment without a pending batch");
  }

  private void refuseLostBatches(List<Finding> findings) {
    if (checkpoint.pending().size() < 2 || resume.sink() == ResumeBatch.Sink.IN) {
      return;
    }
    findings.add(
        Finding.error(
            FindingCode.BATCH_GAP,
            "commits",
            "batches "
                + checkpoint.pending().first()
                + ".."
                + checkpoint.pending().last()
                + " are planned and not committed, and Spark reruns only the last of them: the"
                + " others would be lost",
            "name the sink, so that its own record tells what it has, or seed at the last committed"
                + " batch"));
  }

  private static boolean isHiddenChecksum(String name) {
    return HadoopCrc.isName(name);
  }
}
