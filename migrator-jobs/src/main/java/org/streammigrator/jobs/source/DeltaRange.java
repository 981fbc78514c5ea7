package org.streammigrator.jobs.source;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.job.DeltaPosition;
import org.streammigrator.job.InvalidJobSpecException;
import org.streammigrator.job.JobRefusedException;
import org.streammigrator.job.SourceSpec;
import org.streammigrator.jobs.lake.DataFile;
import org.streammigrator.jobs.lake.LakeLog;
import org.streammigrator.jobs.lake.LakeLog.Commit;
import org.streammigrator.jobs.lake.LakeTables;
import org.streammigrator.jobs.rows.Failures;

/**
 * What a stream over a Delta table reads between two places: the files that commits add, in the
 * order and by the numbers that {@code DeltaSource} gives them, also inside a version and inside
 * the snapshot that a query starts with.
 *
 * <p>Without a beginning it is what a stream has read that stands at the end: the table before the
 * end's version, as it is there, and the first files of that version. For a table that was only
 * appended to, rearranging commits included, this is every record once; rows that a commit deleted
 * or changed are seen as the table shows them.
 */
final class DeltaRange {
  private static final String REFUSE = "refuse";
  private static final String SKIP = "skip";
  private static final String FEED = "feed";

  private final SparkSession spark;
  private final SourceSpec spec;
  private final String table;
  private final LakeLog log;

  DeltaRange(SparkSession spark, SourceSpec spec) {
    this.spark = requireNonNull(spark, "spark");
    this.spec = requireNonNull(spec, "spec");
    this.table = spec.delta();
    LakeTables.require(spark, table);
    this.log = new LakeLog(spark, table);
  }

  SourceRead open() {
    DeltaPosition to =
        spec.deltaTo().orElseGet(() -> new DeltaPosition(log.latestVersion() + 1, -1));
    requireSameTable(to, "to");
    long lastVersion = lastVersion(to);
    if (lastVersion > log.latestVersion()) {
      throw new InvalidJobSpecException(
          "%s: version %d, index %d of %s is not written yet; the table ends with version %d"
              .formatted(field("to"), to.version(), to.index(), table, log.latestVersion()));
    }
    if (spec.deltaFrom().isEmpty()) {
      if (spec.changes().equals(FEED)) {
        throw new InvalidJobSpecException(field("changes: feed") + " needs from");
      }
      if (spec.eventTime() != null) {
        new DeltaEventTimes(spec, log).requireUnchanged(lastVersion);
      }
      return read(filesUpTo(to), Math.max(lastVersion, 0), to);
    }
    DeltaPosition from = spec.deltaFrom().get();
    requireSameTable(from, "from");
    requireOrder(from, to);
    if (spec.changes().equals(FEED)) {
      return feed(from, to);
    }
    return read(filesBetween(from, to), Math.max(lastVersion, 0), to);
  }

  /** The last version of which something is read; -1 if nothing is. */
  private static long lastVersion(DeltaPosition to) {
    return to.index() < 0 && !isInitial(to) ? to.version() - 1 : to.version();
  }

  private static boolean isInitial(DeltaPosition position) {
    return Boolean.TRUE.equals(position.initialSnapshot());
  }

  private List<DataFile> filesUpTo(DeltaPosition to) {
    if (isInitial(to)) {
      return first(initialFiles(to.version(), "to"), to, "the snapshot of version");
    }
    List<DataFile> files = new ArrayList<>();
    if (to.version() > 0) {
      files.addAll(log.filesAt(to.version() - 1));
    }
    if (to.index() >= 0) {
      files.addAll(first(wanted(commit(to.version())), to, "version"));
    }
    return files;
  }

