package org.streammigrator.migration;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.streammigrator.backfill.Boundary;
import org.streammigrator.backfill.Guard;
import org.streammigrator.copy.Manifest;
import org.streammigrator.job.JobJson;
import org.streammigrator.plan.Plan;
import org.streammigrator.plan.Strategy;
import org.streammigrator.plan.StreamPlan;
import org.streammigrator.storage.Store;

/**
 * Where an apply stands, by its journal.
 *
 * @param plan the plan's name
 * @param journal where the journal is
 * @param operator who holds the plan's lock, in words; null if nobody
 * @param operatorAtWork whether that one may be alive; null if nobody holds it
 * @param streams the streams of the plan
 */
@JsonPropertyOrder({"schema", "plan", "journal", "operator", "operatorAtWork", "streams"})
public record StatusReport(
    String plan,
    String journal,
    String operator,
    Boolean operatorAtWork,
    List<StreamStatus> streams) {

  public StatusReport {
    requireNonNull(plan, "plan");
    requireNonNull(journal, "journal");
    streams = List.copyOf(streams);
  }

  /**
   * Where a stream stands.
   *
   * @param name the stream's name
   * @param state {@code not-started}, {@code part-way}, {@code done} or {@code rolled-back}
   * @param stepsDone the kinds of the steps that the last attempt finished
   * @param lastActivity when the journal last spoke of it, an ISO instant; null if never
   * @param newBatches how many batches the new query has committed; null unless done
   * @param next what happens next
   */
  @JsonPropertyOrder({"name", "state", "stepsDone", "lastActivity", "newBatches", "next"})
  public record StreamStatus(
      String name,
      String state,
      List<String> stepsDone,
      String lastActivity,
      Long newBatches,
      String next) {}

  /** The version of this record's JSON. */
  @JsonProperty
  public String schema() {
    return "migrator/status/1";
  }

  /** Reads the journal and looks whether the targets are there. */
  public static StatusReport of(Store store, Plan plan, Journal journal) throws IOException {
    Published published = new Published(store, journal);
    Optional<OperatorLock.Holder> holder = OperatorLock.holder(store, journal.lock());
    boolean working = holder.isPresent() && !holder.get().dead();
    List<StreamStatus> streams = new ArrayList<>();
    for (StreamPlan stream : plan.streams()) {
      List<String> steps = new ArrayList<>();
      String last = null;
      boolean rolledBack = false;
      for (JsonNode entry : journal.entries()) {
        if (!entry.path("stream").asText().equals(stream.name())) {
          continue;
        }
        last = entry.path("at").asText();
        String event = entry.path("event").asText();
        rolledBack = event.equals(Journal.ROLLED_BACK);
        if (rolledBack) {
          steps.clear();
        } else if (event.equals("resolved")) {
          steps.removeIf(step -> !step.equals(Step.Kind.QUIESCE.label()));
        } else if (event.equals("step-done")) {
          steps.add(entry.path("step").asText());
        }
      }
      Optional<Manifest> manifest = published.manifest(stream);
      Long newBatches = manifest.isPresent() ? newBatches(store, stream, manifest.get()) : null;
      boolean isWaiting =
          manifest.isPresent()
              && (stream.strategy() == Strategy.BACKFILL
                  || stream.strategy() == Strategy.REPLAY
                  || stream.cutover().isPresent())
              && !journal.isFinished(stream.name());
      String state =
          manifest.isPresent()
              ? isWaiting ? "part-way" : "done"
              : rolledBack ? "rolled-back" : last == null ? "not-started" : "part-way";
      streams.add(
          new StreamStatus(
              stream.name(),
              state,
              List.copyOf(steps),
              last,
              newBatches,
              !working && JobStatus.next(journal, stream, state, steps).isPresent()
                  ? JobStatus.next(journal, stream, state, steps).get()
                  : isWaiting && !working && stream.strategy() == Strategy.REPLAY
                      ? "run batch "
                          + Undoable.newest(manifest.get(), "offsets/")
                          + " of the new query with its output elsewhere (apply says how), and apply the"
                          + " plan again"
                      : isWaiting && !working && steps.contains(Step.Kind.BACKFILL.label())
                          ? "start the new query from "
                              + stream.checkpoint().to().orElseThrow()
                              + guard(journal, stream)
                              + ", if it does not run yet; and apply the plan again once its watermark has"
                              + " passed the job's windows"
                          : next(
                              stream,
                              state,
                              working,
                              newBatches,
                              guard(journal, stream),
                              options(journal, stream))));
    }
    return new StatusReport(
        plan.name(),
        journal.directory().toString(),
        holder.map(OperatorLock.Holder::text).orElse(null),
        holder.isEmpty() ? null : working,
        streams);
  }

  /** The guard that a query beside a backfill needs, in words; empty for another one. */
  private static String guard(Journal journal, StreamPlan stream) {
    return journal
        .last(stream.name(), Backfills.BOUNDARY)
        .map(entry -> JobJson.value(entry.path(Backfills.BOUNDARY), Boundary.class))
        .map(boundary -> " with the guard " + Guard.of(boundary).sql())
        .orElse("");
  }

  /** The options that a query needs to start at an empty checkpoint, in words. */
  private static String options(Journal journal, StreamPlan stream) {
    List<String> lines = StartOptions.recorded(journal, stream);
    return lines.isEmpty() ? "" : " with " + String.join("; ", lines);
  }

  private static String next(
      StreamPlan stream,
      String state,
      boolean working,
      Long newBatches,
      String guard,
      String options) {
    String again = working ? "wait for whoever is at work" : "apply the plan";
    return switch (state) {
      case "done" ->
          newBatches == null || newBatches == 0
              ? "start the query from "
                  + stream.checkpoint().to().orElseThrow()
                  + guard
                  + options
                  + ", then prove"
              : "the new query has run ("
                  + newBatches
                  + (newBatches == 1 ? " batch" : " batches")
                  + "): prove; the way back is rollback --forward";
      case "part-way" ->
          working ? again : "apply the plan again; it goes on where it stopped, or rollback";
      default -> again;
    };
  }

  /** How many batches are committed at the target above those that were written there. */
  private static long newBatches(Store store, StreamPlan stream, Manifest manifest)
      throws IOException {
    long written = Undoable.newest(manifest, "commits/");
    try {
      return store.list(stream.checkpoint().to().orElseThrow().child("commits")).stream()
          .map(file -> file.location().name())
          .filter(name -> name.matches("[0-9]{1,18}") && Long.parseLong(name) > written)
          .count();
    } catch (NoSuchFileException none) {
      return 0;
    }
  }
}
