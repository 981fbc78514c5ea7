package org.streammigrator.migration;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.plan.ArchiveFormat;
import org.streammigrator.plan.ArchivePlan;
import org.streammigrator.plan.CopyScope;
import org.streammigrator.plan.CutoverPlan;
import org.streammigrator.plan.JobPlan;
import org.streammigrator.plan.JobStop;
import org.streammigrator.plan.RunnerKind;
import org.streammigrator.plan.SourcePlan;
import org.streammigrator.plan.Strategy;
import org.streammigrator.plan.StreamPlan;

/**
 * What a plan may say and this version does not carry out. A key that would be ignored is refused:
 * its user relies on it.
 */
final class Unavailable {
  private Unavailable() {}

  static List<Finding> of(StreamPlan stream) {
    List<Finding> findings = new ArrayList<>();
    if (stream.strategy() == Strategy.START_OPTIONS && stream.checkpoint().to().isEmpty()) {
      findings.add(
          Finding.error(
              FindingCode.PLAN_INCOMPLETE,
              "checkpoint",
              "it does not say where the new query's checkpoint goes",
              "add `to`: a place that is empty; for the options alone use migrator resume"));
    }
    if (stream.job().flatMap(JobPlan::stop).filter(JobStop.COMMAND::equals).isPresent()) {
      findings.add(
          refused(
              "job",
              "stopping a query by a command",
              "stop the query yourself, make sure that no run is left, and remove `job`"));
    }
    stream
        .job()
        .filter(job -> job.stop().filter(JobStop.COMMAND::equals).isEmpty())
        .ifPresent(
            job -> named("job", job.workspace(), job.id().or(job::name)).ifPresent(findings::add));
    stream.cutover().ifPresent(cutover -> cutover(stream, cutover, findings));
    if (stream.repair()
        && (stream.strategy() != Strategy.RELOCATE || stream.copy() != CopyScope.LIVE)) {
      findings.add(
          refused(
              "repair",
              "repairing other than while relocating what is live",
              "use strategy relocate with copy: live; strategy seed needs no repair, since it starts"
                  + " from the last sound position"));
    }
    if (keepsSources(stream.strategy()) && changesSources(stream)) {
      findings.add(
          refused(
              "sources.was",
              "adding, removing or moving a source while relocating or rewinding",
              "use strategy seed, which maps sources, or remove `was` and `removed`: such a"
                  + " query reads what it read"));
    }
    if (stream.sources().stream().anyMatch(source -> source.translate().isPresent())) {
      findings.add(
          refused(
              "sources.translate",
              "translating positions to another cluster or table",
              "move the checkpoint without moving its source, and remove `translate`"));
    }
    stream
        .archive()
        .map(ArchivePlan::format)
        .filter(format -> format != ArchiveFormat.TAR_ZST)
        .ifPresent(
            format ->
                findings.add(
                    refused(
                        "archive.format",
                        "archives as " + format.label(),
                        "remove `archive.format`; archives are tar.zst")));
    if (stream.runner().kind() == RunnerKind.SPARK_SUBMIT) {
      findings.add(
          refused(
              "runner",
              "running Spark jobs on " + stream.runner().kind().label(),
              "use runner local or databricks, or run the jobs themselves by migrator job run"));
    }
    return findings;
  }

  /** A job is named by its workspace, and by its id or its name. */
  private static Optional<Finding> named(
      String key, Optional<String> workspace, Optional<String> job) {
    return workspace.isPresent() && job.isPresent()
        ? Optional.empty()
        : Optional.of(
            Finding.error(
                FindingCode.PLAN_INCOMPLETE,
                key,
                "it does not say which job is meant",
                workspace.isPresent()
                    ? "add id or name of the job"
                    : "add workspace, and id or name of the job"));
  }

  private static void cutover(StreamPlan stream, CutoverPlan cutover, List<Finding> findings) {
    if (!cutover.command().isEmpty()) {
      findings.add(
          refused(
              "cutover",
              "starting a query by a command",
              "remove `cutover` and start the query from the new checkpoint yourself"));
    } else {
      named("cutover", cutover.workspace(), cutover.id().or(cutover::name))
          .ifPresent(findings::add);
    }
    if (stream.strategy() == Strategy.BACKFILL || stream.strategy() == Strategy.REPLAY) {
      findings.add(
          refused(
              "cutover",
              "the cutover of a job with strategy " + stream.strategy().label(),
              "remove `cutover` and point the job at the new checkpoint yourself, when apply says"
                  + " so"));
    }
  }

  private static boolean keepsSources(Strategy strategy) {
    return strategy == Strategy.RELOCATE || strategy == Strategy.REWIND;
  }

  private static boolean changesSources(StreamPlan stream) {
    for (int i = 0; i < stream.sources().size(); i++) {
      SourcePlan source = stream.sources().get(i);
      boolean same =
          source.was().isEmpty()
              || source.was().equals(Optional.of(Integer.toString(i)))
              || source.was().equals(source.name());
      if (source.removed() || !same) {
        return true;
      }
    }
    return false;
  }

  static Finding refused(String key, String what, String remedy) {
    return Finding.error(
        FindingCode.NOT_AVAILABLE, key, what + " is not available in this version", remedy);
  }
}
