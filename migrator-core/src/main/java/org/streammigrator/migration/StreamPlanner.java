package org.streammigrator.migration;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.streammigrator.copy.Manifest;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.job.JobRunner;
import org.streammigrator.plan.Identity;
import org.streammigrator.plan.Strategy;
import org.streammigrator.plan.StreamPlan;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;

/** Says what applying a plan would do to a stream; over a read-only store this is the dry run. */
public final class StreamPlanner {
  /** Stands for an id that only apply draws; of the same length. */
  private static final String NOT_DRAWN_YET = "00000000-0000-0000-0000-000000000000";

  private final Surveyor surveyor;
  private final Published published;
  private final Journal journal;
  private final Itineraries itineraries;
  private final Backfills backfills;
  private final JobSurvey jobSurvey;

  /**
   * Prepares the planner.
   *
   * @param accepted findings accepted besides those that the plan accepts
   * @param jobs where Spark jobs run; asked only where a strategy needs one
   */
  public StreamPlanner(
      Store store,
      Journal journal,
      Set<FindingCode> accepted,
      Checksums checksums,
      Supplier<JobRunner> jobs) {
    this(store, journal, accepted, checksums, jobs, JobControl.NONE);
  }

  /**
   * Prepares the planner.
   *
   * @param accepted findings accepted besides those that the plan accepts
   * @param jobs where Spark jobs run; asked only where a strategy needs one
   * @param control the jobs that are stopped and started, which are looked at
   */
  public StreamPlanner(
      Store store,
      Journal journal,
      Set<FindingCode> accepted,
      Checksums checksums,
      Supplier<JobRunner> jobs,
      JobControl control) {
    this.surveyor =
        new Surveyor(
            requireNonNull(store, "store"), journal.directory().toString(), checksums, jobs);
    this.journal = requireNonNull(journal, "journal");
    this.published = new Published(store, journal);
    this.itineraries = new Itineraries(accepted);
    this.backfills = new Backfills(journal, jobs);
    this.jobSurvey = new JobSurvey(control, journal);
  }

  /**
   * What is still to be done for a stream, as the world is now.
   *
   * @throws IOException if storage, a workspace or a job that measures fails
   */
  public StreamItinerary plan(StreamPlan stream) throws IOException {
    return jobSurvey.with(planWithoutJobs(stream));
  }

  /** The same without what becomes of the jobs of workspaces. */
  StreamItinerary planWithoutJobs(StreamPlan stream) throws IOException {
    StreamItinerary itinerary = survey(stream);
    boolean isMeasured = stream.strategy() == Strategy.BACKFILL && itinerary.draft().isPresent();
    return isMeasured ? itineraries.with(itinerary, backfills.measure(itinerary)) : itinerary;
  }

  /**
   * The same without what only a job can tell: where nobody looks at that.
   *
   * @throws IOException if storage fails
   */
  public StreamItinerary survey(StreamPlan stream) throws IOException {
    Optional<Manifest> manifest = published.manifest(stream);
    if (manifest.isPresent()) {
      return stream.strategy() == Strategy.BACKFILL
          ? backfills.remaining(stream)
          : stream.strategy() == Strategy.REPLAY
              ? Replays.remaining(stream, manifest.get(), journal)
              : isCutOver(stream)
                  ? StreamItinerary.finished(stream)
                  : StreamItinerary.published(stream, null, null, List.of());
    }
    return itineraries.of(
        surveyor.survey(stream, published.changed(stream)), drawnId(stream).orElse(NOT_DRAWN_YET));
  }

  /** Whether an earlier apply has finished a stream. */
  public boolean done(StreamPlan stream) throws IOException {
    return published.manifest(stream).isPresent()
        && (stream.strategy() != Strategy.BACKFILL || backfills.isDone(stream))
        && (stream.strategy() != Strategy.REPLAY || journal.isFinished(stream.name()))
        && isCutOver(stream);
  }

  /** Whether nothing is left of a cutover. */
  private boolean isCutOver(StreamPlan stream) {
    return stream.cutover().isEmpty() || journal.isFinished(stream.name());
  }

  Backfills backfills() {
    return backfills;
  }

  /** Whether apply has to draw a query id before it can go on. */
  boolean needsId(StreamPlan stream) {
    return stream.identity().orElse(Identity.KEEP) == Identity.NEW && drawnId(stream).isEmpty();
  }

  private Optional<String> drawnId(StreamPlan stream) {
    String target = stream.checkpoint().to().map(Location::toString).orElse("");
    return journal
        .last(stream.name(), "identity")
        .filter(drawn -> drawn.path("to").asText().equals(target))
        .map(drawn -> drawn.path("queryId"))
        .map(JsonNode::asText);
  }

  /** The streams in an order in which each comes after those it waits for. */
  public static List<StreamPlan> ordered(List<StreamPlan> streams) {
    Map<String, StreamPlan> byName = new LinkedHashMap<>();
    streams.forEach(stream -> byName.put(stream.name(), stream));
    List<StreamPlan> ordered = new ArrayList<>();
    Set<String> placed = new java.util.HashSet<>();
    while (ordered.size() < byName.size()) {
      for (StreamPlan stream : byName.values()) {
        boolean ready =
            stream.after().stream()
                .allMatch(name -> placed.contains(name) || !byName.containsKey(name));
        if (!placed.contains(stream.name()) && ready) {
          placed.add(stream.name());
          ordered.add(stream);
        }
      }
    }
    return ordered;
  }
}
