package org.streammigrator.migration;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.streammigrator.copy.HashingInputStream;
import org.streammigrator.copy.InvalidManifestException;
import org.streammigrator.copy.Manifest;
import org.streammigrator.copy.ManifestFile;
import org.streammigrator.copy.Manifests;
import org.streammigrator.databricks.JobRun;
import org.streammigrator.databricks.JobTrigger;
import org.streammigrator.plan.CutoverPlan;
import org.streammigrator.plan.StreamPlan;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;

/**
 * Watches a new query: that it goes on from what was written for it, by its own checkpoint, and
 * that its run does not fail, until it has committed as many batches and run as long as the plan
 * asks for.
 */
final class Watch {
  private static final Duration FIRST = Duration.ofSeconds(2);
  private static final Duration LONGEST = Duration.ofSeconds(30);

  private final Store store;
  private final Journal journal;
  private final JobControl control;
  private final Quiesce.Guard guard;

  Watch(Store store, Journal journal, JobControl control, Quiesce.Guard guard) {
    this.store = requireNonNull(store, "store");
    this.journal = requireNonNull(journal, "journal");
    this.control = requireNonNull(control, "control");
    this.guard = requireNonNull(guard, "guard");
  }

  /** How watching ended. */
  enum Status {
    /** All was seen that the plan asks for. */
    SEEN,
    /** It is not there yet. */
    WAITING,
    /** The new query does not do what it should. */
    FAILED
  }

  /**
   * How watching ended.
   *
   * @param text what was seen, what is waited for, or what is wrong
   */
  record Ended(Status status, String text) {}

  /**
   * What the checkpoint shows.
   *
   * @param batches how many batches the new query has committed
   * @param wrong what is wrong; empty if nothing is
   */
  private record Seen(long batches, Optional<String> wrong) {}

  /** Watches a stream's new query. */
  Ended run(StreamPlan stream, CutoverPlan plan) throws IOException {
    JobControl.Placed placed = control.find(plan);
    boolean isContinuous = placed.job().trigger().filter(JobTrigger::isContinuous).isPresent();
    Optional<Long> run = startedRun(stream);
    Instant begun = begun(stream);
    Instant until = control.waits().now().plus(plan.watch().timeout());
    Duration pause = FIRST;
    while (true) {
      guard.check();
      Seen seen = look(stream);
      if (seen.wrong().isPresent()) {
        return new Ended(Status.FAILED, seen.wrong().get());
      }
      Duration ran = Duration.between(begun, control.waits().now());
      boolean isLong = plan.watch().time().filter(time -> ran.compareTo(time) < 0).isEmpty();
      if (seen.batches() >= plan.watch().batches() && isLong) {
        return new Ended(Status.SEEN, "the new query has committed " + batches(seen.batches()));
      }
      Optional<JobRun> now = current(placed, run);
      run = now.map(JobRun::id);
      if (now.filter(ended -> !ended.isActive() && !ended.succeeded()).isPresent()) {
        Optional<JobRun> another = current(placed, Optional.empty());
        if (another.isPresent()) {
          // Somebody, or the workspace itself, has started it again.
          run = another.map(JobRun::id);
          continue;
        }
        return new Ended(
            Status.FAILED,
            now.get().text()
                + " of "
                + placed.text()
                + " did not end well, after "
                + batches(seen.batches()));
      }
      boolean hasEnded = now.filter(ended -> !ended.isActive()).isPresent();
      if (hasEnded) {
        run = Optional.empty();
      }
      boolean isOver =
          hasEnded && !isContinuous
              || now.isEmpty() && !isContinuous && !plan.start()
              || !control.waits().now().isBefore(until);
      if (isOver) {
        return new Ended(Status.WAITING, waitingFor(plan, placed, seen, now));
      }
      control.waits().pause(pause);
      pause = pause.multipliedBy(3).dividedBy(2);
      pause = pause.compareTo(LONGEST) < 0 ? pause : LONGEST;
    }
  }

