package org.streammigrator.jobs.copy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.apache.spark.sql.SparkSession;
import org.streammigrator.authoring.CheckpointWriter;
import org.streammigrator.authoring.Draft;
import org.streammigrator.copy.CopyOptions;
import org.streammigrator.copy.CopyProgress;
import org.streammigrator.copy.Manifest;
import org.streammigrator.copy.Manifests;
import org.streammigrator.copy.TreeCopy;
import org.streammigrator.finding.Finding;
import org.streammigrator.job.CopyResult;
import org.streammigrator.job.CopySpec;
import org.streammigrator.job.InvalidJobSpecException;
import org.streammigrator.migration.Applier;
import org.streammigrator.migration.ApplyEvents;
import org.streammigrator.migration.Backfilling;
import org.streammigrator.migration.Checksums;
import org.streammigrator.migration.JobControl;
import org.streammigrator.migration.Journal;
import org.streammigrator.migration.LockedException;
import org.streammigrator.migration.Operator;
import org.streammigrator.migration.Step;
import org.streammigrator.migration.StreamItinerary;
import org.streammigrator.migration.StreamOutcome;
import org.streammigrator.migration.StreamPlanner;
import org.streammigrator.plan.Plan;
import org.streammigrator.plan.PlanReader;
import org.streammigrator.plan.PlanReading;
import org.streammigrator.plan.StreamPlan;
import org.streammigrator.report.JsonOutput;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.ReadOnlyStore;
import org.streammigrator.storage.Store;

/**
 * Copies a checkpoint with executors: {@code apply} of a plan that relocates one stream, in which
 * Spark's tasks copy the files.
 *
 * <p>Guarantees are those of {@link Applier} and {@link CheckpointWriter}: the same checks, order,
 * manifest and verification; a rerun goes on; a source that changes meanwhile is refused.
 */
public final class CopyJob {
  private static final String NAME = "copy";

  private final SparkSession spark;
  private final CopySpec spec;
  private final Clock clock;
  private final Location from;
  private final Location to;
  private final Location journalPlace;
  private final Plan plan;
  private final ExecutorStorage storage;
  private final Store store;

  private CopyJob(SparkSession spark, CopySpec spec, Path directory, Clock clock) {
    this.spark = spark;
    this.spec = spec;
    this.clock = clock;
    this.from = location(spec.from(), "from", directory);
    this.to = location(spec.to(), "to", directory);
    this.plan = plan(spec, directory);
    this.journalPlace =
        spec.journal() == null
            ? Manifests.beside(to, "migrator-journal")
            : location(spec.journal(), "journal", directory);
    this.storage = new ExecutorStorage(spec.storage());
    this.store = storage.open();
  }

  /**
   * Runs the job.
   *
   * @param directory relative paths of the spec are relative to it
   * @throws InvalidJobSpecException if the spec makes no plan
   * @throws IOException if a store fails before anything is done
   */
  public static CopyResult run(
      SparkSession spark, CopySpec spec, Path directory, Clock clock, CopyProgress progress)
      throws IOException {
    long start = System.nanoTime();
    CopyJob job = new CopyJob(spark, spec, directory, clock);
    CopyResult result = spec.dryRun() ? job.dryRun() : job.copy(progress);
    return result.lasting((System.nanoTime() - start) / 1_000_000);
  }

  private CopyResult dryRun() throws IOException {
    Store readOnly = new ReadOnlyStore(store);
    StreamItinerary itinerary =
        new StreamPlanner(
                readOnly,
                Journal.open(readOnly, journalPlace, clock),
                Set.of(),
                Checksums.COMPARED_LATER,
                Backfilling.NONE.jobs())
            .plan(stream());
    if (itinerary.done()) {
      return result(true, "unchanged", "an earlier run finished it; nothing to do", List.of(), 0);
    }
    Optional<Draft> draft = itinerary.draft();
    return new CopyResult(
        !itinerary.refused(),
        itinerary.refused() ? "refused" : "dry-run",
        itinerary.refused()
            ? "a finding forbids it"
            : "so many files would be copied; nothing was written",
        from.toString(),
        to.toString(),
        null,
        draft.map(drafted -> (long) drafted.files().size()).orElse(null),
        draft.map(Draft::bytes).orElse(null),
        null,
        0,
        json(itinerary.findings()),
        0);
  }

