package org.streammigrator.migration;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.streammigrator.authoring.CheckpointWriter;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.checkpoint.CheckpointReader;
import org.streammigrator.copy.Archives;
import org.streammigrator.copy.Copies;
import org.streammigrator.copy.CopyOptions;
import org.streammigrator.copy.Manifest;
import org.streammigrator.copy.Manifests;
import org.streammigrator.copy.RefusedException;
import org.streammigrator.copy.Trees;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.plan.StreamPlan;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;

/**
 * Undoes what applying a plan wrote, be it finished or half done: the target, what is staged for
 * it, the manifest, and the logs of file sinks that moved. Archives stay, and so does the journal,
 * which gets a {@code rolled-back}.
 *
 * <p>Guarantees: the old checkpoint is only read; what another wrote is not removed; nothing is
 * left under the target's name from which a query could start wrongly; after a crash at any moment
 * the next rollback ends in the same state.
 */
public final class Rollback {
  private final NoticingStore store;
  private final Journal journal;
  private final Operator operator;
  private final String owner;
  private final CheckpointWriter writer;
  private final JobRestore jobs;
  private final RollbackChecks checks;

  /**
   * Prepares rolling back.
   *
   * @param control the jobs that apply may have stopped and started
   */
  public Rollback(
      Store store,
      Journal journal,
      Operator operator,
      Set<FindingCode> accepted,
      JobControl control) {
    this.store = new NoticingStore(requireNonNull(store, "store"));
    this.journal = requireNonNull(journal, "journal");
    this.operator = requireNonNull(operator, "operator");
    this.owner = journal.directory().toString();
    this.writer = new CheckpointWriter(store, CopyOptions.DEFAULT, owner);
    this.jobs = new JobRestore(journal, control);
    this.checks = new RollbackChecks(this.store, journal, accepted);
  }

  /** Rolls streams back, those that waited for others first. */
  public List<RollbackOutcome> run(List<StreamPlan> streams) {
    List<StreamPlan> ordered = new ArrayList<>(StreamPlanner.ordered(streams));
    Collections.reverse(ordered);
    List<RollbackOutcome> outcomes = new ArrayList<>();
    for (StreamPlan stream : ordered) {
      outcomes.add(run(stream));
    }
    return outcomes;
  }

  private RollbackOutcome run(StreamPlan stream) {
    store.begin();
    try {
      operator.check();
      Optional<JsonNode> resolved = journal.last(stream.name(), "resolved");
      if (resolved.isEmpty()) {
        List<Finding> told = jobs.takeBackQuiesce(stream);
        boolean isStopped = journal.last(stream.name(), Quiesce.EVENT).isPresent();
        if (!journal.since(stream.name()).isEmpty()) {
          journal.append(Journal.entry(Journal.ROLLED_BACK, stream.name()));
        }
        if (stream.checkpoint().to().isPresent()) {
          operator.tidyTarget(stream.checkpoint().to().get());
        }
        return isStopped
            ? outcome(
                stream,
                RollbackOutcome.Status.ROLLED_BACK,
                "nothing was written; the old query's job is as it was",
                told)
            : outcome(
                stream, RollbackOutcome.Status.NOTHING, "there is nothing of this plan", List.of());
      }
      Location to = Location.parse(resolved.get().path("to").asText(), Path.of("/"));
      try (OperatorLock lock = operator.lockTarget(to)) {
        return undo(stream, resolved.get(), to, lock);
      }
    } catch (LockedException locked) {
      return outcome(stream, RollbackOutcome.Status.REFUSED, locked.getMessage(), List.of());
    } catch (RefusedException refused) {
      return outcome(
          stream, RollbackOutcome.Status.REFUSED, refused.getMessage(), List.of(refused.finding()));
    } catch (IOException failure) {
      return new RollbackOutcome(
          stream.name(),
          RollbackOutcome.Status.STOPPED,
          "it stopped part-way; run rollback again to go on",
          List.of(),
          List.of(),
          Optional.of(failure));
    }
  }

