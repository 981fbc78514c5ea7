package org.streammigrator.jobs.backfill;

import static java.util.Objects.requireNonNull;

import io.delta.tables.DeltaTable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.job.JobRefusedException;
import org.streammigrator.jobs.lake.LakeLog;

/** What the history of a table says of the chunks of a job. */
final class ChunkHistory {
  /** Newest commits among which one that has just been made is looked for. */
  private static final int RECENT = 5;

  private final SparkSession session;
  private final String place;
  private final String job;

  /**
   * A chunk that is done.
   *
   * @param version the commit
   */
  record Done(ChunkMark mark, long inserted, long updated, long version) {}

  /**
   * Prepares to look.
   *
   * @param place the table
   * @param job the job's id
   */
  ChunkHistory(SparkSession session, String place, String job) {
    this.session = requireNonNull(session, "session");
    this.place = requireNonNull(place, "place");
    this.job = requireNonNull(job, "job");
  }

  /**
   * The chunks that are done, by their number.
   *
   * @throws JobRefusedException if the table was restored to a version before one of them: its
   *     record of what is done outlives that, so that Delta would skip the chunk
   */
  Map<Integer, Done> all() {
    List<Row> commits =
        DeltaTable.forPath(session, place)
            .history()
            .where("operation = 'RESTORE' or userMetadata like '{\"migratorBackfill%'")
            .selectExpr(
                "version",
                "userMetadata",
                "operationMetrics",
                "operation = 'RESTORE'",
                "cast(operationParameters['version'] as bigint)")
            .collectAsList();
    Map<Integer, Done> done = new TreeMap<>();
    for (Row commit : commits) { // The newest comes first.
      Map<String, String> metrics = commit.isNullAt(2) ? Map.of() : commit.getJavaMap(2);
      done(commit.getLong(0), commit.getString(1), metrics)
          .ifPresent(chunk -> done.putIfAbsent(chunk.mark().chunk(), chunk));
    }
    long newest = done.values().stream().mapToLong(Done::version).max().orElse(Long.MAX_VALUE);
    for (Row commit : commits) {
      boolean isAfter = commit.getBoolean(3) && commit.getLong(0) > newest;
      if (isAfter && (commit.isNullAt(4) || commit.getLong(4) < newest)) {
        throw restored(commit.getLong(0));
      }
    }
    return done;
  }

  private JobRefusedException restored(long version) {
    return JobRefusedException.unsafe(
        Finding.error(
            FindingCode.SINK_BATCHES_SKIPPED,
            place,
            "version %d restored the table to a version before chunks of this job were merged; its"
                    .formatted(version)
                + " record of them is still there, so that they would be skipped",
            "compute all again under another id"));
  }

  /** A chunk that has just been merged. */
  Optional<Done> committed(int chunk) {
    LakeLog log = new LakeLog(session, place);
    long newest = log.latestVersion();
    for (long version = newest; version >= 0 && version > newest - RECENT; version--) {
      Optional<Done> done =
          log.information(version)
              .flatMap(commit -> done(commit.version(), commit.note(), commit.metrics()))
              .filter(found -> found.mark().chunk() == chunk);
      if (done.isPresent()) {
        return done;
      }
    }
    return Optional.ofNullable(all().get(chunk));
  }

  private Optional<Done> done(long version, String note, Map<String, String> metrics) {
    return ChunkMark.of(note)
        .filter(mark -> mark.job().equals(job))
        .map(
            mark ->
                new Done(
                    mark,
                    count(metrics, "numTargetRowsInserted"),
                    count(metrics, "numTargetRowsUpdated"),
                    version));
  }

  private static long count(Map<String, String> metrics, String name) {
    return Long.parseLong(metrics.getOrDefault(name, "0"));
  }
}
