package org.streammigrator.archival;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.checkpoint.CheckpointFile;
import org.streammigrator.checkpoint.CheckpointReader;
import org.streammigrator.copy.InvalidManifestException;
import org.streammigrator.copy.Manifest;
import org.streammigrator.copy.Manifests;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.finding.Severity;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;
import org.streammigrator.verdict.Inspection;
import org.streammigrator.verdict.Inspector;

/**
 * Whether a migration's new query ran cleanly for some time, as far as its checkpoint shows: it is
 * the one that was written, its own commits follow on one another without a gap, the first and the
 * last of them are as far apart as was declared, nothing in it is damaged, and no batch is stuck.
 *
 * <p>Spark keeps about 100 commits. Where the first own one is gone, the retained ones show less
 * than the whole run; that the query ran in between is then not proven, and has to be taken
 * knowingly ({@code SUCCESSOR_HISTORY_SHORT}).
 */
final class Successor {
  /** A plan that is older than this without a commit is stuck. */
  private static final Duration STUCK = Duration.ofHours(1);

  private final Store store;
  private final Supersession supersession;
  private final Duration declared;
  private final Instant now;
  private final Set<FindingCode> accepted;
  private final List<Finding> findings = new ArrayList<>();

  /**
   * @param declared how long it has to have run
   * @param now the time that the age of a pending batch is counted from
   */
  Successor(
      Store store,
      Supersession supersession,
      Duration declared,
      Instant now,
      Set<FindingCode> accepted) {
    this.store = requireNonNull(store, "store");
    this.supersession = requireNonNull(supersession, "supersession");
    this.declared = requireNonNull(declared, "declared");
    this.now = requireNonNull(now, "now");
    this.accepted = Set.copyOf(accepted);
  }

  /** What speaks against it; complete after {@link #look}. */
  List<Finding> findings() {
    return List.copyOf(findings);
  }

  /** Looks at the checkpoint. */
  Optional<SuccessorEvidence> look() throws IOException {
    Location place = supersession.successor();
    Manifest manifest;
    Checkpoint checkpoint;
    try {
      checkpoint = new CheckpointReader(store).read(place);
      manifest = Manifests.read(store, place);
    } catch (NoSuchFileException | NotDirectoryException | InvalidManifestException missing) {
      refuse("it, or the manifest beside it, is not there any more: " + missing.getMessage());
      return Optional.empty();
    }
    if (!manifest.fingerprint().equals(supersession.newFingerprint())
        || !isSameQuery(manifest, checkpoint)) {
      refuse("what is there is not what the migration wrote");
      return Optional.empty();
    }
    Inspection inspection = Inspector.inspect(checkpoint, Map.of());
    List<Finding> errors =
        inspection.findings().stream()
            .filter(finding -> finding.severity() == Severity.ERROR)
            .toList();
    if (!inspection.restartable() || !errors.isEmpty()) {
      refuse(
          "its checkpoint is damaged: "
              + errors.stream()
                  .map(finding -> finding.code() + " " + finding.subject())
                  .collect(Collectors.joining(", ")));
    }
    long written = newestCommit(manifest);
    TreeMap<Long, Instant> commits = ownCommits(checkpoint, written);
    checkPending(checkpoint);
    if (commits.isEmpty()) {
      refuse("the new query has not committed a batch of its own yet");
      return Optional.of(evidence(commits, written));
    }
    if (commits.lastKey() - commits.firstKey() + 1 != commits.size()) {
      refuse("commits are missing between its batches");
    }
    SuccessorEvidence evidence = evidence(commits, written);
    checkTime(commits, evidence);
    return Optional.of(evidence);
  }

  private boolean isSameQuery(Manifest manifest, Checkpoint checkpoint) {
    String written = manifest.summary().queryId();
    return written == null || written.equals(checkpoint.queryId().orElse(null));
  }

  private static long newestCommit(Manifest manifest) {
    return manifest.files().stream()
        .map(file -> file.path())
        .filter(path -> path.matches("commits/[0-9]{1,18}"))
        .mapToLong(path -> Long.parseLong(path.substring("commits/".length())))
        .max()
        .orElse(-1);
  }

