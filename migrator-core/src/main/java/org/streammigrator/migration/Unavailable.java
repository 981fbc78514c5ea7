package org.streammigrator.migration;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.plan.ArchiveFormat;
import org.streammigrator.plan.ArchivePlan;
import org.streammigrator.plan.CopyScope;
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
    if (stream.strategy() == Strategy.START_OPTIONS) {
      findings.add(
          refused(
              "strategy",
              "strategy " + stream.strategy().label(),
              "use relocate, seed, replay, rewind or backfill, which are carried out"));
    }
    if (stream.job().isPresent()) {
      findings.add(
          refused(
              "job",
              "stopping a job",
              "stop the query yourself, make sure that no run is left, and remove `job`"));
    }
    if (stream.cutover().isPresent()) {
      findings.add(
          refused(
              "cutover",
              "the cutover of a job",
              "remove `cutover` and point the job at the new checkpoint yourself"));
    }
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
    if (stream.runner().kind() != RunnerKind.LOCAL) {
      findings.add(
          refused(
              "runner",
              "running Spark jobs on " + stream.runner().kind().label(),
              "remove `runner`; jobs run in a JVM of their own on this machine"));
    }
    return findings;
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
