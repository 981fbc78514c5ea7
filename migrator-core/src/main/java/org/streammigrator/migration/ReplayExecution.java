package org.streammigrator.migration;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.checkpoint.CheckpointReader;
import org.streammigrator.checkpoint.OffsetHeader;
import org.streammigrator.checkpoint.OffsetLog;
import org.streammigrator.checkpoint.StateVersion;
import org.streammigrator.copy.HashingInputStream;
import org.streammigrator.copy.InvalidManifestException;
import org.streammigrator.copy.Manifest;
import org.streammigrator.copy.ManifestFile;
import org.streammigrator.copy.Manifests;
import org.streammigrator.copy.RefusedException;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.finding.Severity;
import org.streammigrator.plan.StreamPlan;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;

/**
 * What comes once the new checkpoint of a replay is there: nothing, where its first batch may write
 * into the query's sink; else it waits for that batch, and looks at what it left before the sink is
 * opened.
 */
final class ReplayExecution {
  private final Store store;
  private final Journal journal;
  private final Operator operator;
  private final ApplyEvents events;
  private final AcceptedFindings acceptance;
  private final StateJobs jobs;
  private final boolean isRehearsal;

  /**
   * @param jobs compare the rebuilt state with the old one
   * @param isRehearsal whether only a scratch copy is written: its query may go on after the batch
   */
  ReplayExecution(
      Store store,
      Journal journal,
      Operator operator,
      ApplyEvents events,
      AcceptedFindings acceptance,
      StateJobs jobs,
      boolean isRehearsal) {
    this.store = requireNonNull(store, "store");
    this.journal = requireNonNull(journal, "journal");
    this.operator = requireNonNull(operator, "operator");
    this.events = requireNonNull(events, "events");
    this.acceptance = requireNonNull(acceptance, "acceptance");
    this.jobs = requireNonNull(jobs, "jobs");
    this.isRehearsal = isRehearsal;
  }

  /**
   * Does what can be done now.
   *
   * @param lock of the target
   * @throws IOException if storage fails
   */
  StreamOutcome run(StreamItinerary itinerary, OperatorLock lock) throws IOException {
    StreamPlan stream = itinerary.stream();
    ReplayOutlook outlook = itinerary.replay();
    Location to = stream.checkpoint().to().orElseThrow();
    List<Finding> findings = new ArrayList<>();
    if (outlook.isScratch()) {
      operator.check();
      lock.check();
      Checkpoint now = new CheckpointReader(store).read(to);
      if (now.lastCommitted().orElse(-1) < outlook.batch()) {
        asWritten(to);
        return new StreamOutcome(
            stream.name(),
            StreamOutcome.Status.PROVISIONAL,
            "the new checkpoint is at "
                + to
                + ", and its batch "
                + outlook.batch()
                + ", which rebuilds the state, has to run with its output elsewhere. "
                + String.join(" ", outlook.run()),
            itinerary.findings(),
            Optional.empty());
      }
      Step step = Steps.replay(stream, outlook.batch());
      events.stepStarted(stream.name(), step);
      Instant began = journal.now();
      findings.addAll(acceptance.settle(stream, look(stream, now, outlook.batch())));
      findings.forEach(finding -> events.finding(stream.name(), finding));
      if (Finding.anyError(findings)) {
        return new StreamOutcome(
            stream.name(),
            StreamOutcome.Status.NOT_VERIFIED,
            "what batch " + outlook.batch() + " left is not what the query can go on from",
            findings,
            Optional.empty());
      }
      String result =
          "batch "
              + outlook.batch()
              + (isDoubtful(findings)
                  ? " ran"
                  : " ran, and the state of version " + (outlook.batch() + 1) + " is whole")
              + (findings.isEmpty() ? " and has the keys that the old state had" : "");
      journal.append(
          Journal.entry("step-done", stream.name())
              .put("step", step.kind().label())
              .put("began", began.toString())
              .put("result", result));
      events.stepDone(stream.name(), step, result);
    }
    journal.append(Journal.entry(Journal.FINISHED, stream.name()));
    return new StreamOutcome(
        stream.name(),
        StreamOutcome.Status.DONE,
        "the new checkpoint is at "
            + to
            + (isDoubtful(findings)
                ? ", and its state was rebuilt"
                : outlook.isScratch()
                    ? ", and its state is rebuilt: start the query with its own sink"
                    : "; the query's first batch, " + outlook.batch() + ", rebuilds its state"),
        findings.isEmpty() ? itinerary.findings() : findings,
        Optional.empty());
  }

