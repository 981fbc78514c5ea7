package org.streammigrator.migration;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.streammigrator.authoring.CheckpointWriter;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.checkpoint.CheckpointReader;
import org.streammigrator.copy.InvalidManifestException;
import org.streammigrator.copy.Manifest;
import org.streammigrator.copy.Manifests;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.plan.StreamPlan;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;

/**
 * Undoes what applying a plan wrote, be it finished or half done: the target, what is staged for
 * it, and the manifest. Archives stay, and so does the journal, which gets a {@code rolled-back}.
 *
 * <p>Guarantees: the old checkpoint is only read; what another wrote is not removed; nothing is
 * left under the target's name from which a query could start wrongly; after a crash at any moment
 * the next rollback ends in the same state.
 */
public final class Rollback {
  private final Store store;
  private final Journal journal;
  private final Operator operator;
  private final Set<FindingCode> accepted;

  public Rollback(Store store, Journal journal, Operator operator, Set<FindingCode> accepted) {
    this.store = requireNonNull(store, "store");
    this.journal = requireNonNull(journal, "journal");
    this.operator = requireNonNull(operator, "operator");
    this.accepted = Set.copyOf(accepted);
  }

  /** Rolls streams back, those that waited for others first. */
  public List<RollbackOutcome> run(List<StreamPlan> streams) {
    List<StreamPlan> ordered = new ArrayList<>(StreamPlanner.ordered(streams));
    java.util.Collections.reverse(ordered);
    List<RollbackOutcome> outcomes = new ArrayList<>();
    for (StreamPlan stream : ordered) {
      outcomes.add(run(stream));
    }
    return outcomes;
  }

  private RollbackOutcome run(StreamPlan stream) {
    try {
      operator.check();
      Optional<JsonNode> resolved = journal.last(stream.name(), "resolved");
      if (resolved.isEmpty()) {
        if (!journal.since(stream.name()).isEmpty()) {
          journal.append(Journal.entry(Journal.ROLLED_BACK, stream.name()));
        }
        if (stream.checkpoint().to().isPresent()) {
          operator.tidyTarget(stream.checkpoint().to().get());
        }
        return outcome(
            stream, RollbackOutcome.Status.NOTHING, "there is nothing of this plan", List.of());
      }
      Location to = Location.parse(resolved.get().path("to").asText(), Path.of("/"));
      try (OperatorLock lock = operator.lockTarget(to)) {
        return undo(stream, resolved.get(), to, lock);
      }
    } catch (IOException failure) {
      return outcome(
          stream,
          RollbackOutcome.Status.STOPPED,
          "it stopped part-way; run rollback again to go on: " + failure.getMessage(),
          List.of());
    }
  }

  private RollbackOutcome undo(StreamPlan stream, JsonNode resolved, Location to, OperatorLock lock)
      throws IOException {
    List<Finding> findings = new ArrayList<>();
    Location staging = CheckpointWriter.stagingFor(to);
    boolean there = store.stat(to).isPresent() && !isEmptyDirectory(to);
    boolean foreign = false;
    if (there && CheckpointWriter.isOurs(store, to)) {
      there = true; // Half written in place, or half removed.
    } else if (there && store.stat(staging).isPresent()) {
      there = false;
      foreign = true;
      findings.add(foreign(to, "it is not what this plan wrote, which is still staged; it stays"));
    } else if (there) {
      Optional<Manifest> manifest = manifest(stream, to);
      if (manifest.isEmpty()) {
        there = false;
        foreign = true;
        findings.add(foreign(to, "this plan did not finish writing it, so that it is another's"));
      } else {
        findings.addAll(new Undoable(store).check(stream, resolved, to, manifest.get(), accepted));
      }
    }
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
    if (there || !foreign) {
      CheckpointWriter.remove(store, to);
    } else {
      removeTree(staging);
      store.delete(Manifests.locationFor(to));
    }
    old(stream, resolved).ifPresent(findings::add);
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

  private boolean isEmptyDirectory(Location to) throws IOException {
    return store.stat(to).filter(StoreEntry::isDirectory).isPresent() && store.list(to).isEmpty();
  }

  /** The manifest of the target, if this plan wrote it. */
  private Optional<Manifest> manifest(StreamPlan stream, Location to) throws IOException {
    Optional<JsonNode> staged = journal.last(stream.name(), "staged");
    try {
      Manifest manifest = Manifests.read(store, to);
      return staged
          .map(entry -> entry.path("fingerprint").asText())
          .filter(manifest.fingerprint()::equals)
          .map(same -> manifest);
    } catch (NoSuchFileException | InvalidManifestException none) {
      return Optional.empty();
    }
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

  private void removeTree(Location root) throws IOException {
    List<StoreEntry> all;
    try {
      all = store.walk(root);
    } catch (NoSuchFileException none) {
      return;
    }
    for (int i = all.size() - 1; i >= 0; i--) {
      store.delete(all.get(i).location());
    }
    store.delete(root);
  }

  private static Finding foreign(Location to, String message) {
    return Finding.warning(
        FindingCode.TARGET_NOT_AS_WRITTEN,
        to.toString(),
        message,
        "look at it yourself; nothing of it was removed");
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
        stream.name(), status, message, kept.stream().distinct().toList(), findings);
  }
}