  private Optional<JobRun> current(JobControl.Placed placed, Optional<Long> run)
      throws IOException {
    if (run.isPresent()) {
      return Optional.of(placed.jobs().run(run.get()));
    }
    List<JobRun> active = placed.jobs().activeRuns(placed.job().id());
    return active.stream().findFirst();
  }

  private Optional<Long> startedRun(StreamPlan stream) {
    return Cutover.last(journal, stream, Cutover.STARTED)
        .map(entry -> entry.path("run"))
        .filter(JsonNode::canConvertToLong)
        .map(JsonNode::asLong);
  }

  /** When the cutover was done. */
  private Instant begun(StreamPlan stream) {
    return Cutover.done(journal, stream)
        .map(entry -> Instant.parse(entry.path("at").asText()))
        .orElseGet(() -> control.waits().now());
  }

  private static String waitingFor(
      CutoverPlan plan, JobControl.Placed placed, Seen seen, Optional<JobRun> now) {
    String wanted =
        batches(plan.watch().batches())
            + " of the new query"
            + plan.watch().time().map(time -> " and " + JobSteps.duration(time)).orElse("")
            + " (it has committed "
            + seen.batches()
            + ")";
    return now.isPresent()
        ? wanted + "; " + now.get().text()
        : wanted + "; no run of " + placed.text() + " is active: start it";
  }

  private static String batches(long count) {
    return count == 0 ? "no batch" : count + (count == 1 ? " batch" : " batches");
  }

  /** What stands in the new checkpoint beside what was written there. */
  private Seen look(StreamPlan stream) throws IOException {
    Location to = stream.checkpoint().to().orElseThrow();
    Manifest manifest;
    try {
      manifest = Manifests.read(store, to);
    } catch (InvalidManifestException unreadable) {
      throw new IOException("the manifest of " + to + " cannot be read", unreadable);
    }
    long position = Undoable.newest(manifest, "offsets/");
    long committed = Undoable.newest(manifest, "commits/");
    TreeSet<Long> offsets = batches(to.child("offsets"));
    SortedSet<Long> planned = offsets.tailSet(position + 1);
    SortedSet<Long> done = batches(to.child("commits")).tailSet(committed + 1);
    // What says where it goes on.
    Set<String> start = Set.of("metadata", "offsets/" + position, "commits/" + committed);
    for (ManifestFile file : manifest.files()) {
      if (!start.contains(file.path())) {
        continue;
      }
      Location place = to.child(file.path());
      // A query removes what is older than it needs.
      boolean mayBeGone = !file.path().equals("metadata") && done.size() > 1;
      boolean isThere = store.stat(place).filter(StoreEntry::isFile).isPresent();
      if (!isThere && !mayBeGone) {
        return new Seen(done.size(), Optional.of(place + ", from which it goes on, is gone"));
      }
      if (isThere && !isSame(place, file)) {
        return new Seen(
            done.size(),
            Optional.of(
                place
                    + " is not what was written there: the new query did not start at the planned"
                    + " position"));
      }
    }
    boolean isNext =
        planned.isEmpty() || planned.first() == position + 1 || offsets.first() > position;
    return new Seen(
        done.size(),
        isNext
            ? Optional.empty()
            : Optional.of(
                "its first batch is "
                    + planned.first()
                    + ", and it should be "
                    + (position + 1)
                    + ": the new query did not start at the planned position"));
  }

  private TreeSet<Long> batches(Location log) throws IOException {
    TreeSet<Long> batches = new TreeSet<>();
    try {
      for (StoreEntry file : store.list(log)) {
        if (file.isFile() && file.location().name().matches("[0-9]{1,18}")) {
          batches.add(Long.parseLong(file.location().name()));
        }
      }
    } catch (NoSuchFileException none) {
      // Then there is no batch.
    }
    return batches;
  }

  private boolean isSame(Location place, ManifestFile file) throws IOException {
    try (HashingInputStream in = new HashingInputStream(store.open(place))) {
      in.drain();
      return in.sha256().equals(file.sha256());
    }
  }
}