  private List<DataFile> filesBetween(DeltaPosition from, DeltaPosition to) {
    List<DataFile> files = new ArrayList<>();
    long firstCommit = from.version();
    if (isInitial(from)) {
      List<DataFile> snapshot = initialFiles(from.version(), "from");
      boolean within = isInitial(to);
      List<DataFile> upTo = within ? first(snapshot, to, "the snapshot of version") : snapshot;
      files.addAll(upTo.subList(done(from, snapshot, "the snapshot of version"), upTo.size()));
      if (within) {
        return files;
      }
      firstCommit = from.version() + 1;
    }
    long last = lastVersion(to);
    SortedMap<Long, Commit> commits = log.commits(firstCommit, last);
    requireAll(commits, firstCommit, last);
    for (Commit commit : commits.values()) {
      List<DataFile> added = wanted(commit);
      List<DataFile> upTo =
          commit.version() == to.version() && to.index() >= 0 ? first(added, to, "version") : added;
      int done =
          commit.version() == from.version() && !isInitial(from) ? done(from, added, "version") : 0;
      files.addAll(upTo.subList(Math.min(done, upTo.size()), upTo.size()));
    }
    return files;
  }

  private List<DataFile> wanted(Commit commit) {
    if (!commit.removes()) {
      return commit.added();
    }
    if (spec.changes().equals(REFUSE)) {
      throw JobRefusedException.unsafe(
          Finding.error(
              FindingCode.DELTA_CHANGE_COMMITS,
              table,
              "version "
                  + commit.version()
                  + " deletes or changes rows, so that the files it adds do not hold new rows only",
              "give the source "
                  + spec.name()
                  + " changes: skip (leave such commits out), reemit (all"
                  + " rows of the files they add) or feed (the change data feed), as the stream does"));
    }
    return spec.changes().equals(SKIP) ? List.of() : commit.added();
  }

  private SourceRead read(List<DataFile> all, long version, DeltaPosition to) {
    if (spec.eventTime() == null) {
      requireThere(all);
      return read(all, version, to, Optional.empty());
    }
    DeltaEventTimes.Files files = new DeltaEventTimes(spec, log).of(all, version);
    requireThere(files.needed());
    requireThere(files.unknown());
    return read(files.needed(), version, to, Optional.of(files.times()));
  }

  private void requireThere(List<DataFile> files) {
    log.gone(files)
        .ifPresent(
            path -> {
              throw JobRefusedException.unsafe(
                  Finding.error(
                      FindingCode.DELTA_FILES_VACUUMED,
                      table,
                      "the data file " + path + " is gone, though its commit is there",
                      "the rows cannot be read from this table any more: restore the file, or begin"
                          + " where all files exist"));
            });
  }

  private SourceRead read(
      List<DataFile> files, long version, DeltaPosition to, Optional<EventTimes> times) {
    boolean counted = files.stream().allMatch(file -> file.records().isPresent());
    return new SourceRead(
        spec.name(),
        EventTimes.needed(spec, log.rows(version, files)),
        spec.from(),
        SourceSpec.json(to),
        counted
            ? OptionalLong.of(files.stream().mapToLong(file -> file.records().getAsLong()).sum())
            : OptionalLong.empty(),
        OptionalLong.of(files.size()),
        OptionalLong.of(files.stream().mapToLong(DataFile::bytes).sum()),
        times);
  }

  private SourceRead feed(DeltaPosition from, DeltaPosition to) {
    if (from.index() >= 0 || to.index() >= 0 || isInitial(from) || isInitial(to)) {
      throw new InvalidJobSpecException(
          "source %s: changes: feed needs from and to between versions (index -1)"
              .formatted(spec.name()));
    }
    requireAll(log.commits(from.version(), to.version() - 1), from.version(), to.version() - 1);
    boolean empty = from.version() == to.version();
    Dataset<Row> rows =
        Failures.ofAnalysis(
            "source " + spec.name(),
            () ->
                spark
                    .read()
                    .format("delta")
                    .option("readChangeFeed", "true")
                    .option("startingVersion", Math.min(from.version(), log.latestVersion()))
                    .option("endingVersion", empty ? log.latestVersion() : to.version() - 1)
                    .load(table));
    Dataset<Row> changes = empty ? rows.limit(0) : rows;
    return new SourceRead(
        spec.name(),
        EventTimes.needed(spec, changes),
        spec.from(),
        SourceSpec.json(to),
        OptionalLong.empty(),
        OptionalLong.empty(),
        OptionalLong.empty(),
        EventTimes.ofAll(spec, changes));
  }