  private static boolean isDoubtful(List<Finding> findings) {
    return findings.stream().anyMatch(finding -> finding.severity() != Severity.INFO);
  }

  /**
   * That the plans and commits are those that were written; state may be half-written by a batch
   * that died.
   */
  private void asWritten(Location to) throws IOException {
    Manifest manifest;
    try {
      manifest = Manifests.read(store, to);
    } catch (InvalidManifestException unreadable) {
      throw new IOException("the manifest of " + to + " cannot be read", unreadable);
    }
    for (ManifestFile file : manifest.files()) {
      if (file.path().startsWith("state/")) {
        continue;
      }
      boolean isSame = false;
      if (store.stat(to.child(file.path())).filter(StoreEntry::isFile).isPresent()) {
        try (HashingInputStream in = new HashingInputStream(store.open(to.child(file.path())))) {
          in.drain();
          isSame = in.sha256().equals(file.sha256());
        }
      }
      if (!isSame) {
        throw new RefusedException(
            Finding.error(
                FindingCode.TARGET_NOT_AS_WRITTEN,
                to.child(file.path()).toString(),
                "it is not what this plan wrote, and the batch that rebuilds the state has not run",
                "do not start the query; remove " + to + " and apply the plan again"));
      }
    }
  }

  /** What speaks against opening the query's own sink. */
  private List<Finding> look(StreamPlan stream, Checkpoint now, long batch) throws IOException {
    long reached = now.lastPlanned().orElse(batch);
    if (reached > batch && !isRehearsal) {
      return List.of(
          Finding.error(
              FindingCode.REPLAY_NOT_VERIFIED,
              now.location().toString(),
              "the query went on to batch "
                  + reached
                  + " before the state that batch "
                  + batch
                  + " left was looked at; if it did so with its output elsewhere, what batches "
                  + (batch + 1)
                  + " to "
                  + reached
                  + " read is in no sink",
              "roll back (rollback --accept NEW_BATCHES_LOST) and apply again, if they ran with their"
                  + " output elsewhere; if a switch on the batch number was in the code, and they are"
                  + " in the query's sink, accept REPLAY_NOT_VERIFIED"));
    }
    StateVersion state = now.stateVersions().get(batch + 1);
    boolean isPassed = now.lastCommitted().orElse(-1) > batch;
    if (!isPassed && (state == null || !state.loadable())) {
      return List.of(
          Finding.error(
              FindingCode.STATE_FILE_MISSING,
              "state",
              "batch "
                  + batch
                  + " is committed, and the state that it should have left, version "
                  + (batch + 1)
                  + ", is not there whole",
              "roll back, and apply the plan again; see that the output of the batch is consumed"
                  + " (an action in every branch of foreachBatch)"));
    }
    long old = journal.last(stream.name(), "resolved").orElseThrow().path("batch").asLong();
    Location from = stream.checkpoint().from();
    boolean isCommitted = store.stat(from.child("commits").child(Long.toString(old))).isPresent();
    boolean isThere = store.stat(from.child("offsets")).isPresent();
    return jobs.compare(
        stream,
        from,
        isThere,
        old,
        isCommitted,
        now.location(),
        batch,
        mayCountLateRows(now, batch));
  }

  /** Whether the batch dropped less as late than the old query had closed. */
  private boolean mayCountLateRows(Checkpoint now, long batch) throws IOException {
    Optional<Long> late = watermark(now, batch - 1);
    Optional<Long> eviction = watermark(now, batch);
    return late.isPresent() && eviction.isPresent() && late.get() < eviction.get();
  }

  private Optional<Long> watermark(Checkpoint now, long batch) throws IOException {
    return new CheckpointReader(store)
        .offsets(now.location(), batch)
        .readable()
        .flatMap(OffsetLog::header)
        .map(OffsetHeader::batchWatermarkMs);
  }
}
