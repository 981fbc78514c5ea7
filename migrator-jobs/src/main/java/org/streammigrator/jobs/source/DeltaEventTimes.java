package org.streammigrator.jobs.source;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.job.JobRefusedException;
import org.streammigrator.job.SourceSpec;
import org.streammigrator.jobs.lake.DataFile;
import org.streammigrator.jobs.lake.LakeLog;
import org.streammigrator.jobs.source.EventTimeStatistics.Newest;

/** The event times of a Delta table's files, by their statistics where they have them. */
final class DeltaEventTimes {
  private final SourceSpec spec;
  private final LakeLog log;
  private final EventTimeStatistics statistics;

  /**
   * @param spec one that names an event time
   */
  DeltaEventTimes(SourceSpec spec, LakeLog log) {
    this.spec = requireNonNull(spec, "spec");
    this.log = requireNonNull(log, "log");
    this.statistics = EventTimeStatistics.of(log.schema(), spec.eventTime().column());
  }

  /**
   * Files, sorted by what is known of their event times.
   *
   * @param needed those that may hold a record that is needed
   * @param unknown those whose statistics do not tell the newest
   * @param times of all of them
   */
  record Files(List<DataFile> needed, List<DataFile> unknown, EventTimes times) {}

  /**
   * Sorts files.
   *
   * @param version the table's version with whose columns they are read
   */
  Files of(List<DataFile> all, long version) {
    Map<DataFile, Newest> newest = new LinkedHashMap<>();
    all.forEach(file -> newest.put(file, statistics.read(file.statistics())));
    Instant first = spec.eventTime().from();
    List<DataFile> needed =
        all.stream().filter(file -> first == null || newest.get(file).mayReach(first)).toList();
    List<DataFile> unknown = all.stream().filter(file -> !newest.get(file).isKnown()).toList();
    Instant known =
        newest.values().stream()
            .map(Newest::newest)
            .filter(Objects::nonNull)
            .max(Instant::compareTo)
            .orElse(null);
    return new Files(
        needed,
        unknown,
        new EventTimes(
            spec,
            new EventTimes.Known(known, false),
            log.rows(version, unknown),
            reached ->
                log.rows(
                    version,
                    all.stream().filter(file -> newest.get(file).mayReach(reached)).toList()),
            null));
  }

  /**
   * Looks whether the table still shows all records of the event times that are needed: rows that a
   * commit deleted or changed were read as they had been.
   *
   * @param lastVersion the last version that belongs to the range
   * @throws JobRefusedException if it does not
   */
  void requireUnchanged(long lastVersion) {
    Instant first = spec.eventTime().from();
    if (first == null) {
      return;
    }
    log.removals(first, lastVersion)
        .forEach(
            (version, files) -> {
              if (files.stream()
                  .anyMatch(file -> statistics.read(file.orElse(null)).mayReach(first))) {
                throw JobRefusedException.unsafe(
                    Finding.error(
                        FindingCode.DELTA_CHANGE_COMMITS,
                        spec.delta(),
                        "version %d deletes or changes rows of event times from %s on, which a stream"
                                .formatted(version, first)
                            + " has read as they were before",
                        "what it has read cannot be read again from the table as it is: give the"
                            + " source of a job from, to and changes; a plan cannot, so that these"
                            + " windows have to be rebuilt by such a job"));
              }
            });
  }
}