  private RollbackOutcome undo(StreamPlan stream, JsonNode resolved, Location to, OperatorLock lock)
      throws IOException {
    Location staging = CheckpointWriter.stagingFor(to);
    RollbackChecks.Decision decision = checks.decide(stream, resolved, to, true);
    boolean removable = decision.removable();
    Optional<Manifest> manifest = decision.manifest();
    List<Finding> findings = new ArrayList<>(decision.findings());
    store.check();
    if (Finding.anyError(findings)) {
      return outcome(
          stream,
          RollbackOutcome.Status.REFUSED,
          "a finding forbids it; nothing was removed",
          findings);
    }
    journal.append(Journal.entry("rolling-back", stream.name()).put("to", to.toString()));
    lock.check();
    operator.check();
    if (jobs.isCutOver(stream)) {
      findings.addAll(jobs.takeBackCutover(stream));
      if (removable && decision.there() && manifest.isPresent()) {
        // A batch may have run until the new query had stopped.
        List<Finding> since = checks.ofTarget(stream, resolved, to, manifest.get());
        if (Finding.anyError(since)) {
          findings.addAll(since);
          return outcome(
              stream,
              RollbackOutcome.Status.REFUSED,
              "the new query has stopped and its job is as it was, and a finding forbids the rest;"
                  + " nothing was removed",
              findings);
        }
      }
    }
    lock.check();
    operator.check();
    if (removable) {
      writer.remove(to);
    } else {
      Trees.delete(store, staging);
      if (manifest.isPresent()) {
        store.delete(Manifests.locationFor(to));
      }
    }
    removeSinkLogs(stream, findings);
    discardUnfinishedArchive(stream, resolved);
    old(stream, resolved).ifPresent(findings::add);
    findings.addAll(jobs.takeBackQuiesce(stream));
    journal.append(
        Journal.entry(Journal.ROLLED_BACK, stream.name())
            .put("to", to.toString())
            .put("oldUnchanged", findings.stream().noneMatch(Rollback::grown)));
    return outcome(
        stream,
        RollbackOutcome.Status.ROLLED_BACK,
        "the new checkpoint is gone; the old one"
            + (findings.stream().anyMatch(Rollback::grown)
                ? " has changed since: "
                : " is as it was: ")
            + resolved.path("from").asText(),
        findings);
  }

  private static boolean grown(Finding finding) {
    return finding.code() == FindingCode.OLD_CHECKPOINT_GROWS;
  }

  /** Takes back the logs that were written for sinks that moved, unless a query wrote there. */
  private void removeSinkLogs(StreamPlan stream, List<Finding> findings) throws IOException {
    Map<Location, Optional<JsonNode>> logs = new LinkedHashMap<>();
    for (JsonNode entry : journal.since(stream.name())) {
      // A crash may have come between writing one and saying so.
      entry.path("sinkLogs").forEach(log -> logs.putIfAbsent(place(log), Optional.empty()));
      if (entry.path("event").asText().equals("sink-staged")) {
        logs.put(place(entry.path("to")), Optional.of(entry));
      }
    }
    for (Map.Entry<Location, Optional<JsonNode>> log : logs.entrySet()) {
      Location place = log.getKey();
      Location staging = CheckpointWriter.stagingFor(place);
      boolean removable =
          !checks.isOccupied(place)
              || CheckpointWriter.isOurs(store, place, owner)
              || log.getValue().isPresent() && isAsWritten(log.getValue().get(), place, staging);
      store.check();
      if (removable) {
        writer.remove(place);
      } else {
        Trees.delete(store, staging);
        findings.add(
            RollbackChecks.foreign(place, "this log is not what this plan wrote; it stays"));
      }
    }
  }

  /** Removes what a crash while archiving left. */
  private void discardUnfinishedArchive(StreamPlan stream, JsonNode resolved) throws IOException {
    boolean archived =
        journal.since(stream.name()).stream()
            .anyMatch(
                entry ->
                    entry.path("event").asText().equals("step-done")
                        && entry.path("step").asText().equals(Step.Kind.ARCHIVE.label()));
    if (stream.archive().isPresent() && !archived) {
      try {
        Archives.discardUnfinished(
            store, place(resolved.path("from")), stream.archive().get().to());
      } catch (NoSuchFileException oldCheckpointGone) {
        // Nobody can tell how its archive would be called.
      }
    }
  }

  private static Location place(JsonNode text) {
    return Location.parse(text.asText(), Path.of("/"));
  }

  private boolean isAsWritten(JsonNode staged, Location place, Location staging)
      throws IOException {
    Optional<Manifest> manifest = checks.manifest(Optional.of(staged), place);
    return manifest.isPresent()
        && store.stat(staging).isEmpty()
        && Copies.verify(store, place, manifest.get()).ok();
  }

  /** Whether the old checkpoint is what it was when the plan was applied. */
  private Optional<Finding> old(StreamPlan stream, JsonNode resolved) throws IOException {
    Location from = Location.parse(resolved.path("from").asText(), Path.of("/"));
    String now;
    try {
      now = Checkpoint.fingerprint(new CheckpointReader(store).list(from));
    } catch (NoSuchFileException gone) {
      now = "";
    }
    return now.equals(resolved.path("oldFingerprint").asText())
        ? Optional.empty()
        : Optional.of(
            Finding.warning(
                FindingCode.OLD_CHECKPOINT_GROWS,
                from.toString(),
                now.isEmpty()
                    ? "the old checkpoint is not there any more"
                    : "the old checkpoint is not what it was when the plan was applied: its query"
                        + " ran since, or somebody changed it",
                "inspect it before the old query is started"));
  }

  private RollbackOutcome outcome(
      StreamPlan stream, RollbackOutcome.Status status, String message, List<Finding> findings) {
    List<String> kept = new ArrayList<>();
    for (JsonNode entry : journal.entries()) {
      if (entry.path("stream").asText().equals(stream.name())
          && entry.path("event").asText().equals("step-done")
          && entry.path("step").asText().equals("archive")) {
        kept.add(entry.path("result").asText());
      }
    }
    return new RollbackOutcome(
        stream.name(),
        status,
        message,
        kept.stream().distinct().toList(),
        findings,
        Optional.empty());
  }
}
