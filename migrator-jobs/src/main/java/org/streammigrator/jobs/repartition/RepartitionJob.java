package org.streammigrator.jobs.repartition;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.SparkThrowable;
import org.apache.spark.sql.SparkSession;
import org.streammigrator.authoring.CheckpointWriter;
import org.streammigrator.authoring.Draft;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.checkpoint.CheckpointReader;
import org.streammigrator.checkpoint.OperatorState;
import org.streammigrator.copy.CopyOptions;
import org.streammigrator.copy.CopyProgress;
import org.streammigrator.copy.Manifest;
import org.streammigrator.copy.Manifests;
import org.streammigrator.copy.Trees;
import org.streammigrator.copy.Verification;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.job.CopySpec;
import org.streammigrator.job.InvalidJobSpecException;
import org.streammigrator.job.JobFailedException;
import org.streammigrator.job.RepartitionResult;
import org.streammigrator.job.RepartitionResult.StoreRows;
import org.streammigrator.job.RepartitionSpec;
import org.streammigrator.job.StateSpec;
import org.streammigrator.jobs.copy.RelocationPlan;
import org.streammigrator.jobs.rows.Failures;
import org.streammigrator.jobs.state.ReadableState;
import org.streammigrator.migration.Backfilling;
import org.streammigrator.migration.Checksums;
import org.streammigrator.migration.Journal;
import org.streammigrator.migration.LockedException;
import org.streammigrator.migration.Operator;
import org.streammigrator.migration.StreamItinerary;
import org.streammigrator.migration.StreamPlanner;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.ReadOnlyStore;
import org.streammigrator.storage.StorageSettings;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.Stores;

/**
 * Changes the number of a state's partitions, by Spark's own repartition of a copy.
 *
 * <p>The live subset goes to a hidden place beside the target, where Spark repartitions it. What is
 * there is compared with the old state row by row, and what a restart needs of it goes to the
 * target, which nothing starts from before it is whole.
 *
 * <p>Guarantees: the old checkpoint is only read; at the target there is nothing, or all; a rerun
 * after a crash begins anew in the hidden place.
 */
public final class RepartitionJob {
  private final SparkSession spark;
  private final RepartitionSpec spec;
  private final Path directory;
  private final Clock clock;
  private final Location from;
  private final Location to;
  private final Location work;
  private final Location lock;
  private final Store store;
  private final CheckpointWriter writer;

  private RepartitionJob(
      SparkSession spark,
      RepartitionSpec spec,
      Path directory,
      Clock clock,
      CopyProgress progress) {
    this.spark = spark;
    this.spec = spec;
    this.directory = directory;
    this.clock = clock;
    this.from = location(spec.checkpoint(), "checkpoint", directory);
    this.to = location(spec.to(), "to", directory);
    this.work = workOf(to);
    this.lock = Manifests.beside(to, "migrator-journal");
    this.store = new Stores(StorageSettings.NONE);
    this.writer =
        new CheckpointWriter(
            store, CopyOptions.DEFAULT, work.toString(), progress, Optional.empty());
  }

  /** Where a checkpoint is repartitioned before it goes to a target. */
  static Location workOf(Location target) {
    return Manifests.beside(target, "migrator-repartition");
  }

  /**
   * Runs the job.
   *
   * @param directory relative paths of the spec are relative to it
   * @throws InvalidJobSpecException if the spec names no two places
   * @throws JobFailedException if Spark fails; nothing is at the target
   * @throws IOException if a store fails; nothing is at the target, or all
   */
  public static RepartitionResult run(
      SparkSession spark, RepartitionSpec spec, Path directory, Clock clock, CopyProgress progress)
      throws IOException {
    long start = System.nanoTime();
    RepartitionJob job = new RepartitionJob(spark, spec, directory, clock, progress);
    RepartitionResult result = spec.dryRun() ? job.dryRun() : job.locked();
    return result.lasting((System.nanoTime() - start) / 1_000_000);
  }

  private RepartitionResult dryRun() throws IOException {
    Checkpoint old = old();
    Outcome outcome = outcome(old);
    if (Repartitioned.isFinished(store, to, old, spec.partitions())) {
      return unchanged(outcome);
    }
    StreamItinerary relocation = relocation(from, to, new ReadOnlyStore(store));
    List<Finding> findings = findings(old, relocation);
    if (Finding.anyError(findings)) {
      return outcome.refused("a finding forbids it", findings);
    }
    Draft draft = relocation.draft().orElseThrow();
    return outcome.planned(draft.files().size(), draft.bytes(), findings);
  }

  private RepartitionResult locked() throws IOException {
    // Even the lock is not written where something is refused.
    RepartitionResult outlook = dryRun();
    if (!outlook.ok()) {
      return outlook;
    }
    try (Operator operator = Operator.begin(store, lock, clock, RepartitionSpec.JOB, false)) {
      return repartition();
    } catch (LockedException locked) {
      return outcome(old()).locked(locked.getMessage());
    }
  }