  private List<DataFile> first(List<DataFile> files, DeltaPosition to, String what) {
    if (to.index() >= files.size()) {
      throw noSuchFile("to", to, files.size(), what);
    }
    return files.subList(0, (int) to.index() + 1);
  }

  private int done(DeltaPosition from, List<DataFile> files, String what) {
    if (from.index() >= files.size()) {
      throw noSuchFile("from", from, files.size(), what);
    }
    return (int) from.index() + 1;
  }

  private InvalidJobSpecException noSuchFile(
      String field, DeltaPosition position, int files, String what) {
    return new InvalidJobSpecException(
        "%s: %s %d of %s has %d files to read; there is no file %d"
            .formatted(field(field), what, position.version(), table, files, position.index()));
  }

  private Commit commit(long version) {
    SortedMap<Long, Commit> commits = log.commits(version, version);
    requireAll(commits, version, version);
    return commits.get(version);
  }

  private void requireAll(SortedMap<Long, Commit> commits, long first, long last) {
    List<Long> missing =
        LongStream.rangeClosed(first, last)
            .filter(version -> !commits.containsKey(version))
            .boxed()
            .toList();
    if (!missing.isEmpty()) {
      throw log.missing(
          missing.size() == 1
              ? "the commit of version " + missing.get(0) + " is gone from the log"
              : "the commits of %d versions are gone from the log: %s"
                  .formatted(missing.size(), ranges(missing)));
    }
  }

  private static String ranges(List<Long> versions) {
    long first = versions.get(0);
    long last = versions.get(versions.size() - 1);
    return last - first + 1 == versions.size()
        ? first + " to " + last
        : versions.stream().limit(20).map(String::valueOf).collect(Collectors.joining(", "));
  }

  private List<DataFile> initialFiles(long version, String field) {
    if (version > log.latestVersion()) {
      throw new InvalidJobSpecException(
          "%s: version %d of %s is not written yet".formatted(field(field), version, table));
    }
    return log.initialFilesAt(version);
  }

  private void requireSameTable(DeltaPosition position, String field) {
    if (position.tableId() != null && !position.tableId().equals(log.tableId())) {
      throw JobRefusedException.changed(
          Finding.error(
              FindingCode.DELTA_TABLE_REPLACED,
              table,
              "%s belongs to the table %s; the table at this place is %s"
                  .formatted(field(field), position.tableId(), log.tableId()),
              "version numbers of one table mean nothing in another: find the place anew"));
    }
  }

  private void requireOrder(DeltaPosition from, DeltaPosition to) {
    if (from.version() > log.latestVersion() + 1) {
      throw JobRefusedException.unsafe(
          Finding.error(
              FindingCode.DELTA_AHEAD_OF_TABLE,
              table,
              "%s is version %d; the table ends with version %d"
                  .formatted(field("from"), from.version(), log.latestVersion()),
              "the table was rolled back, or this is another one: find the place anew"));
    }
    boolean ordered =
        isInitial(from) == isInitial(to)
            ? from.version() < to.version()
                || from.version() == to.version() && from.index() <= to.index()
            : isInitial(from) && to.version() > from.version();
    if (!ordered || isInitial(from) && isInitial(to) && from.version() != to.version()) {
      throw new InvalidJobSpecException(
          "source %s: to (%s) is not after from (%s)"
              .formatted(spec.name(), SourceSpec.json(to), spec.from()));
    }
  }

  private String field(String field) {
    return "source " + spec.name() + ": " + field;
  }
}