  private static TreeMap<Long, Instant> ownCommits(Checkpoint checkpoint, long written) {
    TreeMap<Long, Instant> commits = new TreeMap<>();
    for (long batch : checkpoint.commits().after(written)) {
      checkpoint
          .entry(checkpoint.commits().path(batch))
          .filter(CheckpointFile::isFile)
          .ifPresent(file -> commits.put(batch, file.modified()));
    }
    return commits;
  }

  private void checkPending(Checkpoint checkpoint) {
    for (long batch : checkpoint.pending()) {
      Optional<CheckpointFile> plan = checkpoint.entry(checkpoint.offsets().path(batch));
      if (plan.isPresent() && plan.get().modified().isBefore(now.minus(STUCK))) {
        refuse(
            "its batch "
                + batch
                + " was planned at "
                + plan.get().modified()
                + " and is not committed");
        return;
      }
    }
  }

  private void checkTime(TreeMap<Long, Instant> commits, SuccessorEvidence evidence) {
    Instant first = commits.firstEntry().getValue();
    if (first.isBefore(supersession.finished())) {
      first = supersession.finished(); // What a clock or a copy says of before proves nothing.
    }
    Instant last = commits.lastEntry().getValue();
    if (last.isAfter(now.plus(STUCK))) {
      refuse("its last commit is of " + last + ", which is still to come: a clock is wrong");
    } else if (Duration.between(first, last).compareTo(declared) < 0) {
      boolean longAgo = Duration.between(supersession.finished(), last).compareTo(declared) >= 0;
      if (evidence.fromTheStart() || !longAgo) {
        refuse(
            "its commits go from "
                + first
                + " to "
                + last
                + ", less than the "
                + text(declared)
                + " that were declared");
      } else {
        historyIsShort(first, last, evidence);
      }
    }
  }

  private void historyIsShort(Instant first, Instant last, SuccessorEvidence evidence) {
    boolean taken = accepted.contains(FindingCode.SUCCESSOR_HISTORY_SHORT);
    Finding finding =
        Finding.error(
            FindingCode.SUCCESSOR_HISTORY_SHORT,
            supersession.successor().toString(),
            "the commits that are retained go from "
                + first
                + " to "
                + last
                + " only. "
                + evidence.batches()
                + " batches were committed since the migration finished at "
                + supersession.finished()
                + ", but when those before were is not recorded"
                + (taken ? " (accepted)" : ""),
            "look at the query's own history; if it ran all the time, take this knowingly with"
                + " --accept SUCCESSOR_HISTORY_SHORT");
    findings.add(taken ? finding.withSeverity(Severity.WARNING) : finding);
  }

  private SuccessorEvidence evidence(TreeMap<Long, Instant> commits, long written) {
    long longest = 0;
    Instant before = null;
    for (Instant commit : commits.values()) {
      if (before != null) {
        longest = Math.max(longest, Duration.between(before, commit).toMillis());
      }
      before = commit;
    }
    boolean any = !commits.isEmpty();
    return new SuccessorEvidence(
        supersession.successor().toString(),
        supersession.finished().toString(),
        any ? commits.firstKey() : null,
        any ? commits.firstEntry().getValue().toString() : null,
        any ? commits.lastKey() : null,
        any ? commits.lastEntry().getValue().toString() : null,
        any ? commits.lastKey() - written : 0,
        longest,
        any && commits.firstKey() == written + 1,
        SuccessorEvidence.UNKNOWABLE);
  }

  private void refuse(String message) {
    findings.add(
        Finding.error(
            FindingCode.SUCCESSOR_NOT_PROVEN,
            supersession.successor().toString(),
            "that the successor ran cleanly is not shown: " + message,
            "keep the old checkpoint until the new query has run for the declared time; migrator"
                + " inspect shows how it stands"));
  }

  private static String text(Duration duration) {
    return duration.toDays() > 0 && duration.equals(Duration.ofDays(duration.toDays()))
        ? duration.toDays() + " days"
        : duration.toString();
  }
}