  private RepartitionResult repartition() throws IOException {
    Checkpoint old = old();
    Outcome outcome = outcome(old);
    if (Repartitioned.isFinished(store, to, old, spec.partitions())) {
      writer.remove(work);
      return unchanged(outcome);
    }
    List<Finding> findings = findings(old, relocation(from, to, new ReadOnlyStore(store)));
    if (Finding.anyError(findings)) {
      return outcome.refused("a finding forbids it", findings);
    }
    writer.remove(work);
    publish(from, relocation(from, work, store).draft().orElseThrow(), work);
    long batch = old.lastCommitted().getAsLong();
    Optional<Finding> refusal = repartitionBySpark(batch);
    if (refusal.isPresent()) {
      writer.remove(work);
      return outcome.refused("Spark refuses it", List.of(refusal.get()));
    }
    removeOldPartitions(old);
    List<StoreRows> stores =
        StateRows.compare(
            spark,
            old.operators(),
            new StateSpec.State(from.toString(), batch),
            new StateSpec.State(work.toString(), batch + 1),
            spec.partitions());
    if (!stores.stream().allMatch(StoreRows::isSame)) {
      return outcome.different(stores, work);
    }
    StreamItinerary move = relocation(work, to, store);
    List<Finding> after = new ArrayList<>(move.findings());
    after.addAll(Repartitioned.problems(move.checkpoint(), old, spec.partitions(), work));
    if (Finding.anyError(after)) {
      return outcome.refused("what Spark made cannot be used, and is left at " + work, after);
    }
    if (!Checkpoint.fingerprint(new CheckpointReader(store).list(from))
        .equals(Checkpoint.fingerprint(old.files()))) {
      return outcome.refused("the old checkpoint changed", List.of(grows()));
    }
    Manifest manifest = publish(work, move.draft().orElseThrow(), to);
    writer.remove(work);
    return outcome.done(stores, manifest, findings);
  }

  private Outcome outcome(Checkpoint old) {
    return new Outcome(from, to, old, spec.partitions());
  }

  private Checkpoint old() throws IOException {
    try {
      return new CheckpointReader(store).read(from);
    } catch (NoSuchFileException none) {
      throw new InvalidJobSpecException("checkpoint: there is nothing at " + from, none);
    }
  }

  private List<Finding> findings(Checkpoint old, StreamItinerary relocation) {
    List<Finding> findings =
        new ArrayList<>(RepartitionRules.check(old, spec.partitions(), spark.version()));
    findings.addAll(relocation.findings());
    return findings;
  }

  /** What relocating a checkpoint would do, with all that `plan` looks at. */
  private StreamItinerary relocation(Location old, Location target, Store looking)
      throws IOException {
    CopySpec copy = CopySpec.of(old.toString(), target.toString());
    return new StreamPlanner(
            looking,
            Journal.open(looking, lock, clock),
            Set.of(),
            Checksums.COMPARED_LATER,
            Backfilling.NONE.jobs())
        .plan(RelocationPlan.of(copy, directory).streams().get(0));
  }

  private Manifest publish(Location old, Draft draft, Location target) throws IOException {
    CheckpointWriter.Staged staged = writer.stage(old, draft, target);
    Verification verification = writer.verify(staged);
    if (!verification.ok()) {
      throw new IOException(
          "what is staged for "
              + target
              + " is not what was written: "
              + verification.damage().get(0).path());
    }
    writer.publish(staged, target);
    return staged.manifest();
  }

  /** Has Spark repartition the copy; what it refuses by a condition of its own is a finding. */
  private Optional<Finding> repartitionBySpark(long batch) throws IOException {
    try (ReadableState copy =
        new ReadableState(spark, new StateSpec.State(work.toString(), batch))) {
      SparkSession session = copy.session();
      // A store without rows must not lose its partitions to an optimisation.
      session.conf().set("spark.sql.adaptive.enabled", "false");
      // Without this Spark's reader of state finds no coordinator of stores in a new session.
      session.streams();
      ((org.apache.spark.sql.classic.SparkSession) session)
          .streamingCheckpointManager()
          .repartition(copy.path(), spec.partitions(), true);
      return Optional.empty();
    } catch (RuntimeException failed) {
      String condition =
          failed instanceof SparkThrowable told ? String.valueOf(told.getCondition()) : "";
      if (condition.startsWith("STATE_REPARTITION_") || condition.startsWith("STATE_REWRITER_")) {
        return Optional.of(
            Finding.error(
                FindingCode.NOT_AVAILABLE,
                from.toString(),
                Failures.firstLine(failed),
                "rebuild the state under another number with strategy replay (docs/replay.md)"));
      }
      throw new JobFailedException(
          "Spark's repartition of " + work + " failed: " + Failures.firstLine(failed), failed);
    }
  }

  /** Spark leaves the directories of partitions that are no more. */
  private void removeOldPartitions(Checkpoint old) throws IOException {
    for (OperatorState operator : old.operators()) {
      for (int partition : operator.partitions().tailSet(spec.partitions())) {
        Trees.delete(store, work.child("state/" + operator.operator() + "/" + partition));
      }
    }
  }

  private Finding grows() {
    return Finding.error(
        FindingCode.OLD_CHECKPOINT_GROWS,
        from.toString(),
        "it changed while it was repartitioned: its query is still running",
        "stop the old query, make sure that no run is left, and run the job again");
  }

  private RepartitionResult unchanged(Outcome outcome) throws IOException {
    return outcome.unchanged(Manifests.read(store, to));
  }

  private static Location location(String text, String field, Path directory) {
    try {
      Location location = Location.parse(text, directory);
      Manifests.locationFor(location);
      return location;
    } catch (IllegalArgumentException invalid) {
      throw new InvalidJobSpecException(field + ": " + invalid.getMessage(), invalid);
    }
  }
}
