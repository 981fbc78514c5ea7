package org.streammigrator.rehearsal;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.streammigrator.finding.DurationText;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.finding.Severity;
import org.streammigrator.plan.RehearsePlan;
import org.streammigrator.plan.StreamPlan;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;

/**
 * What comes once the scratch copy of a stream's new checkpoint is there: the new query runs from
 * it, and its first batch is compared with the plan.
 *
 * <p>Guarantee: however it ends, no process of the query that was seen is left.
 */
public final class Rehearsal {
  private final Store store;
  private final StreamPlan stream;
  private final ScratchPlace scratch;
  private final SecretMask mask;
  private RehearsedQuery query;
  private boolean isInterrupted;

  /**
   * Prepares the rehearsal of a stream.
   *
   * @param store writes in the scratch place only
   * @param stream the stream as it is {@link ScratchPlace#mapped}
   * @param mask takes secrets out of what the query says
   */
  public Rehearsal(Store store, StreamPlan stream, ScratchPlace scratch, SecretMask mask) {
    this.store = requireNonNull(store, "store");
    this.stream = requireNonNull(stream, "stream");
    this.scratch = requireNonNull(scratch, "scratch");
    this.mask = requireNonNull(mask, "mask");
  }

  /**
   * What the new query is told, as variables of its environment. Local places are plain paths, as
   * Spark and the shell take them.
   */
  public Map<String, String> environment(RehearsePlan how) {
    Map<String, String> environment = new LinkedHashMap<>();
    environment.put("MIGRATOR_CHECKPOINT", spelled(scratch.checkpoint()));
    environment.put("MIGRATOR_SINK", spelled(scratch.sink(0)));
    for (int i = 0; i < stream.sink().size(); i++) {
      environment.put("MIGRATOR_SINK_" + i, spelled(scratch.sink(i)));
    }
    environment.put("MIGRATOR_SCRATCH", spelled(scratch.root()));
    environment.put("MIGRATOR_STREAM", stream.name());
    environment.put("MIGRATOR_BATCHES", Integer.toString(how.batches()));
    return environment;
  }

  private static String spelled(Location place) {
    return place.isLocal() ? place.localPath().toString() : place.toString();
  }

  /**
   * Runs the query.
   *
   * @param how how, with a command
   * @param directory where the command runs
   * @param resolved the scratch journal's entry of that name about the stream
   * @param exactness what the plan calls the new checkpoint
   * @param real the places that the query must not write to
   * @throws IOException if storage fails
   */
  public StreamRehearsal run(
      RehearsePlan how, Path directory, JsonNode resolved, String exactness, RealPlaces real)
      throws IOException, InterruptedException {
    PlannedStart start = PlannedStart.read(store, stream, resolved);
    SinkContent.prepare(store, stream, scratch, start.lastWritten());
    Optional<String> impossible = begin(how, directory);
    if (impossible.isPresent()) {
      return notStarted(exactness, start.first(), impossible.get());
    }
    RehearsedQuery.Ended ended = query.await(start.first());
    List<Finding> findings = new ArrayList<>(failure(how, start.first(), ended));
    List<StreamRehearsal.SourceRun> sources =
        ended.batches() == 0 ? List.of() : start.compare(ended.first(), findings);
    findings.addAll(real.changes());
    boolean isFailed = Finding.anyError(findings);
    return new StreamRehearsal(
        stream.name(),
        isFailed ? StreamRehearsal.Status.FAILED : StreamRehearsal.Status.REHEARSED,
        isFailed ? firstError(findings) : done(how, start.first(), ended),
        scratch.root().toString(),
        scratch.checkpoint().toString(),
        true,
        exactness,
        start.first(),
        ended.batches(),
        sources,
        sinks(),
        new StreamRehearsal.QueryRun(
            ended.why().label(),
            ended.exit().isPresent() ? (Integer) ended.exit().getAsInt() : null,
            ended.isKilled(),
            isFailed ? ended.lines().stream().map(mask::apply).toList() : List.of()),
        findings);
  }

