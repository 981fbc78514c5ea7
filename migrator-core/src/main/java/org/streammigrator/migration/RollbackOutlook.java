package org.streammigrator.migration;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.streammigrator.authoring.CheckpointWriter;
import org.streammigrator.copy.Manifests;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.plan.StreamPlan;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;

/**
 * What a rollback of a stream would do, as the world is now.
 *
 * @param kind which of the ways it would end
 * @param message that in a sentence or two
 * @param removes the places it would remove
 * @param jobs what it would do to the jobs of workspaces
 * @param keeps what this plan wrote and would stay
 * @param findings what it would say; an error refuses it
 */
public record RollbackOutlook(
    Kind kind,
    String message,
    List<String> removes,
    List<String> jobs,
    List<String> keeps,
    List<Finding> findings) {

  /** The ways. */
  public enum Kind {
    /** This plan has written nothing for it. */
    NOTHING,
    /** What the plan wrote would be removed, and the old checkpoint stay. */
    REMOVES,
    /** A finding forbids it. */
    REFUSED,
    /** It could not be looked at. */
    UNKNOWN
  }

  public RollbackOutlook {
    requireNonNull(kind, "kind");
    requireNonNull(message, "message");
    removes = List.copyOf(removes);
    jobs = List.copyOf(jobs);
    keeps = List.copyOf(keeps);
    findings = List.copyOf(findings);
  }

  /**
   * Looks, and writes nothing. The bytes of a checkpoint that no query has run from are not read: a
   * rollback does that before it removes anything.
   */
  static RollbackOutlook of(Store store, Journal journal, StreamPlan stream) {
    Optional<JsonNode> resolved = journal.last(stream.name(), "resolved");
    List<String> jobs = jobs(journal, stream);
    if (resolved.isEmpty()) {
      return jobs.isEmpty()
          ? nothing("there is nothing to undo: this plan has written nothing for the stream")
          : new RollbackOutlook(
              Kind.REMOVES,
              "nothing was written; the old query's job is put back as it was",
              List.of(),
              jobs,
              List.of(),
              List.of());
    }
    Location to = Location.parse(resolved.get().path("to").asText(), Path.of("/"));
    NoticingStore noticing = new NoticingStore(store);
    noticing.begin();
    try {
      RollbackChecks.Decision decision =
          new RollbackChecks(noticing, journal, Set.of()).decide(stream, resolved.get(), to, false);
      noticing.check();
      return of(journal, stream, resolved.get(), to, decision);
    } catch (IOException unreadable) {
      return new RollbackOutlook(
          Kind.UNKNOWN,
          "it could not be looked at: " + unreadable.getMessage(),
          List.of(),
          jobs,
          List.of(),
          List.of());
    }
  }

  private static RollbackOutlook nothing(String message) {
    return new RollbackOutlook(Kind.NOTHING, message, List.of(), List.of(), List.of(), List.of());
  }

  /** What the journal says was changed in jobs. */
  private static List<String> jobs(Journal journal, StreamPlan stream) {
    List<String> jobs = new ArrayList<>();
    journal
        .last(stream.name(), Cutover.EVENT)
        .ifPresent(
            entry ->
                jobs.add("end the runs of the new query's " + job(entry) + ", and put it back"));
    journal
        .last(stream.name(), Quiesce.EVENT)
        .ifPresent(
            entry ->
                jobs.add(
                    "put the old query's " + job(entry) + " back, which may start it at once"));
    return jobs;
  }

  private static String job(JsonNode entry) {
    return "job "
        + entry.path("job").asText()
        + " of workspace "
        + entry.path("workspace").asText();
  }

  private static RollbackOutlook of(
      Journal journal,
      StreamPlan stream,
      JsonNode resolved,
      Location to,
      RollbackChecks.Decision decision) {
    List<String> keeps = new ArrayList<>();
    for (JsonNode entry : journal.since(stream.name())) {
      if (entry.path("step").asText().equals(Step.Kind.ARCHIVE.label())) {
        keeps.add("archive " + entry.path("result").asText());
      }
    }
    keeps.add("the journal " + journal.directory());
    List<String> jobs = jobs(journal, stream);
    List<Finding> findings = decision.findings();
    if (Finding.anyError(findings)) {
      boolean ran = findings.stream().anyMatch(f -> f.code() == FindingCode.NEW_BATCHES_LOST);
      return new RollbackOutlook(
          Kind.REFUSED,
          ran
              ? "a plain rollback is refused, since the new query has run; rollback --forward makes a"
                  + " checkpoint for the old code where the new one stands"
              : "a rollback is refused; the findings say why",
          List.of(),
          jobs,
          keeps,
          findings);
    }
    List<String> removes = new ArrayList<>();
    if (decision.removable() && decision.there()) {
      removes.add(to.toString());
    }
    if (decision.staged()) {
      removes.add(CheckpointWriter.stagingFor(to).toString());
    }
    if (decision.manifest().isPresent()) {
      removes.add(Manifests.locationFor(to).toString());
    }
    resolved.path("sinkLogs").forEach(log -> removes.add(log.asText()));
    return removes.isEmpty() && jobs.isEmpty()
        ? new RollbackOutlook(
            Kind.NOTHING, "there is nothing to remove at " + to, List.of(), jobs, keeps, findings)
        : new RollbackOutlook(
            Kind.REMOVES,
            "it reads what was written again, removes it if it is still exactly that, and leaves the"
                + " old checkpoint "
                + resolved.path("from").asText()
                + " as it is",
            removes,
            jobs,
            keeps,
            findings);
  }
}
