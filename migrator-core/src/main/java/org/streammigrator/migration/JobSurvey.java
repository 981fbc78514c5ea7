package org.streammigrator.migration;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.streammigrator.copy.RefusedException;
import org.streammigrator.databricks.JobRun;
import org.streammigrator.databricks.JobTrigger;
import org.streammigrator.databricks.JobsApiException;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.plan.CutoverPlan;
import org.streammigrator.plan.JobPlan;
import org.streammigrator.plan.JobStop;
import org.streammigrator.plan.StreamPlan;

/** Reads from workspaces what becomes of a stream's jobs; changes nothing. */
final class JobSurvey {
  private final JobControl control;
  private final Journal journal;

  JobSurvey(JobControl control, Journal journal) {
    this.control = requireNonNull(control, "control");
    this.journal = requireNonNull(journal, "journal");
  }

  /** The itinerary with what is done to the jobs. */
  StreamItinerary with(StreamItinerary itinerary) throws IOException {
    StreamPlan stream = itinerary.stream();
    if (itinerary.done() || itinerary.refused()) {
      return itinerary;
    }
    List<Finding> findings = new ArrayList<>();
    List<Step> before = new ArrayList<>();
    List<Step> after = new ArrayList<>();
    Optional<JobControl.Placed> old = Optional.empty();
    Optional<JobPlan> job = control.old(stream);
    if (job.isPresent() && !itinerary.isPublished()) {
      old = survey(stream, job.get(), before, findings);
    }
    Optional<CutoverPlan> cutover = control.next(stream);
    if (cutover.isPresent()) {
      survey(stream, cutover.get(), old, after, findings);
    }
    return itinerary.with(before, after, findings);
  }

  private Optional<JobControl.Placed> survey(
      StreamPlan stream, JobPlan plan, List<Step> steps, List<Finding> findings)
      throws IOException {
    JobControl.Placed placed;
    List<JobRun> active;
    try {
      placed = control.find(plan);
      active = placed.jobs().activeRuns(placed.job().id());
    } catch (JobsApiException refused) {
      findings.add(notFound("job", refused));
      return Optional.empty();
    }
    findings.addAll(runs(plan, placed, active));
    if (placed.job().maxConcurrentRuns() != 1 && plan.maxConcurrentRuns().isEmpty()) {
      findings.add(
          Finding.warning(
              FindingCode.JOB_SPARE_RUNS,
              "job",
              placed.text()
                  + " may have "
                  + placed.job().maxConcurrentRuns()
                  + " runs at once: two runs on one checkpoint destroy each other's work",
              "set the job's max_concurrent_runs to 1, or let this plan do so: job.maxConcurrentRuns:"
                  + " 1"));
    }
    steps.add(JobSteps.quiesce(stream, plan, placed, active));
    return Optional.of(placed);
  }

  private static List<Finding> runs(JobPlan plan, JobControl.Placed placed, List<JobRun> active) {
    List<Finding> findings = new ArrayList<>();
    for (JobRun run : active) {
      findings.add(
          plan.stop().isPresent()
              ? Finding.info(
                  FindingCode.ACTIVE_RUN,
                  "job",
                  run.text() + " of " + placed.text() + " is active",
                  plan.stop().get() == JobStop.CANCEL
                      ? "nothing to do: apply cancels it"
                      : "nothing to do: apply waits until it ends")
              : Quiesce.activeRun(placed, run));
    }
    Optional<JobTrigger> trigger = placed.job().trigger().filter(t -> !t.isPaused());
    if (plan.stop().isEmpty() && trigger.isPresent() && active.isEmpty()) {
      findings.add(Quiesce.unpaused(placed, trigger.get()));
    }
    return findings;
  }

  private void survey(
      StreamPlan stream,
      CutoverPlan plan,
      Optional<JobControl.Placed> old,
      List<Step> steps,
      List<Finding> findings)
      throws IOException {
    boolean isCutOver = Cutover.last(journal, stream, Cutover.EVENT).isPresent();
    try {
      JobControl.Placed placed = control.find(plan);
      JobSwitch change = JobSwitch.of(stream, plan, placed.job());
      boolean isSame = old.filter(job -> Cutover.isSame(job, placed)).isPresent();
      if (!isCutOver && !isSame) {
        placed
            .jobs()
            .activeRuns(placed.job().id())
            .forEach(run -> findings.add(Cutover.activeRun(placed, run)));
      }
      if (placed.job().maxConcurrentRuns() != 1 && !isSame) {
        findings.add(
            Finding.warning(
                FindingCode.JOB_SPARE_RUNS,
                "cutover",
                placed.text()
                    + " may have "
                    + placed.job().maxConcurrentRuns()
                    + " runs at once: two runs on one checkpoint destroy each other's work",
                "set the job's max_concurrent_runs to 1"));
      }
      if (!isCutOver) {
        steps.add(JobSteps.cutover(stream, plan, placed, change));
      }
      steps.add(JobSteps.watch(stream, plan));
    } catch (RefusedException missing) {
      findings.add(missing.finding());
    } catch (JobsApiException refused) {
      findings.add(notFound("cutover", refused));
    }
  }

  static Finding notFound(String key, JobsApiException refused) {
    return Finding.error(
        refused.isMissing() ? FindingCode.JOB_NOT_FOUND : FindingCode.UNREADABLE,
        key,
        refused.getMessage(),
        refused.isMissing()
            ? "correct `" + key + "`; the job has to be one of this workspace"
            : "give the plan's credentials for the workspace access to the job");
  }
}