  private CopyResult copy(CopyProgress progress) throws IOException {
    CopyTask task =
        new CopyTask(
            storage, TreeCopy.attemptsFor(to), spec.threads(), spec.verify().equals("read"));
    SparkWorkers workers = new SparkWorkers(spark.sparkContext(), from, task);
    // What executors have proven is not read again by the driver.
    CheckpointWriter writer =
        new CheckpointWriter(
            store, CopyOptions.DEFAULT, journalPlace.toString(), progress, Optional.of(workers));
    Events events = new Events(progress);
    try (Operator operator =
        Operator.begin(store, journalPlace, clock, plan.name(), spec.takeOver())) {
      Journal journal = Journal.open(store, journalPlace, clock);
      StreamOutcome outcome =
          new Applier(
                  store,
                  journal,
                  operator,
                  UUID::randomUUID,
                  Set.of(),
                  events,
                  writer,
                  Backfilling.NONE,
                  false,
                  JobControl.NONE)
              .apply(plan.streams(), List.of(), plan.run().onFailure())
              .get(0);
      String message =
          outcome
              .failure()
              .map(failure -> outcome.message() + ": " + failure.getMessage())
              .orElse(outcome.message());
      return result(
          outcome.finished(),
          outcome.status().label(),
          message,
          outcome.findings(),
          workers.tasks());
    } catch (LockedException locked) {
      return result(false, "locked", locked.getMessage(), List.of(), 0);
    }
  }

  private CopyResult result(
      boolean ok, String status, String message, List<Finding> findings, long tasks)
      throws IOException {
    Optional<Manifest> manifest = ok ? Optional.of(Manifests.read(store, to)) : Optional.empty();
    return new CopyResult(
        ok,
        status,
        message,
        from.toString(),
        to.toString(),
        manifest.map(there -> Manifests.locationFor(to).toString()).orElse(null),
        manifest.map(there -> (long) there.files().size()).orElse(null),
        manifest.map(Manifest::bytes).orElse(null),
        manifest.map(Manifest::fingerprint).orElse(null),
        tasks,
        json(findings),
        0);
  }

  private static List<JsonNode> json(List<Finding> findings) {
    return findings.stream().map(JsonOutput::tree).toList();
  }

  private StreamPlan stream() {
    return plan.streams().get(0);
  }

  private static Location location(String text, String field, Path directory) {
    try {
      Location location = Location.parse(text, directory);
      if (location.parent().isEmpty()) {
        throw new IllegalArgumentException("a root cannot be used");
      }
      return location;
    } catch (IllegalArgumentException invalid) {
      throw new InvalidJobSpecException(field + ": " + invalid.getMessage(), invalid);
    }
  }

  /** The plan that the spec is; read as a plan file is, so that the same rules hold. */
  private static Plan plan(CopySpec spec, Path directory) {
    ObjectMapper mapper = new ObjectMapper();
    ObjectNode stream =
        mapper
            .createObjectNode()
            .put("name", NAME)
            .put("strategy", "relocate")
            .put("copy", spec.copy());
    stream.putObject("checkpoint").put("from", spec.from()).put("to", spec.to());
    if (spec.sink() != null) {
      stream.set("sink", spec.sink());
    }
    if (spec.rewrite() != null) {
      stream.set("rewrite", spec.rewrite());
    }
    if (!spec.accept().isEmpty()) {
      spec.accept().forEach(stream.putArray("accept")::add);
    }
    ObjectNode plan = mapper.createObjectNode().put("version", 1).put("name", NAME);
    plan.putArray("streams").add(stream);
    PlanReading reading =
        PlanReader.read(plan.toString(), directory, Map.of(), name -> Optional.empty());
    if (reading.plan().isEmpty()) {
      List<String> problems = new ArrayList<>();
      reading.problems().forEach(problem -> problems.add(problem.message()));
      throw new InvalidJobSpecException(problems);
    }
    return reading.plan().get();
  }

  /** Tells of nothing but the progress: what was noticed is in the outcome. */
  private record Events(CopyProgress progress) implements ApplyEvents {
    @Override
    public void finding(String stream, Finding finding) {}

    @Override
    public void stepStarted(String stream, Step step) {}

    @Override
    public void stepDone(String stream, Step step, String result) {}

    @Override
    public void streamEnded(StreamOutcome outcome) {}
  }
}