  /** Starts the query; what forbids it, if something does. */
  private synchronized Optional<String> begin(RehearsePlan how, Path directory) {
    if (isInterrupted) {
      return Optional.of("interrupted");
    }
    try {
      query = RehearsedQuery.start(store, scratch.checkpoint(), how, directory, environment(how));
      return Optional.empty();
    } catch (IOException | InvalidPathException failure) {
      return Optional.of(mask.apply(String.valueOf(failure.getMessage())));
    }
  }

  /**
   * Ends the query, since this process is ended; {@link #run} does not come back then.
   *
   * @return whether there was one
   */
  public synchronized boolean interrupt() {
    isInterrupted = true;
    if (query == null) {
      return false;
    }
    query.interrupt();
    return true;
  }

  private StreamRehearsal notStarted(String exactness, long first, String why) {
    Finding finding =
        failed(
            "`rehearse.command` cannot be started: " + why,
            "correct it; a relative path begins at the directory of the plan file");
    return new StreamRehearsal(
        stream.name(),
        StreamRehearsal.Status.FAILED,
        finding.message(),
        scratch.root().toString(),
        scratch.checkpoint().toString(),
        true,
        exactness,
        first,
        0,
        List.of(),
        List.of(),
        null,
        List.of(finding));
  }

  private static String firstError(List<Finding> findings) {
    return findings.stream()
        .filter(finding -> finding.severity() == Severity.ERROR)
        .findFirst()
        .orElseThrow()
        .message();
  }

  private List<StreamRehearsal.SinkRun> sinks() throws IOException {
    List<StreamRehearsal.SinkRun> sinks = new ArrayList<>();
    for (int i = 0; i < Math.max(1, stream.sink().size()); i++) {
      sinks.add(SinkContent.read(store, scratch.sink(i)));
    }
    return sinks;
  }

  private static String done(RehearsePlan how, long first, RehearsedQuery.Ended ended) {
    long batches = ended.batches();
    return "the new query ran "
        + (batches == 1 ? "batch " + first : "batches " + first + " to " + (first + batches - 1))
        + " from the scratch copy, beginning where the plan says"
        + (ended.why() == RehearsedQuery.Why.BY_ITSELF
            ? "; it ended by itself"
                + (batches < how.batches() ? ", before all of the " + how.batches() : "")
            : ended.isKilled()
                ? "; it had to be killed"
                : ended.isBySelf() && ended.exit().orElse(0) != 0
                    ? "; then it ended by itself with exit code " + ended.exit().getAsInt()
                    : "");
  }

  /** Why the query did not do what it had to; empty if it did. */
  private List<Finding> failure(RehearsePlan how, long first, RehearsedQuery.Ended ended) {
    String batches =
        ended.batches() == 0
            ? "without having committed batch " + first
            : "after " + ended.batches() + " of " + how.batches() + " batches";
    String unused =
        ended.batches() > 0
            ? ""
            : "see that it takes its checkpoint from MIGRATOR_CHECKPOINT, and that its sources have"
                + " something new";
    return switch (ended.why()) {
      case AFTER_BATCHES -> List.of();
      case OUT_OF_TIME ->
          List.of(
              failed(
                  "the rehearsed query was ended after "
                      + DurationText.words(how.timeout())
                      + ", "
                      + batches,
                  "look at its last lines; give it more time with `rehearse.timeout`"
                      + (unused.isEmpty() ? "" : "; " + unused)));
      case BY_ITSELF -> {
        OptionalInt exit = ended.exit();
        if (exit.orElse(0) == 0) {
          yield ended.batches() > 0
              ? List.of()
              : List.of(failed("the rehearsed query ended by itself, " + batches, unused));
        }
        yield List.of(
            failed(
                "the rehearsed query ended with exit code "
                    + exit.getAsInt()
                    + (exit.getAsInt() == 127 ? " (a shell did not find its command)" : "")
                    + ", "
                    + batches,
                "look at its last lines; what they say would have happened after the real"
                    + " migration, too"));
      }
    };
  }

  private Finding failed(String message, String remedy) {
    return Finding.error(FindingCode.REHEARSAL_FAILED, stream.name(), message, remedy);
  }
}
