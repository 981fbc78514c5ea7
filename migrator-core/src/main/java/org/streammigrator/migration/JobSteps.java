package org.streammigrator.migration;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.streammigrator.databricks.JobRun;
import org.streammigrator.databricks.JobTrigger;
import org.streammigrator.plan.CutoverPlan;
import org.streammigrator.plan.JobPlan;
import org.streammigrator.plan.JobStop;
import org.streammigrator.plan.StreamPlan;
import org.streammigrator.plan.WatchPlan;

/** The steps that are about jobs, in words. */
final class JobSteps {
  private JobSteps() {}

  static Step quiesce(
      StreamPlan stream, JobPlan plan, JobControl.Placed placed, List<JobRun> active) {
    StringBuilder text = new StringBuilder();
    if (plan.stop().isPresent()) {
      placed
          .job()
          .trigger()
          .filter(trigger -> !trigger.isPaused())
          .map(JobTrigger::text)
          .ifPresent(trigger -> text.append("pause " + trigger + ", "));
      plan.maxConcurrentRuns()
          .filter(most -> most != placed.job().maxConcurrentRuns())
          .ifPresent(most -> text.append("set max_concurrent_runs to " + most + ", "));
      if (!active.isEmpty()) {
        text.append(plan.stop().get() == JobStop.CANCEL ? "cancel " : "wait for the end of ")
            .append(active.size() == 1 ? "run " : "runs ")
            .append(
                active.stream()
                    .map(run -> Long.toString(run.id()))
                    .collect(Collectors.joining(", ")))
            .append(", ");
      }
    }
    text.append("make sure for ")
        .append(duration(plan.settle()))
        .append(" that ")
        .append(placed.text())
        .append(" has no active run and writes nothing to the old checkpoint");
    return new Step(
        stream.name() + "/" + Step.Kind.QUIESCE.label(),
        Step.Kind.QUIESCE,
        text.toString(),
        List.of(stream.checkpoint().from().toString()),
        List.of(),
        0,
        true);
  }

  static Step cutover(
      StreamPlan stream, CutoverPlan plan, JobControl.Placed placed, JobSwitch change) {
    return new Step(
        stream.name() + "/" + Step.Kind.CUTOVER.label(),
        Step.Kind.CUTOVER,
        placed.text()
            + (change.diff().isEmpty() ? "" : ": " + String.join("; ", change.diff()))
            + (plan.start() ? "; start it" : "; you start it"),
        List.of(),
        List.of(),
        0,
        true);
  }

  static Step watch(StreamPlan stream, CutoverPlan plan) {
    WatchPlan watch = plan.watch();
    Optional<String> time = watch.time().map(JobSteps::duration);
    return new Step(
        stream.name() + "/" + Step.Kind.WATCH.label(),
        Step.Kind.WATCH,
        "see that the new query goes on where it has to, for "
            + watch.batches()
            + (watch.batches() == 1 ? " batch" : " batches")
            + time.map(at -> " and " + at).orElse(""),
        List.of(stream.checkpoint().to().orElseThrow().toString()),
        List.of(),
        0,
        true);
  }

  /** A duration as plans spell it, to the second. */
  static String duration(Duration duration) {
    long seconds = duration.toSeconds();
    return seconds % 60 == 0 && seconds > 0 ? seconds / 60 + "m" : seconds + "s";
  }
}
