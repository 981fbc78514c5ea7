package org.streammigrator.migration;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.streammigrator.copy.RefusedException;
import org.streammigrator.databricks.JobReference;
import org.streammigrator.databricks.JobRun;
import org.streammigrator.databricks.JobsApiException;
import org.streammigrator.databricks.RunEnd;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.plan.StreamPlan;

/**
 * Puts back in jobs what the journal says was changed there. May be done again after a crash at any
 * moment; what somebody else has changed since stays, and is told.
 */
final class JobRestore {
  private static final Duration LIMIT = Duration.ofMinutes(10);

  /** How often runs that appear after a cancellation are cancelled. */
  private static final int MOST_ROUNDS = 3;

  private final Journal journal;
  private final JobControl control;

  JobRestore(Journal journal, JobControl control) {
    this.journal = requireNonNull(journal, "journal");
    this.control = requireNonNull(control, "control");
  }

  /** Whether the new query's job was told its checkpoint. */
  boolean isCutOver(StreamPlan stream) {
    return Cutover.last(journal, stream, Cutover.EVENT).isPresent();
  }

  /**
   * Puts back the settings of the new query's job, and ends its runs.
   *
   * @throws IOException if the workspace fails, or a run does not end
   */
  List<Finding> takeBackCutover(StreamPlan stream) throws IOException {
    Optional<JsonNode> entry = Cutover.last(journal, stream, Cutover.EVENT);
    List<Finding> findings = new ArrayList<>();
    Optional<JobControl.Placed> placed =
        entry.isEmpty() ? Optional.empty() : putBack(entry.get(), "cutover", findings);
    if (placed.isPresent()) {
      RunEnd end = new RunEnd(placed.get().jobs(), control.waits());
      List<JobRun> active = placed.get().jobs().activeRuns(placed.get().job().id());
      for (int round = 0; !active.isEmpty(); round++) {
        if (round == MOST_ROUNDS) {
          throw new IOException(
              placed.get().text()
                  + " starts a run whenever one is cancelled; pause what starts it, and roll back"
                  + " again");
        }
        for (JobRun run : active) {
          JobRun last = end.cancel(run.id(), LIMIT);
          if (last.isActive()) {
            throw new IOException(
                last.text() + " of " + placed.get().text() + " was cancelled and has not ended");
          }
        }
        active = placed.get().jobs().activeRuns(placed.get().job().id());
      }
    }
    if (entry.isPresent()) {
      journal.append(Journal.entry(Cutover.UNDONE, stream.name()));
    }
    return findings;
  }

  /** Puts back the settings of the old query's job, which may start it at once. */
  List<Finding> takeBackQuiesce(StreamPlan stream) throws IOException {
    List<Finding> findings = new ArrayList<>();
    Optional<JsonNode> entry = journal.last(stream.name(), Quiesce.EVENT);
    if (entry.isPresent()) {
      putBack(entry.get(), "job", findings);
    }
    return findings;
  }

  private Optional<JobControl.Placed> putBack(JsonNode entry, String key, List<Finding> findings)
      throws IOException {
    String workspace = entry.path("workspace").asText();
    long job = entry.path("job").asLong();
    JobControl.Placed placed;
    try {
      placed = control.find(workspace, new JobReference.ById(job));
    } catch (JobsApiException refused) {
      if (!refused.isMissing()) {
        throw refused;
      }
      findings.add(
          Finding.warning(
              FindingCode.JOB_NOT_FOUND,
              key,
              "job " + job + " of workspace " + workspace + " is not there any more",
              "nothing to do: there is nothing to put back"));
      return Optional.empty();
    }
    if (!placed.jobs().host().equals(entry.path("host").asText())) {
      throw new RefusedException(
          Finding.error(
              FindingCode.JOB_SETTINGS_CHANGED,
              key,
              "the journal tells of job "
                  + job
                  + " of "
                  + entry.path("host").asText()
                  + ", and workspace "
                  + workspace
                  + " of the plan is "
                  + placed.jobs().host()
                  + " now",
              "put `workspaces` back as it was"));
    }
    JobSettings change = JobSettings.of(entry);
    JsonNode now = placed.job().settings();
    for (JobValue value : change.foreign(now)) {
      findings.add(
          Finding.warning(
              FindingCode.JOB_SETTINGS_CHANGED,
              key,
              "somebody changed "
                  + value.text()
                  + " of "
                  + placed.text()
                  + " since; it stays as it is",
              "put back yourself what it was: "
                  + (value.previous().isMissingNode() ? "not set" : value.previous())));
    }
    ObjectNode back = change.toUndo(now);
    List<String> removed = change.toRemove(now);
    if (!back.isEmpty() || !removed.isEmpty()) {
      placed.jobs().update(job, back, removed);
    }
    return Optional.of(placed);
  }
}
